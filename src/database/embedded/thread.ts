import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import type { Call, EngineData, Reply } from './engine-worker.ts'
import type { Backend } from './wire.ts'

export type Thread = Backend & { close(): Promise<void> }

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
export async function startThread(directory: string): Promise<Thread> {
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
