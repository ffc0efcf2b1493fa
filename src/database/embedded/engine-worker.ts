// The thread of the embedded database. A query blocks only this thread, so the main thread can serve other requests.
import { parentPort, workerData } from 'node:worker_threads'
import { openEngine } from './engine.ts'

export type EngineData = { directory: string; compiled: WebAssembly.Module | undefined }
export type Call = { id: number; act: 'reset' | 'run' | 'close'; bytes?: Uint8Array }
export type Reply = { id: number; bytes?: Uint8Array; error?: string }

const port = parentPort
if (!port) throw new Error('engine-worker runs in a worker thread')
const { directory, compiled } = workerData as EngineData
const engine = await openEngine(directory, compiled)

port.on('message', ({ id, act, bytes = new Uint8Array() }: Call) => {
  const done = act === 'run' ? engine.run(bytes) : engine[act]()
  done.then(
    (reply) => post(reply ? { id, bytes: new Uint8Array(reply) } : { id }),
    (error: unknown) => post({ id, error: String(error) }),
  )
})
port.postMessage({ id: 0 } satisfies Reply)

function post(reply: Reply): void {
  port?.postMessage(reply, reply.bytes ? [reply.bytes.buffer as ArrayBuffer] : [])
}
