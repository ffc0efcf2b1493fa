// Measures how many faults the suite notices: `npm run mutate -- src/domain --sample 200`. Each mutant changes one place
// of a compiled file; one of the tests that evaluate this place must fail. Mutants that survive are listed. A run continues
// where an earlier one of the same code stopped. With more tests per mutant, it repeats only those that survived.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { join } from 'node:path'
import { COPY, filesIn, makeCopy, readStatements, writeRun } from './mutate/copy.ts'
import { findStatic, hashFiles, measureCoverage, testsThatRun, type TestCoverage } from './mutate/coverage.ts'
import type { Mutant } from './mutate/mutants.ts'
import { inParallel, type Worker } from './mutate/worker.ts'
import { readOptions } from './options.ts'

const DEFAULTS = { sample: 200, seed: 0, tests: [], 'tests-per-mutant': 10, minutes: 60 }
const { words: places, tests: words, ...values } = readOptions('npm run mutate -- [folder, file or line …]', DEFAULTS)
const GOLDEN_RATIO = (1 + Math.sqrt(5)) / 2
/** A file with a mutant may take this much longer than without one, because it loops or other processes are busy. */
const SLOWER_MAX = 10
const EXTRA_MS = 20_000

type Result = 'killed' | 'survived' | 'not covered'

/** A result of this or an earlier run. `code` identifies the sources and tests, and `testsMax` is the limit of that run. */
type Judged = Readonly<{ code: string; id: string; result: Result; testsMax: number }>

const RESULTS = join(COPY, 'results.jsonl')
const LENGTH_MAX = 100
/** Survivors that were judged, by file */
const listed = readFileSync('scripts/mutate/survivors.md', 'utf8').split('\n')

const startMs = Date.now()
const maps = new Map<string, SourceMap>()
const tests = filesIn('dist/test', '.test.js').filter(
  (path) => words.length === 0 || words.some((word) => path.includes(word)),
)
const all = makeCopy().filter(isChosen)
const testsMax = values['tests-per-mutant']
const code = hashFiles(['dist/src', 'dist/test'], tests)
const stored = readResults()
const known = new Map(stored.map(({ id, result }) => [id, result]))
const isFinal = new Set(
  stored.filter((each) => each.result !== 'survived' || each.testsMax >= testsMax).map(({ id }) => id),
)
const coverage = await measureCoverage(tests)
const staticIds = await findStatic()
const statements = readStatements()
const mutants = sample(all, values.sample, values.seed)
await inParallel(mutants, async (mutant, worker) => {
  if (isFinal.has(mutant.id) || Date.now() - startMs > values.minutes * 60_000) return
  const result = await judge(mutant, worker)
  known.set(mutant.id, result)
  appendFileSync(RESULTS, `${JSON.stringify({ code, id: mutant.id, result, testsMax } satisfies Judged)}\n`)
})
report()

function readResults(): Judged[] {
  if (!existsSync(RESULTS)) return []
  const lines = readFileSync(RESULTS, 'utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line) as Judged).filter((each) => each.code === code)
}

function shorten(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, LENGTH_MAX).replaceAll('`', "'")
}

/** Prints the mutants that were not killed, and the score of each folder of `dist/src`. */
function report(): void {
  const judged = mutants.flatMap((mutant) => {
    const result = known.get(mutant.id)
    return result === undefined ? [] : [{ mutant, result }]
  })
  for (const { mutant, result } of judged.filter((each) => each.result !== 'killed')) {
    const change = `${shorten(mutant.before)} -> ${shorten(mutant.after) || 'nothing'}`
    const [path = '', line] = position(mutant).split(':')
    const isListed = listed.some((each) => each.startsWith(`- ${path}: `) && each.includes(`\`${change}\``))
    console.log(`${result}${isListed ? ', listed' : ''}: ${path}:${line}: ${change}`)
  }
  const folderOf = ({ mutant }: { mutant: Mutant }): string => mutant.path.split('/')[2] ?? ''
  for (const folder of new Set(judged.map(folderOf))) {
    console.log(`${folder}: ${score(judged.filter((each) => folderOf(each) === folder))}`)
  }
  console.log(`${judged.length} of ${all.length} mutants: ${score(judged)}`)
}

function score(judged: readonly Readonly<{ result: Result }>[]): string {
  const count = (result: Result): number => judged.filter((each) => each.result === result).length
  const [killed, survived] = [count('killed'), count('survived')]
  const percent = (part: number, whole: number): string => ((100 * part) / Math.max(1, whole)).toFixed(1)
  return (
    `${killed} killed, ${survived} survived, ${count('not covered')} not covered ` +
    `(${percent(killed + survived, judged.length)} % covered, ${percent(killed, killed + survived)} % of them killed)`
  )
}

/** Returns whether a mutant is in a folder, a file or a line that was given, for example `src/domain/text.ts:17`. */
function isChosen(mutant: Mutant): boolean {
  const own = position(mutant)
  return places.some((each) => own === each || own.startsWith(`${each}:`) || own.startsWith(`${each}/`))
}

async function judge(mutant: Mutant, worker: Worker): Promise<Result> {
  const isStatic = staticIds.has(mutant.id)
  const chosen = testsThatRun(mutant, coverage, staticIds, statements).slice(0, testsMax)
  if (chosen.length === 0) return 'not covered'
  if (isStatic) worker.end() // only a new process loads the file with this mutant
  try {
    for (const test of chosen) if (await kills(test, mutant, worker, isStatic)) return 'killed'
    return 'survived'
  } finally {
    if (isStatic) worker.end()
  }
}

/** Returns whether a test fails with a mutant, and passes again without it. */
async function kills({ test, ms }: TestCoverage, { id }: Mutant, worker: Worker, isStatic: boolean): Promise<boolean> {
  const timeoutMs = ms * SLOWER_MAX + EXTRA_MS
  const passes = async (mutantId: string): Promise<boolean> =>
    (await worker.run(writeRun(mutantId, [test]), timeoutMs)) === undefined
  if (await passes(id)) return false
  if (isStatic) worker.end()
  if (await passes('')) return true
  worker.end() // an earlier mutant may have left something behind in this process
  return !(await passes(id))
}

/** Takes mutants at equal distances, so that all files have their share. Another seed takes others. */
function sample<Item>(items: readonly Item[], size: number, seed: number): Item[] {
  const step = Math.max(1, items.length / size)
  const start = (seed * GOLDEN_RATIO) % 1
  return Array.from({ length: Math.min(size, items.length) }, (_, at) => items[Math.floor((at + start) * step)]).filter(
    (item) => item !== undefined,
  )
}

/** Returns the position in the source of the compiled file. */
function position({ path, line, column }: Mutant): string {
  const map = maps.get(path) ?? new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8')) as SourceMapPayload)
  maps.set(path, map)
  const entry = map.findEntry(line - 1, column)
  const sourceLine = 'originalLine' in entry ? entry.originalLine + 1 : line
  return `${path.replace(/^dist\//, '').replace(/\.js$/, '.ts')}:${sourceLine}`
}
