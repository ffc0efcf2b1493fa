// Runs the test files that the parent process sends, one by one, so that they share loaded and compiled modules. Each
// file is a separate test, which it imports from tap as `t`.
import { readFileSync } from 'node:fs'
import { inspect } from 'node:util'
import { setCurrentTest, Test } from './tap/index.mjs'

const TICKS_PER_SECOND = 100

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
  running = new Test({ name: url, timeout: timeoutMs, cb: () => import(url).then(() => undefined) })
  running.on('data', (text) => (output += text))
  setCurrentTest(running)
  await new Promise((resolve) => running.runMain(resolve))
  running.setTimeout(0) // the timer of an ended test would write into the output of a later one
  restoreEnvironment()
  const { pass: passed, fail } = running.counts
  const failed = Math.max(fail, strays.length, running.parser.ok ? 0 : 1) // not ok: a teardown has thrown
  process.send({
    type: 'done',
    passed,
    failed,
    output: output + strays.map((stray) => inspect(stray)).join('\n'),
    cpuMs: cpuMs() - before,
  })
})
process.on('disconnect', () => process.exit())

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
