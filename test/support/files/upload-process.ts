// A process that uploads a file with a Node.js client: `node upload-process.js '[client, url, method, headers, file, times]'`.
// It prints `status error-code` of each response, or the error.
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'

type Parameters = [
  client: string,
  url: string,
  method: string,
  headers: Record<string, string>,
  file: string,
  times: number,
]

const [client, url, method, headers, file, times] = JSON.parse(process.argv[2] ?? '') as Parameters
const body = readFileSync(file)
const agents: Record<string, Agent> = {
  request: new Agent({ keepAlive: false }),
  'request with keep-alive': new Agent({ keepAlive: true, maxSockets: 1 }),
}

const agent = agents[client]
for (let done = 0; done < times; done++) {
  process.stdout.write(`${await (agent ? byRequest(agent) : byFetch()).catch(nameOf)}\n`)
}
agent?.destroy()

async function byFetch(): Promise<string> {
  const response = await fetch(url, { method, headers, body })
  await response.text()
  return `${response.status} ${response.headers.get('error-code') ?? ''}`
}

async function byRequest(agent: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent }, (response) => {
      const { statusCode = 0, headers: received } = response
      response.on('end', () => resolve(`${statusCode} ${String(received['error-code'])}`)).resume()
    })
    sent.on('error', reject).end(body)
  })
}

function nameOf(error: unknown): string {
  const { cause = error } = error as Error
  return String((cause as NodeJS.ErrnoException).code ?? cause)
}
