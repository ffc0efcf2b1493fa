// Runs the suite, or the files whose paths contain one of the words given: `npm test -- login`. Each file is a process
// of its own that writes TAP. After a whole run the pairs of (operation, status) that were answered are counted.
// The last line is `N passed, N failed`.
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOT = 'dist/test'
const FILE_MS_MAX = 150_000
/** Folders of tests are in memory, where there is enough of it: each file of tests copies a database of 40 MB. */
const MEMORY = '/dev/shm'
const MEMORY_BYTES_MIN = 4 * 1024 ** 3
const words = process.argv.slice(2)
const files = readdirSync(ROOT, { recursive: true })
  .filter((path) => path.endsWith('.test.js') && (words.length === 0 || words.some((word) => path.includes(word))))
  .sort()
const folder = temporaryFolder()
const pairs = mkdtempSync(join(folder, 'tawthiq-pairs-'))
const total = { passed: 0, failed: 0 }

await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, runFiles))
if (words.length === 0) await countPairs()
rmSync(pairs, { recursive: true })
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed > 0 || total.passed === 0 ? 1 : 0)

function temporaryFolder() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= MEMORY_BYTES_MIN ? MEMORY : tmpdir()
  } catch {
    return tmpdir() // this system has none
  }
}

async function runFiles() {
  for (let file = files.shift(); file !== undefined; file = files.shift()) {
    const startMs = Date.now()
    const { code, output } = await runFile(file)
    const { passed, failed } = totalOf(output, code)
    total.passed += passed
    total.failed += failed
    const seconds = ((Date.now() - startMs) / 1000).toFixed(1)
    console.log(`${failed > 0 ? 'FAILED' : 'ok    '} ${file.replace(/\.js$/, '')} (${passed} passed, ${seconds} s)`)
    if (failed > 0) console.log(failuresOf(output))
  }
}

function runFile(file) {
  const test = spawn(process.execPath, ['--enable-source-maps', join(ROOT, file)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, TMPDIR: folder, PAIRS_DIR: pairs, TAP_TIMEOUT: String(FILE_MS_MAX / 1000) },
  })
  const killer = setTimeout(() => test.kill('SIGKILL'), FILE_MS_MAX)
  let output = ''
  for (const stream of [test.stdout, test.stderr]) stream.on('data', (bytes) => (output += bytes))
  return new Promise((resolve) => {
    test.on('close', (code) => {
      clearTimeout(killer)
      resolve({ code, output })
    })
  })
}

/** TAP ends with `# { total: 12, pass: 11, fail: 1 }`. A file that does not get there has failed. */
function totalOf(output, code) {
  const [, passed = 0, failed = 0] = /^# \{ total: \d+(?:, pass: (\d+))?(?:, fail: (\d+))?.*\}$/m.exec(output) ?? []
  return { passed: Number(passed), failed: code === 0 ? Number(failed) : Math.max(1, Number(failed)) }
}

/** What TAP says of each failure; all of the output when it did not get that far. */
function failuresOf(output) {
  const blocks = output.match(/^ *not ok [^\n]*\n(?: *---\n[\s\S]*?\n *\.\.\.)?/gm)
  return blocks ? blocks.join('\n') : output
}

async function countPairs() {
  const { bindings } = await import('../dist/generated/operations.js')
  const told = new Set(readdirSync(pairs).flatMap((file) => readFileSync(join(pairs, file), 'utf8').trim().split('\n')))
  const declared = Object.entries(bindings).flatMap(([id, { statuses }]) => statuses.map((status) => `${id} ${status}`))
  const untold = declared.filter((pair) => !told.has(pair))
  for (const pair of untold) console.log(`not seen: ${pair}`)
  console.log(`${declared.length - untold.length} of ${declared.length} pairs`)
  total.failed += untold.length
}
