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
  /** Runs a module. Returns the output if a test in it fails, or if they take too long; undefined otherwise. */
  run(path: string, timeoutMs: number): Promise<string | undefined>
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
      const { isAlive, failure } = await runIn(child, path, timeoutMs)
      if (!isAlive) end()
      return failure
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

type Outcome = { isAlive: boolean; failure: string | undefined }

function runIn(child: ChildProcess, path: string, timeoutMs: number): Promise<Outcome> {
  return new Promise((done) => {
    const finish = (outcome: Outcome): void => {
      clearTimeout(timer)
      child.removeAllListeners()
      done(outcome)
    }
    const timer = setTimeout(finish, timeoutMs + EXTRA_MS, { isAlive: false, failure: 'it takes too long' })
    child.on('message', ({ type, failed, output }: { type: string; failed: number; output: string }) => {
      if (type === 'done') finish({ isAlive: true, failure: failed > 0 ? output : undefined })
    })
    child.on('exit', () => finish({ isAlive: false, failure: 'its process ended' }))
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
