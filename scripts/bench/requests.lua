-- Sends the requests of a file in turns, until a number of responses if it is given. Prints how many had a response of success,
-- how many had not, and the median latency in microseconds. Each request follows its length and a line feed.
local requests, last, responses = {}, 0, 0

function init(args)
  local file = assert(io.open(args[1], 'rb'))
  for length in file:lines() do table.insert(requests, file:read(tonumber(length))) end
  file:close()
  local most = tonumber(args[2])
  if most then
    response = function()
      responses = responses + 1
      if responses == most then wrk.thread:stop() end
    end
  end
end

function request()
  last = last % #requests + 1
  return requests[last]
end

function done(summary, latency)
  local errors = summary.errors
  local lost = errors.connect + errors.read + errors.write + errors.timeout
  print(string.format('\nresult %d %d %d', summary.requests, errors.status + lost, latency:percentile(50)))
end
