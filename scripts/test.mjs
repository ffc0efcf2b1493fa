// Runs the suite, or the files whose paths contain one of the words given: `npm test -- login`. With --servers, it runs those
// that depend on the kind of database or of rate limiter. Some processes run one file after the other: one for each processor,
// one that begins with the files that mostly wait, and one more with a database server, because all files wait for its answers.
// After a whole run the pairs of (operation, status) that were returned are counted. The last line is `N passed, N failed`.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { groupFiles, noteDuration, storeDurations, timesOf } from './suite/durations.mjs'
import { openRunner } from './suite/runner.mjs'

const ROOT = 'dist/test'
/** Temporary directories are in memory, where there is enough of it. */
const MEMORY = '/dev/shm'
const MEMORY_BYTES_MIN = 4 * 1024 ** 3
/** The paths and the imports of files that can pass on embedded databases and in-process limits, and fail on servers */
const ON_SERVERS = {
  path: /^store\/|race|concurrent|fault|limit|budget|kills|matrix\/(revocation|upgrades)/,
  text: /(from '(pg|ioredis)'|service\/(databases|database-proxy|roles|instance)|timing\/(races|two-instances)|adapters\/limits\/|env\['(DATABASE|REDIS)_URL'\])/,
}
const SLOWEST = 10
/** A position in a compiled file, in the output of a failure */
const POSITION = /(?:file:\/\/)?([\w@./-]*\bdist\/[\w@./-]+\.js):(\d+):(\d+)/g
const maps = new Map()
const hasServer = process.env.DATABASE_URL !== undefined
const servers = process.argv.includes('--servers')
// A path of a source file is a word too.
const words = process.argv
  .slice(2)
  .filter((word) => word !== '--servers')
  .map((word) => word.replace(/^(\.\/)?test\//, '').replace(/\.ts$/, ''))
// Files that no run has timed: scenarios take longest and begin early.
const files = readdirSync(ROOT, { recursive: true })
  .filter((path) => path.endsWith('.test.js') && (words.length === 0 || words.some((word) => path.includes(word))))
  .filter(
    (path) => !servers || ON_SERVERS.path.test(path) || ON_SERVERS.text.test(readFileSync(join(ROOT, path), 'utf8')),
  )
  .sort()
  .reverse()
if (files.length === 0) {
  console.error(`No test file has a path that contains ${words.map((word) => `"${word}"`).join(' or ')}.`)
  process.exit(2)
}
const { waiting, busy } = groupFiles(files)
const temporary = mkdtempSync(join(temporaryDirectory(), 'tawthiq-suite-'))
const pairs = mkdtempSync(join(temporary, 'pairs-'))
const total = { passed: 0, failed: 0 }
const ran = []
const template = await templateDatabase()

await Promise.all([
  runFiles(waiting, busy),
  ...Array.from({ length: availableParallelism() + Number(hasServer) }, () => runFiles(busy, waiting)),
])
await template.drop()
storeDurations()
if (words.length === 0 && !servers) await countPairs()
rmSync(temporary, { recursive: true, force: true })
if (ran.length > SLOWEST) listSlowest()
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed > 0 || total.passed === 0 ? 1 : 0)

function temporaryDirectory() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= MEMORY_BYTES_MIN ? MEMORY : tmpdir()
  } catch {
    return tmpdir() // this system has none
  }
}

/** On a server, each database of a test is a copy of this one. */
async function templateDatabase() {
  if (!hasServer) return { environment: {}, drop: () => undefined }
  const { makeTemplate } = await import('../dist/test/support/service/databases.js')
  return makeTemplate()
}

/** Runs the first files that no other process has taken, then the others. */
async function runFiles(first, others) {
  const runner = openRunner({ TMPDIR: temporary, PAIRS_DIR: pairs, ...template.environment })
  const nextFile = () => first.shift() ?? others.shift()
  for (let file = nextFile(); file !== undefined; file = nextFile()) {
    const { passed, failed, output, ms, cpuMs } = await runner.run(join(ROOT, file))
    noteDuration(file, { ms, cpuMs })
    const name = file.replace(/\.js$/, '')
    ran.push({ name, ms, cpuMs })
    total.passed += passed
    total.failed += failed
    console.log(`${failed > 0 ? 'FAILED' : 'ok    '} ${name} (${passed} passed, ${timesOf({ ms, cpuMs })})`)
    if (failed > 0) console.log(withSourcePositions(failuresOf(output)))
  }
  await runner.close()
}

function listSlowest() {
  console.log('The slowest files:')
  const slowest = ran.sort((one, other) => other.ms - one.ms).slice(0, SLOWEST)
  for (const each of slowest) console.log(`  ${each.name} (${timesOf(each)})`)
}

/** Returns the TAP lines of each failure, or all output if the process ended early. */
function failuresOf(output) {
  const blocks = output.match(/^ *not ok [^\n]*\n(?: *---\n[\s\S]*?\n *\.\.\.)?/gm)
  return blocks ? blocks.join('\n') : output
}

/** Test processes run without source maps, which take a tenth of their time, so failures get the positions here. */
function withSourcePositions(text) {
  return text.replaceAll(POSITION, (position, path, line, column) => {
    const { originalSource, originalLine, originalColumn } = mapOf(path)?.findEntry(line - 1, column - 1) ?? {}
    if (originalSource === undefined) return position
    return `${relative('.', resolve(dirname(path), originalSource))}:${originalLine + 1}:${originalColumn + 1}`
  })
}

function mapOf(path) {
  const file = `${path}.map`
  if (!maps.has(file))
    maps.set(file, existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, 'utf8'))) : undefined)
  return maps.get(file)
}

async function countPairs() {
  const { bindings } = await import('../dist/generated/operations.js')
  const seen = new Set(readdirSync(pairs).flatMap((file) => readFileSync(join(pairs, file), 'utf8').trim().split('\n')))
  const declared = Object.entries(bindings).flatMap(([id, { statuses }]) => statuses.map((status) => `${id} ${status}`))
  const unseen = declared.filter((pair) => !seen.has(pair))
  for (const pair of unseen) console.log(`not seen: ${pair}`)
  console.log(`${declared.length - unseen.length} of ${declared.length} pairs`)
  total.failed += unseen.length
}
