// Runs test files in processes of the suite, which share what they have loaded.
import { fork, type ChildProcess } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { COPY } from './copy.ts'

/** Between the timeout of a file and the end of a process that it blocks */
const EXTRA_MS = 5000
const END_MS_MAX = 5000
/** Each file has its own timeout; the process of many files has none. */
const DAY_SECONDS = 86_400

export type Worker = {
  /** Runs a module. Returns whether all tests in it pass in time. */
  run(path: string, timeoutMs: number): Promise<boolean>
  pid(): number
  /** Ends the process. The next run starts another one. */
  end(): void
}

export function openWorker(): Worker {
  let child: ChildProcess | undefined
  const end = (): void => {
    const ended = child
    child = undefined
    if (ended?.connected !== true) return
    ended.disconnect() // the process then removes its files and exits, unless a mutant blocks it
    setTimeout(() => ended.kill('SIGKILL'), END_MS_MAX).unref()
  }
  return {
    async run(path, timeoutMs) {
      child ??= start()
      const result = await runIn(child, path, timeoutMs)
      if (result === undefined) end()
      return result === true
    },
    pid: () => child?.pid ?? 0,
    end,
  }
}

function start(): ChildProcess {
  const directory = resolve(COPY, 'state')
  mkdirSync(directory, { recursive: true })
  return fork('scripts/suite/worker.mjs', {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: { ...process.env, TAP_TIMEOUT: String(DAY_SECONDS), PAIRS_DIR: directory },
  })
}

/** Returns undefined if the process has ended or does not return. */
function runIn(child: ChildProcess, path: string, timeoutMs: number): Promise<boolean | undefined> {
  return new Promise((done) => {
    const timer = setTimeout(() => finish(undefined), timeoutMs + EXTRA_MS)
    const finish = (result: boolean | undefined): void => {
      clearTimeout(timer)
      child.removeAllListeners()
      done(result)
    }
    child.on('message', (message: { type: string; failed: number }) => {
      if (message.type === 'done') finish(message.failed === 0)
    })
    child.on('exit', () => finish(undefined))
    child.send({ type: 'run', url: pathToFileURL(path).href, timeoutMs })
  })
}

/** Does some work for each item, in as many processes as there are cores. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  work: (item: Item, worker: Worker) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const queue = items.entries()
  const run = async (): Promise<void> => {
    const worker = openWorker()
    for (const [at, item] of queue) results[at] = await work(item, worker)
    worker.end()
  }
  await Promise.all(Array.from({ length: availableParallelism() }, run))
  return results
}
