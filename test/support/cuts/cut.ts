import { connect, type Socket } from 'node:net'
import type { Phase, Way } from './axes.ts'
import type { CutRequest } from './requests.ts'

const CUT_MS_MAX = 30_000
const PIPELINED = 8

type Client = {
  socket: Socket
  write(...parts: readonly (string | Buffer)[]): void
  /** Waits until the received text is as expected, or the connection has ended. */
  until(isSo: (received: string) => boolean): Promise<void>
}

type Begin = (client: Client, request: CutRequest) => void | Promise<void>

/** What a client does before it cuts its connection. Those that wait for nothing cut it before the service accepts it. */
const BEGINNINGS: Readonly<Record<Phase, Begin>> = {
  'before any byte': () => undefined,
  'in the request line': ({ write }, { line }) => write(line.slice(0, -10)),
  'in the headers': ({ write }, request) => write(head(request).subarray(0, -10)),
  'after the headers': ({ write }, request) => write(head(request)),
  'in a part': ({ write }, request) => write(head(request), request.body.subarray(0, firstPart(request.body))),
  'in a file': ({ write }, request) => write(head(request), request.body.subarray(0, middleOfFile(request.body))),
  'while the handler runs': ({ write }, request) => write(whole(request)),
  async 'in the response headers'({ write, until }, request) {
    write(whole(request))
    await until((received) => received !== '')
  },
  async 'in the response body'({ write, until }, request) {
    write(whole(request))
    await until((received) => received.includes('\r\n\r\n'))
  },
  async idle({ write, until }, request) {
    write(whole(request))
    await until(isComplete)
  },
  pipelined({ write }, request) {
    for (let sent = 0; sent < PIPELINED; sent++) write(whole(request))
  },
  async 'during Expect: 100-continue'({ write, until }, request) {
    write(head(request, ['Expect: 100-continue']))
    await until((received) => received.includes('\r\n\r\n'))
  },
  'in an upgrade': ({ write }, request) =>
    write(head(request, ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13']), request.body),
}

const ENDINGS: Readonly<Record<Way, (socket: Socket) => void>> = {
  RST: (socket) => void socket.resetAndDestroy(),
  FIN: (socket) => {
    socket.destroySoon()
  },
  'half-close': (socket) => void socket.end(),
}

/** Sends a part of a request, or all of it, and cuts the connection. Resolves when it has ended on both sides. */
export async function cut(request: CutRequest, { phase, way }: Readonly<{ phase: Phase; way: Way }>): Promise<void> {
  const socket = connect({ port: request.port, host: '127.0.0.1', allowHalfOpen: true })
  let fault: Error | undefined
  socket.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'ECONNREFUSED') fault = new Error(`nothing listens on port ${request.port}`)
  })
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  const deadline = setTimeout(() => {
    fault = new Error(`the connection is still open after ${CUT_MS_MAX} ms`)
    socket.destroy()
  }, CUT_MS_MAX)
  socket.once('connect', () => void begin(socket, request, phase).then(() => ENDINGS[way](socket)))
  socket.once('end', () => void socket.end())
  await ended
  clearTimeout(deadline)
  if (fault) throw fault
}

/** Writes in the same turn: a reset can then arrive before the service has accepted the connection. */
async function begin(socket: Socket, request: CutRequest, phase: Phase): Promise<void> {
  let received = ''
  let look = (): void => undefined
  socket.on('data', (bytes: Buffer) => {
    received += bytes.toString('latin1')
    look()
  })
  const until: Client['until'] = (isSo) =>
    new Promise((resolve) => {
      look = () => (isSo(received) ? resolve() : undefined)
      socket.once('close', () => resolve())
      look()
    })
  const write: Client['write'] = (...parts) => parts.forEach((part) => socket.write(part))
  await BEGINNINGS[phase]({ socket, write, until }, request)
}

function head({ line, headers }: CutRequest, more: readonly string[] = []): Buffer {
  return Buffer.from(`${[line, ...headers, ...more].join('\r\n')}\r\n\r\n`)
}

function whole(request: CutRequest): Buffer {
  return Buffer.concat([head(request), request.body])
}

/** Returns where the value of the first part begins. */
function firstPart(body: Buffer): number {
  return body.indexOf('\r\n\r\n') + 4
}

/** Returns a place in the content of the first file. */
function middleOfFile(body: Buffer): number {
  const begin = body.indexOf('\r\n\r\n', body.indexOf('filename=')) + 4
  return Math.floor((begin + body.indexOf('\r\n--', begin)) / 2)
}

function isComplete(received: string): boolean {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return false
  const [, length] = /^content-length: (\d+)/im.exec(received.slice(0, end)) ?? []
  return length === undefined ? received.endsWith('\r\n0\r\n\r\n') : received.length >= end + 4 + Number(length)
}
