// Sends and times requests in a separate thread, where the work of the service does not delay the timers.
import { parentPort } from 'node:worker_threads'
import { Agent, request } from 'undici'
import type { TimedRequest, Timed } from './timing.ts'

const dispatcher = new Agent({ connections: 1 })

parentPort?.on('message', ({ url, method, headers, body }: TimedRequest) => {
  void time(url, { method, headers, body, dispatcher })
})

async function time(url: string, options: Parameters<typeof request>[1]): Promise<void> {
  const startMs = performance.now()
  const response = await request(url, options)
  await response.body.dump()
  parentPort?.postMessage({ ms: performance.now() - startMs, status: response.statusCode } satisfies Timed)
}
