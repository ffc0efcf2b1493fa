-- Sends the requests of a file in turns, and prints how many had a response of success, and how many had not.
-- Each request follows its length and a line feed.
local requests, last = {}, 0

function init(args)
  local file = assert(io.open(args[1], 'rb'))
  local text = file:read('*a')
  file:close()
  local from = 1
  while from <= #text do
    local line = text:find('\n', from, true)
    local length = tonumber(text:sub(from, line - 1))
    table.insert(requests, text:sub(line + 1, line + length))
    from = line + length + 1
  end
end

function request()
  last = last % #requests + 1
  return requests[last]
end

function done(summary)
  local errors = summary.errors
  local lost = errors.connect + errors.read + errors.write + errors.timeout
  print(string.format('\nresult %d %d', summary.requests, errors.status + lost))
end
