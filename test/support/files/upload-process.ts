// A process that sends uploads with a Node.js client: `node upload-process.js '[client, uploads]'`. It prints
// `status error-code` of each response, or the error.
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import type { Upload } from './upload-clients.ts'

type Parameters = [client: string, uploads: Upload[]]
type Sent = Omit<Upload, 'file' | 'times'> & { body: Buffer }

const [client, uploads] = JSON.parse(process.argv[2] ?? '') as Parameters
const agents: Record<string, () => Agent> = {
  request: () => new Agent({ keepAlive: false }),
  'request with keep-alive': () => new Agent({ keepAlive: true, maxSockets: 1 }),
}

for (const { file, times, ...upload } of uploads) {
  const sent = { ...upload, body: readFileSync(file) }
  const agent = agents[client]?.()
  for (let done = 0; done < times; done++) {
    process.stdout.write(`${await (agent ? byRequest(sent, agent) : byFetch(sent)).catch(nameOf)}\n`)
  }
  agent?.destroy()
}

async function byFetch({ url, method, headers, body }: Sent): Promise<string> {
  const response = await fetch(url, { method, headers, body })
  await response.text()
  return `${response.status} ${response.headers.get('error-code') ?? ''}`
}

async function byRequest({ url, method, headers, body }: Sent, agent: Agent): Promise<string> {
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
