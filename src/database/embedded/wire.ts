import { Duplex } from 'node:stream'

/** A PostgreSQL backend that exchanges messages of the wire protocol. */
export type Backend = {
  /** Rolls back the open transaction and resets the session. */
  reset(): Promise<void>
  /** Runs complete messages and returns the response messages. */
  run(messages: Uint8Array): Promise<Uint8Array>
}

const TERMINATE = 'X'.charCodeAt(0)

/**
 * A socket that connects `pg` to a backend in this process. A backend has one session, so the pool must have at most
 * one connection; its queue is then the queue of transactions.
 */
export class WireSocket extends Duplex {
  readonly #backend: Backend
  #isStarted = false

  constructor(backend: Backend) {
    super({ allowHalfOpen: false })
    this.#backend = backend
  }

  connect(): this {
    process.nextTick(() => this.emit('connect'))
    return this
  }

  // Methods that pg calls on a socket, without effect because there is no network.
  setNoDelay = (): this => this
  setKeepAlive = (): this => this
  setTimeout = (): this => this
  ref = (): this => this
  unref = (): this => this

  override _read(): void {
    // responses are pushed as soon as they are available
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#receive(chunk).then(() => done(), done)
  }

  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this.#receive(Buffer.concat(chunks.map(({ chunk }) => chunk))).then(() => done(), done)
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const end = (): void => done(error)
    this.#backend.reset().then(end, end)
  }

  async #receive(bytes: Buffer): Promise<void> {
    if (!this.#isStarted) bytes = await this.#start(bytes)
    const end = endOfQueries(bytes)
    if (end > 0) this.push(await this.#backend.run(bytes.subarray(0, end)))
    if (end === bytes.length) return
    await this.#backend.reset()
    this.push(null)
  }

  /** Skips the start-up message, because its options do not apply to an embedded session. */
  async #start(bytes: Buffer): Promise<Buffer> {
    this.#isStarted = true
    await this.#backend.reset()
    this.push(STARTUP_RESPONSE)
    return bytes.subarray(bytes.readInt32BE(0))
  }
}

/** Returns the end of the messages before Terminate. Terminate would end the backend, not only the session. */
function endOfQueries(bytes: Buffer): number {
  let end = 0
  while (end < bytes.length && bytes[end] !== TERMINATE) end += 1 + bytes.readInt32BE(end + 1)
  return end
}

const STARTUP_RESPONSE = Buffer.concat([
  message('R', Buffer.from([0, 0, 0, 0])), // authenticated
  ...Object.entries({
    server_version: '18.0',
    client_encoding: 'UTF8',
    integer_datetimes: 'on',
    standard_conforming_strings: 'on',
    TimeZone: 'UTC',
    DateStyle: 'ISO, MDY',
  }).map(([name, value]) => message('S', Buffer.from(`${name}\0${value}\0`))),
  message('K', Buffer.from([0, 0, 0, 1, 0, 0, 0, 1])), // process id and secret for cancel requests, which are not supported
  message('Z', Buffer.from('I')), // idle
])

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.write(type, 'latin1')
  head.writeInt32BE(4 + body.length, 1)
  return Buffer.concat([head, body])
}
