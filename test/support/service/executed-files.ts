// Counts the source files that a request executes, by the coverage of V8.
import { Session, type Profiler } from 'node:inspector/promises'
import { sep } from 'node:path'

const SOURCES = `${sep}dist${sep}src${sep}`.replaceAll(sep, '/')
/** What runs at intervals is not part of the request: a file counts if it runs in each of these rounds. */
const ROUNDS = 4

/** Sends a request repeatedly, and returns the source files that run each time. The first request warms up. */
export async function executedFiles(request: () => Promise<unknown>): Promise<string[]> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  try {
    await request()
    const rounds: Set<string>[] = []
    while (rounds.length < ROUNDS) {
      await session.post('Profiler.takePreciseCoverage') // resets the counts
      await request()
      const { result } = await session.post('Profiler.takePreciseCoverage')
      rounds.push(new Set(result.filter(hasRun).map(({ url }) => url.slice(url.indexOf(SOURCES) + SOURCES.length))))
    }
    const [first, ...others] = rounds
    return [...(first ?? [])].filter((file) => others.every((round) => round.has(file))).sort()
  } finally {
    await session.post('Profiler.stopPreciseCoverage')
    session.disconnect()
  }
}

function hasRun({ url, functions }: Profiler.ScriptCoverage): boolean {
  return url.includes(SOURCES) && functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
}
