import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'

const WORKER = fileURLToPath(new URL('worker.mjs', import.meta.url))
/** Files with more rounds (RACE_ROUNDS, KILLS) may need more than five minutes. */
const TEST_MS_MAX = Number(process.env.TEST_MINUTES ?? 5) * 60_000
/** For a file that blocks its process, so that its timeout cannot fail it. */
const FILE_MS_MAX = TEST_MS_MAX + 30_000
/** The share of the timeout after which a file is expected to hang. At the timeout, its teardown closes what it waits for. */
const DESCRIBED_AFTER = 0.9
const WAITED_FOR = /^(tcp|udp|pipe|process|timer|fs_event)$/
/** Writing the report of a process takes this long at most. */
const REPORT_MS_MAX = 5000
/** Collects young garbage less often, which saves a seventh of the CPU time of the suite. */
const NODE_ARGUMENTS = ['--max-semi-space-size=32', '--report-on-signal', '--report-signal=SIGUSR2']

/** Runs test files in one process. A file that ends the process or takes too long fails; the next one gets a new process. */
export function openRunner(environment) {
  let worker
  return {
    async run(path) {
      worker ??= startWorker(environment)
      const startMs = Date.now()
      const result = await runIn(worker, path)
      if (worker.exitCode !== null || worker.signalCode !== null) worker = undefined
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
  const { TMPDIR: directory = tmpdir() } = environment
  const report = `${randomUUID()}.json`
  const worker = fork(WORKER, {
    execArgv: [...NODE_ARGUMENTS, `--report-directory=${directory}`, `--report-filename=${report}`],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // Each file has its own timeout; the process of many files has none but a day.
    env: { ...process.env, ...environment, TAP_TIMEOUT: '86400' },
  })
  return Object.assign(worker, { report: join(directory, report) })
}

async function runIn(worker, path) {
  let printed = ''
  const print = (bytes) => (printed += bytes)
  for (const stream of [worker.stdout, worker.stderr]) stream.on('data', print)
  const killer = setTimeout(() => worker.kill('SIGKILL'), FILE_MS_MAX)
  const describing = setTimeout(() => describe(worker).then(print, print), TEST_MS_MAX * DESCRIBED_AFTER)
  try {
    const result = await resultOf(worker, path)
    return { ...result, output: `${result.output}${printed}` }
  } finally {
    for (const timer of [killer, describing]) clearTimeout(timer)
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

/** Returns what the process of a file that hangs executes and waits for, as the lines of a failure. */
async function describe(worker) {
  worker.kill('SIGUSR2')
  await sleep(REPORT_MS_MAX)
  const { javascriptStack, libuv } = JSON.parse(readFileSync(worker.report, 'utf8'))
  const active = libuv.filter((each) => each.is_active && WAITED_FOR.test(each.type))
  const resources = active.map(({ type, localEndpoint, remoteEndpoint, firesInMsFromNow }) =>
    JSON.stringify({ type, localEndpoint, remoteEndpoint, firesInMsFromNow }),
  )
  const lines = [...(javascriptStack.stack ?? []), ...resources].map((line) => `  ${line}`)
  return ['not ok - the file does not end; its process has:', '  ---', ...lines, '  ...\n'].join('\n')
}
