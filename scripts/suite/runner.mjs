import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath, pathToFileURL } from 'node:url'

const WORKER = fileURLToPath(new URL('worker.mjs', import.meta.url))
/** Files with more rounds (RACE_ROUNDS, KILLS) may need more than five minutes. */
const TEST_MS_MAX = Number(process.env.TEST_MINUTES ?? 5) * 60_000
/** For a file that blocks its process, so that its timeout cannot fail it. */
const FILE_MS_MAX = TEST_MS_MAX + 30_000
/** Collects young garbage less often, which saves a seventh of the CPU time of the suite. */
const NODE_ARGUMENTS = ['--max-semi-space-size=32']
/** Each file has its own timeout; the process of many files has none. */
const DAY_SECONDS = 86_400

/** Runs test files in one process. A file that ends the process or takes too long fails; the next one gets a new process. */
export function openRunner(environment) {
  let worker
  return {
    async run(path) {
      worker ??= startWorker(environment)
      const startMs = Date.now()
      const result = await runIn(worker, path)
      if (hasEnded(worker)) worker = undefined
      return { passed: 0, failed: 0, output: '', cpuMs: 0, ...result, ms: Date.now() - startMs }
    },
    async close() {
      if (!worker) return
      worker.disconnect()
      await once(worker, 'exit')
    },
  }
}

function startWorker(environment) {
  return fork(WORKER, {
    execArgv: NODE_ARGUMENTS,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, ...environment, TAP_TIMEOUT: String(DAY_SECONDS) },
  })
}

function hasEnded({ exitCode, signalCode }) {
  return exitCode !== null || signalCode !== null
}

async function runIn(worker, path) {
  let printed = ''
  const print = (bytes) => (printed += bytes)
  for (const stream of [worker.stdout, worker.stderr]) stream.on('data', print)
  const killer = setTimeout(() => worker.kill('SIGKILL'), FILE_MS_MAX)
  try {
    const result = await resultOf(worker, path)
    return { ...result, output: `${result.output}${printed}` }
  } finally {
    clearTimeout(killer)
    for (const stream of [worker.stdout, worker.stderr]) stream.off('data', print)
    worker.removeAllListeners()
  }
}

function resultOf(worker, path) {
  return new Promise((resolve) => {
    worker.on('message', (message) => message.type === 'done' && resolve(message))
    worker.on('close', (code, signal) => {
      resolve({ failed: 1, output: `The process ended with ${signal ?? code} before the file was done.\n` })
    })
    worker.send({ type: 'run', url: pathToFileURL(path).href, timeoutMs: TEST_MS_MAX })
  })
}
