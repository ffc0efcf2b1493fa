import { connect } from 'node:net'
import { Agent, request } from 'undici'
import type { FuzzedRequest } from './requests.ts'

/** `body` is parsed where it is JSON; otherwise it is the bytes. */
export type Reply = { status: number; headers: Record<string, string>; body: unknown }

/** No answer: the connection was closed without one, or it hangs. */
export type Silence = { silence: 'closed' | 'hangs'; reason: string }

/** Longer than anything may take */
const WAIT_MS_MAX = 20_000

const dispatcher = new Agent({ connections: 64, keepAliveTimeout: 1000, headersTimeout: WAIT_MS_MAX })

export async function send(origin: string, { method, path, headers, body }: FuzzedRequest): Promise<Reply | Silence> {
  try {
    const answer = await request(origin + path, {
      method: method as 'GET',
      headers,
      body: body ?? null,
      dispatcher,
      signal: AbortSignal.timeout(WAIT_MS_MAX),
    })
    const bytes = Buffer.from(await answer.body.arrayBuffer())
    const names = Object.entries(answer.headers).map(([name, value]) => [name, [value].flat().join(', ')] as const)
    return parseBody(answer.statusCode, Object.fromEntries(names), bytes)
  } catch (error) {
    const { name, message } = error as Error
    return { silence: name.includes('Timeout') ? 'hangs' : 'closed', reason: message }
  }
}

/** Writes bytes as they are, ends the sending side, and reads the first answer. */
export function sendBytes(origin: string, bytes: Buffer): Promise<Reply | Silence> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const socket = connect(Number(port), hostname)
    socket.setTimeout(WAIT_MS_MAX, () => {
      resolve({ silence: 'hangs', reason: `neither an answer nor an end in ${WAIT_MS_MAX} ms` })
      socket.destroy()
    })
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', () => undefined) // the data received before counts
    socket.on('close', () => resolve(parseReply(Buffer.concat(chunks))))
    socket.end(bytes)
  })
}

function parseReply(bytes: Buffer): Reply | Silence {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return { silence: 'closed', reason: bytes.toString('latin1').slice(0, 200) }
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.split(':')[0]?.toLowerCase() ?? '', line.slice(line.indexOf(':') + 1).trim()]),
  )
  const length = Number(headers['content-length'] ?? 0)
  return parseBody(Number(first.split(' ')[1]), headers, bytes.subarray(end + 4, end + 4 + length))
}

function parseBody(status: number, headers: Record<string, string>, bytes: Buffer): Reply {
  const isJson = /^application\/json\b/.test(headers['content-type'] ?? '') && bytes.length > 0
  return { status, headers, body: isJson ? parseJson(bytes) : bytes.length === 0 ? null : bytes }
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return bytes
  }
}
