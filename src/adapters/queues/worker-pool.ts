import type { Piscina } from 'piscina'

export type WorkerPool<Task, Result> = {
  /** Runs a task. The signal ends the thread that runs it. */
  run(task: Task, options?: { signal: AbortSignal }): Promise<Result>
  /** Returns whether no thread runs, so that the next task starts one. */
  isIdle(): boolean
  close(): Promise<void>
}

export type WorkerPoolOptions = Readonly<{
  /** The module that the threads run */
  filename: string
  maxThreads: number
  /** How long an idle thread waits for the next task, in milliseconds */
  idleTimeout: number
  resourceLimits: Readonly<{ maxYoungGenerationSizeMb: number; maxOldGenerationSizeMb: number }>
}>

/** Creates a pool, or returns one that several services share. */
export type OpenPool = <Task, Result>(options: WorkerPoolOptions) => WorkerPool<Task, Result>

/** Creates a pool of threads that start on demand. The pool itself is loaded with the first task. */
export function workerPool<Task, Result>(options: WorkerPoolOptions): WorkerPool<Task, Result> {
  let pool: Promise<Piscina<Task, Result>> | undefined
  let opened: Piscina<Task, Result> | undefined
  const open = async (): Promise<Piscina<Task, Result>> => {
    const { Piscina } = await import('piscina')
    opened = new Piscina<Task, Result>({ ...options, minThreads: 0 })
    return opened
  }
  return {
    async run(task, runOptions) {
      pool ??= open()
      return (await pool).run(task, runOptions)
    },
    isIdle: () => !opened || opened.threads.length === 0,
    async close() {
      await (await pool)?.destroy()
    },
  }
}
