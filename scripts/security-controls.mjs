// Removes one security control at a time, and requires that its test fails: `npm run security-controls -- 6.2.1 7.4.1`.
// `--daily 6` takes six of the day, `--list` runs none. A run of all controls updates docs/security.md.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openCompiler, outputOf } from './compile.mjs'
import { timesOf } from './suite/durations.mjs'
import { openRunner } from './suite/runner.mjs'

const TABLE = 'scripts/security-controls/removals.diff'
const REMOVAL = /^(?<id>\d\S+) (?<test>\S+) (?<file>\S+)\n- (?<before>.*)\n(?:\+ (?<after>.*)\n)?/gm
const HOOK = new URL('security-controls/hook.mjs', import.meta.url).href
const DOCUMENT = 'docs/security.md'
const RESULT = /(?<=^<!-- removals -->\n\n)[^]*?(?=\n\n<!-- \/removals -->)/m
/** A failure within a test, with its details. That of a file as a whole is not indented, and is no assertion. */
const FAILURE = /^( +)not ok (?![^\n]* # time=)[^\n]*(?:\n\1 {2}---\n([^]*?)\n\1 {2}\.\.\.)?$/gm
/** Details of an error that was thrown, and of a timeout */
const NO_ASSERTION = /^ *(tapCaught|expired):/m
const SHOWN_LENGTH = 3000
const DAY_MS = 86_400_000

const words = process.argv.slice(2)
const daily = words[0] === '--daily' ? Number(words[1]) : undefined
const removals = [...readFileSync(TABLE, 'utf8').matchAll(REMOVAL)].map(({ groups }) => groups)
for (const removal of removals) remove(removal) // a file that has changed is a fault of every run
if (words.includes('--list')) for (const { id, test } of removals) console.log(id, test)
else await check(choose())

/** Returns the source of a file without a control. */
function remove({ id, file, before, after = '' }) {
  const parts = readFileSync(file, 'utf8').split(before)
  if (parts.length !== 2)
    throw new Error(`${id}: ${file} has this text ${parts.length - 1} times, not once:\n${before}`)
  return parts.join(after)
}

/** Returns the chosen controls. Those of a day are followed by the next ones on the next day, until all had their turn. */
function choose() {
  if (words.length === 0) return removals
  if (daily === undefined) return removals.filter(({ id }) => words.includes(id))
  const [day, distance] = [Math.floor(Date.now() / DAY_MS), Math.ceil(removals.length / daily)]
  return Array.from({ length: daily }, (_, at) => removals[(day + at * distance) % removals.length])
}

async function check(chosen) {
  const folder = mkdtempSync(join(tmpdir(), 'tawthiq-controls-'))
  const compileText = await openCompiler()
  const faults = await inParallel(chosen, async (removal) => {
    const { outputText, diagnostics } = compileText(remove(removal), removal.file)
    const replacement = join(folder, `${removal.id}.js`)
    writeFileSync(replacement, outputText)
    return diagnostics.length > 0 ? `${removal.id} does not compile` : findFault(removal, replacement)
  })
  // The suite, which runs with those of the day, shows that a test passes with the control.
  const tests = daily !== undefined ? [] : [...new Set(chosen.map(({ test }) => test))]
  const failures = await inParallel(
    tests,
    async (test) => (await run(test)).failed > 0 && `${test} fails with the control too`,
  )
  rmSync(folder, { recursive: true })
  const all = [...faults, ...failures].filter(Boolean)
  console.log([...all, `${chosen.length} controls, ${all.length} faults`].join('\n'))
  if (all.length > 0 || chosen.length === 0) process.exit(1)
  if (chosen === removals) record()
}

/** Does some work for each item, as many at a time as there are processors. */
async function inParallel(items, work) {
  const results = []
  const queue = items.entries()
  const run = async () => {
    for (const [at, item] of queue) results[at] = await work(item)
  }
  await Promise.all(Array.from({ length: availableParallelism() }, run))
  return results
}

/** Runs the test of a control without it. Returns why this does not show that the test notices it. */
async function findFault({ id, test, file }, replacement) {
  const { failed, output, ms, cpuMs } = await run(test, {
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import ${HOOK}`,
    REMOVED: pathToFileURL(outputOf(file)).href,
    REPLACEMENT: replacement,
    PROOF_CELLS: '400', // of the matrix of proofs
  })
  console.log(`${id} ${test}: ${failed} failures (${timesOf({ ms, cpuMs })})`)
  if (failed === 0) return `${test} passes without ${id}`
  const isNoticed = [...output.matchAll(FAILURE)].some(([, , details = '']) => !NO_ASSERTION.test(details))
  return isNoticed ? undefined : `${test} fails without ${id}, but no assertion does: ${output.slice(-SHOWN_LENGTH)}`
}

async function run(test, environment = {}) {
  const runner = openRunner(environment)
  const result = await runner.run(`dist/test/${test}.test.js`)
  await runner.close()
  return result
}

function record() {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const line = `Checked on ${new Date().toISOString().slice(0, 10)} at commit \`${commit}\`: ${removals.length} controls.`
  writeFileSync(DOCUMENT, readFileSync(DOCUMENT, 'utf8').replace(RESULT, line))
}
