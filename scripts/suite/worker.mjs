// Runs the test files that the parent process sends, one by one, so that they share loaded and compiled modules. Each
// file is a separate test, which it imports from tap as `t`.
import { readFileSync } from 'node:fs'
import { inspect } from 'node:util'
import { setCurrentTest, Test } from './tap/index.mjs'

const TICKS_PER_SECOND = 100
/** The share of its timeout after which a file is expected to hang. At the timeout, its teardown closes what it waits for. */
const DESCRIBED_AFTER = 0.9
const WAITED_FOR = /^(tcp|udp|pipe|process|timer|fs_event)$/

const environment = { ...process.env }
let running
let strays = []

// An error outside of any test or promise fails the file, even after the last test.
for (const event of ['uncaughtException', 'unhandledRejection']) {
  process.on(event, (error) => {
    strays.push(error)
    running?.threw(error)
  })
}

process.on('message', async ({ type, url, timeoutMs }) => {
  if (type !== 'run') return
  const before = cpuMs()
  strays = []
  let output = ''
  let resources = ''
  running = new Test({ name: url, timeout: timeoutMs, cb: () => import(url).then(() => undefined) })
  running.on('data', (text) => (output += text))
  setCurrentTest(running)
  const describing = setTimeout(() => (resources = describeResources()), timeoutMs * DESCRIBED_AFTER)
  await new Promise((resolve) => running.runMain(resolve))
  clearTimeout(describing)
  running.setTimeout(0) // the timer of an ended test would write into the output of a later one
  restoreEnvironment()
  const { pass: passed, fail } = running.counts
  const failed = Math.max(fail, strays.length, running.parser.ok ? 0 : 1) // not ok: a teardown has thrown
  process.send({
    type: 'done',
    passed,
    failed,
    output: output + resources + strays.map((stray) => inspect(stray)).join('\n'),
    cpuMs: cpuMs() - before,
  })
})
process.on('disconnect', () => process.exit())

/** Returns what keeps the process of a file that hangs waiting, as the lines of a failure. */
function describeResources() {
  const active = process.report.getReport().libuv.filter((each) => each.is_active && WAITED_FOR.test(each.type))
  const lines = active.map(({ type, localEndpoint, remoteEndpoint, firesInMsFromNow }) =>
    JSON.stringify({ type, localEndpoint, remoteEndpoint, firesInMsFromNow }),
  )
  return [
    'not ok - the file does not end; its process has:',
    '  ---',
    ...lines.map((line) => `  ${line}`),
    '  ...\n',
  ].join('\n')
}

function restoreEnvironment() {
  for (const name of Object.keys(process.env)) if (!(name in environment)) Reflect.deleteProperty(process.env, name)
  Object.assign(process.env, environment)
}

/** Returns the CPU time of this process and of its child processes, if the system provides it. */
function cpuMs() {
  try {
    const [, ticks] = /^\d+ \(.*\) \S+ (?:\S+ ){10}(\d+ \d+ \d+ \d+) /.exec(readFileSync('/proc/self/stat', 'utf8'))
    return ticks.split(' ').reduce((sum, part) => sum + Number(part), 0) * (1000 / TICKS_PER_SECOND)
  } catch {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
}
