// Sends requests and measures them in a thread of its own, where the work of the service holds up no timer.
import { parentPort } from 'node:worker_threads'
import { Agent, request } from 'undici'
import type { Asked, Timed } from './timing.ts'

const dispatcher = new Agent({ connections: 1 })

parentPort?.on('message', ({ url, method, headers, body }: Asked) => {
  void time(url, { method, headers, body, dispatcher })
})

async function time(url: string, options: Parameters<typeof request>[1]): Promise<void> {
  const startMs = performance.now()
  const answer = await request(url, options)
  await answer.body.dump()
  parentPort?.postMessage({ ms: performance.now() - startMs, status: answer.statusCode } satisfies Timed)
}
