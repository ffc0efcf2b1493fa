import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

type Range = Readonly<{ startOffset: number; endOffset: number; count: number }>
type Report = { result: { url: string; functions: { ranges: Range[] }[] }[] }

/** A test file, how long it takes, and the ranges of each compiled file that it runs */
export type TestCoverage = Readonly<{ test: string; ms: number; ranges: ReadonlyMap<string, readonly Range[]> }>

/** Runs a test file in a process of its own, and reads what it covered (by the coverage of V8). */
export async function measureCoverage(test: string): Promise<TestCoverage> {
  const directory = mkdtempSync(join(tmpdir(), 'tawthiq-coverage-'))
  const startMs = Date.now()
  const child = spawn(process.execPath, [test], {
    stdio: 'ignore',
    env: { ...process.env, NODE_V8_COVERAGE: directory },
  })
  const [status] = (await once(child, 'close')) as [number | null]
  if (status !== 0) console.error(`${test} fails without a mutant and is not used`)
  const ranges = new Map<string, Range[]>()
  for (const name of status === 0 ? readdirSync(directory) : []) {
    const { result } = JSON.parse(readFileSync(join(directory, name), 'utf8')) as Report
    for (const { url, functions } of result.filter(({ url }) => url.startsWith('file:'))) {
      const path = relative(resolve('.'), fileURLToPath(url))
      ranges.set(path, [...(ranges.get(path) ?? []), ...functions.flatMap((each) => each.ranges)])
    }
  }
  rmSync(directory, { recursive: true })
  return { test, ms: Date.now() - startMs, ranges }
}

/** Returns the tests that run a place of a compiled file, fastest first. */
export function testsThatRun(path: string, offset: number, coverage: readonly TestCoverage[]): string[] {
  return coverage
    .filter(({ ranges }) => (innermost(ranges.get(path) ?? [], offset)?.count ?? 0) > 0)
    .sort((a, b) => a.ms - b.ms)
    .map(({ test }) => test)
}

function innermost(ranges: readonly Range[], offset: number): Range | undefined {
  const around = ranges.filter(({ startOffset, endOffset }) => startOffset <= offset && offset < endOffset)
  return around.sort((a, b) => a.endOffset - a.startOffset - (b.endOffset - b.startOffset) || b.count - a.count)[0]
}
