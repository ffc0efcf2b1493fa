import { connect } from 'node:net'
import type { Received } from '../service/responses.ts'

const WAIT_MS_MAX = 20_000

/** Writes raw bytes to the service and reads the first response. */
export async function rawExchange(origin: string, ...writes: (string | Uint8Array)[]): Promise<Received> {
  const text = await new Promise<string>((resolve, reject) => {
    const { hostname, port } = new URL(origin)
    const socket = connect(Number(port), hostname)
    let received = ''
    socket.setTimeout(WAIT_MS_MAX, () => socket.destroy(new Error(`no complete response in time, only: ${received}`)))
    socket.on('data', (bytes) => {
      received += bytes.toString()
      if (isComplete(received)) socket.destroy()
    })
    socket.on('error', (error) => (received ? undefined : reject(error)))
    socket.on('close', () => resolve(received))
    for (const bytes of writes) socket.write(bytes)
  })
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.split(':')[0]?.toLowerCase() ?? '', line.slice(line.indexOf(':') + 1).trim()]),
  )
  return { status: Number(first.split(' ')[1]), headers, body: JSON.parse(rest.join('\r\n\r\n') || 'null') as never }
}

function isComplete(text: string): boolean {
  const end = text.indexOf('\r\n\r\n')
  const length = /content-length: (\d+)/i.exec(text.slice(0, end))?.[1]
  return end > 0 && length !== undefined && Buffer.byteLength(text.slice(end + 4)) >= Number(length)
}
