import type { Backend, Engine } from './engine.ts'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { Duplex } from 'node:stream'
import type { Call, EngineData, Reply } from './engine-worker.ts'

/** The thread creates few objects: the memory of PostgreSQL is outside of the heap. */
const YOUNG_GENERATION_MB_MAX = 4

const ENDED = 'The thread of the embedded database has exited.'

declare global {
  /** The types of Node.js lack this function. */
  var WebAssembly: { compile(bytes: Uint8Array): Promise<WebAssembly.Module> }
}

let isFirst = true
let compiling: Promise<WebAssembly.Module> | undefined

/** Starts the database of a directory in a separate thread. Resolves when it accepts queries. */
export async function startThread(directory: string): Promise<Engine> {
  const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB_MAX }
  const workerData: EngineData = { directory, compiled: await compiledPostgres() }
  const worker = new Worker(new URL('engine-worker.js', import.meta.url), { workerData, resourceLimits })
  const waiting = new Map<number, { resolve: (bytes: Uint8Array) => void; reject: (error: Error) => void }>()
  let calls = 0
  let hasEnded = false
  const end = once(worker, 'exit').then(() => Promise.reject(new Error(ENDED)))
  await Promise.race([once(worker, 'message'), end])

  worker.on('message', ({ id, bytes, error }: Reply) => {
    const call = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) call?.resolve(bytes ?? new Uint8Array())
    else call?.reject(new Error(error))
  })
  worker.on('exit', () => {
    hasEnded = true
    for (const { reject } of waiting.values()) reject(new Error(ENDED))
    waiting.clear()
  })
  worker.on('error', () => undefined) // the handler of 'exit' rejects pending calls

  const call = (act: Call['act'], bytes?: Uint8Array): Promise<Uint8Array> =>
    new Promise((resolve, reject) => {
      if (hasEnded) throw new Error(ENDED)
      const id = ++calls
      waiting.set(id, { resolve, reject })
      const copy = bytes && new Uint8Array(bytes)
      worker.postMessage({ id, act, ...(copy && { bytes: copy }) } satisfies Call, copy ? [copy.buffer] : [])
    })

  return {
    run: (messages) => call('run', messages),
    async reset() {
      await call('reset')
    },
    async close() {
      if (hasEnded) return
      await call('close')
      await worker.terminate()
    },
  }
}

/**
 * Returns what threads after the first one share, which halves the time of their start. The first one compiles PostgreSQL
 * itself: a service has only one, and sharing takes 15 MB.
 */
async function compiledPostgres(): Promise<WebAssembly.Module | undefined> {
  if (isFirst) {
    isFirst = false
    return undefined
  }
  const file = new URL('pglite.wasm', import.meta.resolve('@electric-sql/pglite'))
  compiling ??= readFile(file).then((bytes) => WebAssembly.compile(bytes))
  return compiling
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
