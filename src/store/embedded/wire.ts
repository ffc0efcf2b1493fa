import { Duplex } from 'node:stream'

/** A PostgreSQL backend that takes and gives messages of the wire protocol. */
export type Backend = {
  /** Rolls back what is open and forgets the state of the session. */
  reset(): Promise<void>
  /** Runs whole messages, and gives the messages that answer them. */
  run(messages: Uint8Array): Promise<Uint8Array>
}

const TERMINATE = 'X'.charCodeAt(0)

/**
 * The socket that `pg` believes to be a connection to a server. A backend holds one session, so a pool of these must
 * have one connection at most; the queue of the pool is then the queue of transactions.
 */
export class WireSocket extends Duplex {
  readonly #backend: Backend
  #greeted = false

  constructor(backend: Backend) {
    super({ allowHalfOpen: false })
    this.#backend = backend
  }

  connect(): this {
    process.nextTick(() => this.emit('connect'))
    return this
  }

  // What pg calls on a socket, and what has no meaning without a network.
  setNoDelay = (): this => this
  setKeepAlive = (): this => this
  setTimeout = (): this => this
  ref = (): this => this
  unref = (): this => this

  override _read(): void {
    // what is answered is pushed when it is there
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#take(chunk).then(() => done(), done)
  }

  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this.#take(Buffer.concat(chunks.map(({ chunk }) => chunk))).then(() => done(), done)
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const end = (): void => done(error)
    this.#backend.reset().then(end, end)
  }

  async #take(bytes: Buffer): Promise<void> {
    if (!this.#greeted) bytes = await this.#greet(bytes)
    const end = endOfQueries(bytes)
    if (end > 0) this.push(await this.#backend.run(bytes.subarray(0, end)))
    if (end === bytes.length) return
    await this.#backend.reset()
    this.push(null)
  }

  /** The start-up message carries nothing that an embedded session could choose. */
  async #greet(bytes: Buffer): Promise<Buffer> {
    this.#greeted = true
    await this.#backend.reset()
    this.push(GREETING)
    return bytes.subarray(bytes.readInt32BE(0))
  }
}

/** Where the messages end, or where Terminate stands: that would end the backend and not only the session. */
function endOfQueries(bytes: Buffer): number {
  let end = 0
  while (end < bytes.length && bytes[end] !== TERMINATE) end += 1 + bytes.readInt32BE(end + 1)
  return end
}

const GREETING = Buffer.concat([
  message('R', Buffer.from([0, 0, 0, 0])), // authenticated
  ...Object.entries({
    server_version: '18.0',
    client_encoding: 'UTF8',
    integer_datetimes: 'on',
    standard_conforming_strings: 'on',
    TimeZone: 'UTC',
    DateStyle: 'ISO, MDY',
  }).map(([name, value]) => message('S', Buffer.from(`${name}\0${value}\0`))),
  message('K', Buffer.from([0, 0, 0, 1, 0, 0, 0, 1])), // a process and a secret that nobody will cancel by
  message('Z', Buffer.from('I')), // idle
])

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.write(type, 'latin1')
  head.writeInt32BE(4 + body.length, 1)
  return Buffer.concat([head, body])
}
