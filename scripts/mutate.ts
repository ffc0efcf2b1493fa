// Measures how many faults the suite notices: `npm run mutate -- src/domain --sample 200`. Each mutant changes one place
// of a compiled file; the tests that run this place must fail. Mutants that survive are listed.
import { spawn } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { measureCoverage, testsThatRun, type TestCoverage } from './mutate/coverage.ts'
import { listMutants, type Mutant } from './mutate/mutants.ts'

/** A mutant that no test stops may loop for ever. */
const TEST_MS_MAX = 120_000
const TESTS_PER_MUTANT_MAX = 6

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { sample: { type: 'string', default: '200' }, tests: { type: 'string', multiple: true, default: [] } },
})
const files = (folder: string, ending: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(ending))
    .map((path) => join(folder, path))
const words = values.tests
const tests = files('dist/test', '.test.js').filter(
  (path) => words.length === 0 || words.some((word) => path.includes(word)),
)
const sources = positionals.flatMap((folder) => files(join('dist', folder), '.js'))

const coverage = await inParallel(tests, (test) => measureCoverage(test))
const mutants = sample(
  sources.flatMap((path) => listMutants(path, readFileSync(path, 'utf8'))),
  Number(values.sample),
)
const results = await inParallel(mutants, async (mutant, worker) => {
  const result = await judge(mutant, coverage, `.mutants-${worker}`)
  const { path, line, before, text } = mutant
  if (result !== 'killed') console.log(`${result}: ${path}:${line}: ${before} -> ${text}`)
  return result
})
const count = (result: Result): number => results.filter((each) => each === result).length
const score = ((100 * count('killed')) / results.length).toFixed(1)
console.log(
  `${results.length} mutants: ${count('killed')} killed, ${count('survived')} survived, ${count('not covered')} not covered (${score} %)`,
)

type Result = 'killed' | 'survived' | 'not covered'

async function judge(mutant: Mutant, covered: readonly TestCoverage[], copy: string): Promise<Result> {
  const chosen = testsThatRun(mutant.path, mutant.from, covered).slice(0, TESTS_PER_MUTANT_MAX)
  if (chosen.length === 0) return 'not covered'
  const source = readFileSync(mutant.path, 'utf8')
  const target = mutant.path.replace(/^dist/, copy)
  writeFileSync(target, source.slice(0, mutant.from) + mutant.text + source.slice(mutant.to))
  try {
    for (const test of chosen) if (!(await passes(test.replace(/^dist/, copy)))) return 'killed'
    return 'survived'
  } finally {
    writeFileSync(target, source)
  }
}

function passes(test: string): Promise<boolean> {
  const child = spawn(process.execPath, [test], { stdio: 'ignore', timeout: TEST_MS_MAX, killSignal: 'SIGKILL' })
  return new Promise((resolve) => child.once('close', (code) => resolve(code === 0)))
}

/** Every n-th mutant, so that all files have their share. */
function sample<Item>(items: readonly Item[], size: number): Item[] {
  const step = Math.max(1, items.length / size)
  return Array.from({ length: Math.min(size, items.length) }, (_, at) => items[Math.floor(at * step)]).filter(
    (item): item is Item => item !== undefined,
  )
}

/** Does some work for each item, as many at a time as there are cores. Each worker has a copy of dist. */
async function inParallel<Item, Result>(
  items: readonly Item[],
  work: (item: Item, worker: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  let next = 0
  const run = async (worker: number): Promise<void> => {
    cpSync('dist', `.mutants-${worker}`, { recursive: true })
    for (let at = next++; at < items.length; at = next++) {
      const item = items[at]
      if (item !== undefined) results[at] = await work(item, worker)
    }
    rmSync(`.mutants-${worker}`, { recursive: true })
  }
  await Promise.all(Array.from({ length: availableParallelism() }, (_, worker) => run(worker)))
  return results
}
