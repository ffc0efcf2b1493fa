import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const SECONDS = 12
const LOGIN = JSON.stringify({ email: 'client@demo.test', password: 'Tawthiq-demo-1' })
/** Larger than what the sockets on the way hold */
const LARGE = '/openapi.json'

/** Sends a login in small pieces. Returns the status. */
export async function writeSlowly(origin: string): Promise<number | undefined> {
  const headers = { 'content-type': 'application/json', 'content-length': LOGIN.length }
  const sending = request(`${origin}/api/v1/auth/login`, { method: 'POST', headers, agent: false })
  const response = once(sending, 'response') as Promise<[IncomingMessage]>
  const write = async (): Promise<void> => {
    const bytes = Math.ceil(LOGIN.length / SECONDS)
    for (let at = 0; at < LOGIN.length; at += bytes) {
      sending.write(LOGIN.slice(at, at + bytes))
      await sleep(1000)
    }
    sending.end()
  }
  const [[received]] = await Promise.all([response, write()])
  received.resume()
  return received.statusCode
}

/** Reads a large response in pieces. Returns the status, or 0 if the response ends early. */
export async function readSlowly(origin: string): Promise<number> {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  socket.write(`GET ${LARGE} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n\r\n`)
  const chunks: Buffer[] = []
  const ended = once(socket, 'end')
  ended.catch(() => undefined) // awaited below
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  for (let second = 0; second < SECONDS && !socket.readableEnded && !socket.destroyed; second++) {
    socket.pause()
    await sleep(1000)
    socket.resume()
    await sleep(1)
  }
  await ended
  const text = Buffer.concat(chunks).toString('latin1')
  const [head = ''] = text.split('\r\n\r\n', 1)
  const [, length = '0'] = /^content-length: (\d+)/im.exec(head) ?? []
  return text.length === head.length + 4 + Number(length) ? Number(head.slice(9, 12)) : 0
}
