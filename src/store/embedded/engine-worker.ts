// The thread of the embedded database: a query blocks this thread, and no request waits for it.
import { parentPort, workerData } from 'node:worker_threads'
import { openEngine } from './engine.ts'

export type Call = { id: number; act: 'reset' | 'run' | 'close'; bytes?: Uint8Array }
export type Answer = { id: number; bytes?: Uint8Array; error?: string }

const port = parentPort
if (!port) throw new Error('engine-worker runs in a worker thread')
const engine = await openEngine(workerData as string)

port.on('message', ({ id, act, bytes = new Uint8Array() }: Call) => {
  const done = act === 'run' ? engine.run(bytes) : engine[act]()
  done.then(
    (answer) => post(answer ? { id, bytes: new Uint8Array(answer) } : { id }),
    (error: unknown) => post({ id, error: String(error) }),
  )
})
port.postMessage({ id: 0 } satisfies Answer)

function post(answer: Answer): void {
  port?.postMessage(answer, answer.bytes ? [answer.bytes.buffer as ArrayBuffer] : [])
}
