import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { COPY, filesIn, listSources, readSeen, writeRun } from './copy.ts'
import type { Mutant } from './mutants.ts'
import { inParallel, openWorker } from './worker.ts'

const CACHE = join(COPY, 'coverage.json')
const RUN_MS_MAX = 240_000
/** Instead of a mutant, see switch.mjs */
const RECORD = 'record'

/** A test file, how long it takes, and the ids of the mutants and statements that it evaluates; none if the file fails. */
export type TestCoverage = Readonly<{ key: string; test: string; ms: number; ids: readonly string[] }>

/** Runs test files without a mutant. Files that have not changed are not run again, unless the sources changed. */
export async function measureCoverage(tests: readonly string[]): Promise<TestCoverage[]> {
  const sources = hashFiles(['dist/src', 'dist/test/support', 'dist/scripts/mutate'], [])
  const stored = existsSync(CACHE) ? (JSON.parse(read(CACHE)) as TestCoverage[]) : []
  const known = new Map(stored.map((each) => [each.key, each]))
  return inParallel(tests, async (test, worker) => {
    const key = hash(sources, test, read(test))
    const found = known.get(key)
    if (found) return found
    await worker.run(writeRun('', listSources()), RUN_MS_MAX) // what a file does while it is loaded is not covered
    const startMs = Date.now()
    const failure = await worker.run(writeRun(RECORD, [test]), RUN_MS_MAX)
    if (failure !== undefined) console.error(`${test} fails without a mutant and is not used: ${firstFailure(failure)}`)
    const coverage = { key, test, ms: Date.now() - startMs, ids: failure === undefined ? readSeen(worker.pid()) : [] }
    if (failure === undefined) known.set(key, coverage)
    writeFileSync(CACHE, JSON.stringify([...known.values()]))
    return coverage
  })
}

/** Returns the ids of the mutants that are evaluated while files are loaded, for example those of constants. */
export async function findStatic(): Promise<Set<string>> {
  const worker = openWorker()
  await worker.run(writeRun(RECORD, listSources()), RUN_MS_MAX)
  const ids = new Set(readSeen(worker.pid()))
  worker.end()
  return ids
}

/**
 * Returns the tests that evaluate a mutant, fastest first. A mutant that is evaluated while its file is loaded is
 * covered by the tests that send statements with its SQL, or else run code of the file or of its folder.
 */
export function testsThatRun(
  mutant: Mutant,
  coverage: readonly TestCoverage[],
  staticIds: ReadonlySet<string>,
  statements: ReadonlyMap<string, string>,
): TestCoverage[] {
  const withIds = (isMatch: (id: string) => boolean): TestCoverage[] =>
    coverage.filter(({ ids }) => ids.some(isMatch)).sort((a, b) => a.ms - b.ms)
  if (!staticIds.has(mutant.id)) return withIds((id) => id === mutant.id)
  const { sql } = mutant
  const sending = sql === undefined ? [] : withIds((id) => statements.get(id)?.includes(sql) === true)
  if (sending.length > 0) return sending
  const inFile = withIds((id) => id.startsWith(`${mutant.path}:`) && !staticIds.has(id))
  return inFile.length > 0 ? inFile : withIds((id) => dirname(id) === dirname(mutant.path) && !staticIds.has(id))
}

/** Identifies the contents of all compiled files in some folders, and `others`. */
export function hashFiles(folders: readonly string[], others: readonly string[]): string {
  return hash(...folders.flatMap((folder) => filesIn(folder, '.js')).map(read), ...others)
}

function firstFailure(output: string): string {
  return /not ok [\s\S]{0,600}/.exec(output)?.[0] ?? output
}

function read(path: string): string {
  return readFileSync(path, 'utf8')
}

function hash(...texts: readonly string[]): string {
  return createHash('sha256').update(texts.join('\0')).digest('base64')
}
