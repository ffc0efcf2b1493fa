// Sends requests with wrk, which takes less of the processors than a client in Node.js, so that the service is what is busy.
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Request } from 'undici'
import { optionsOf, type Sent } from '../load/send.ts'

export const CONNECTIONS = 16
const SCRIPT = 'scripts/bench/requests.lua'
const ROUND_SECONDS = 1

/** Writes requests to a file, as HTTP/1.1 sends them. */
export async function writeRequests(folder: string, name: string, origin: string, sent: Sent[]): Promise<string> {
  const file = join(folder, `${name.replaceAll(/\W+/g, '-')}.requests`)
  const texts = await Promise.all(sent.map((each) => encode(new Request(origin + each.path, optionsOf(each)))))
  writeFileSync(file, Buffer.concat(texts.flatMap((bytes) => [Buffer.from(`${bytes.length}\n`), bytes])))
  return file
}

async function encode(request: Request): Promise<Buffer> {
  const { host, pathname, search } = new URL(request.url)
  const body = Buffer.from(await request.arrayBuffer())
  const headers = [['host', host], ...request.headers, ...(body.length > 0 ? [['content-length', body.length]] : [])]
  const lines = [`${request.method} ${pathname}${search} HTTP/1.1`, ...headers.map((pair) => pair.join(': '))]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body])
}

/** The number of requests, and the median of their latencies */
type Round = { requests: number; latencyMicros: number }

/** Sends the requests of a file in turns, for a round or until a number of responses. Rejects unless all succeed. */
export async function sendRound(origin: string, file: string, responsesMax?: number): Promise<Round> {
  const args = ['-t1', `-c${CONNECTIONS}`, `-d${ROUND_SECONDS}s`, '--timeout', '30s', '-s', SCRIPT, origin, '--', file]
  if (responsesMax !== undefined) args.push(String(responsesMax))
  const { stdout } = await promisify(execFile)('wrk', args)
  const [, requests, failed, latency] = /result (\d+) (\d+) (\d+)/.exec(stdout) ?? []
  if (failed !== '0') throw new Error(`${file}: ${stdout}`)
  return { requests: Number(requests), latencyMicros: Number(latency) }
}
