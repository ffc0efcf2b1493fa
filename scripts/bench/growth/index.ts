// Fills a database of its own with very many accounts, and measures how long the statements of the operations take, beside
// the same with few accounts.
import { systemClock } from '../../../src/adapters/clock.ts'
import { openDatabase } from '../../../src/database/index.ts'
import { jsonLog } from '../../../src/lib/log.ts'
import { openStore } from '../../../src/store/index.ts'
import { markdownTable } from '../../generate/markdown.ts'
import { createScratchDatabase } from '../../load/database.ts'
import type { Session } from '../../load/session.ts'
import { median } from '../verdict.ts'
import { fill } from './fill.ts'
import { lists } from './lists.ts'
import { operations, type Measured } from './operations.ts'
import { statementTimes, type MeasureStatements } from './statements.ts'
import { chooseSubjects } from './subjects.ts'

const FEW = 10_000
const RATIO_MAX = 3
/** Shorter times differ by chance. */
const MS_MIN = 5

type Times = { middleMs: number; slowestMs: number; samples: number }

/** Compares a number of accounts with 10,000 of them, on the server of DATABASE_URL. */
export async function benchGrowth(session: Session, serverUrl: string, accounts: number): Promise<string> {
  const few = await measureAccounts(session, serverUrl, FEW)
  const many = await measureAccounts(session, serverUrl, accounts)
  return formatTable(few, many, accounts)
}

async function measureAccounts(session: Session, serverUrl: string, accounts: number): Promise<Map<string, Times>> {
  const url = await createScratchDatabase(session, serverUrl)
  console.error(`Adding ${accounts} accounts …`)
  const database = await openDatabase({ url, connectionsMax: 4 })
  const statements = statementTimes(database.pool)
  const store = openStore(database, { clock: systemClock, log: jsonLog('error'), hasWebhook: true })
  try {
    await store.addDemoAccounts()
    const first = await fill(database.pool, accounts)
    const subjects = await chooseSubjects(database.pool, first, accounts)
    const times = new Map<string, Times>()
    for (const measured of [...lists(store, subjects), ...operations(store, subjects)]) {
      times.set(measured.name, await measure(measured, statements))
    }
    return times
  } finally {
    await database.close()
  }
}

async function measure({ name, byStatement, run }: Measured, during: MeasureStatements): Promise<Times> {
  const samples: number[] = []
  await run(async (work) => {
    const results: Awaited<ReturnType<typeof work>>[] = []
    const times = await during(async () => results.push(await work()))
    samples.push(...(byStatement ? times : [times.reduce((sum, each) => sum + each, 0)]))
    const [result] = results
    return result as NonNullable<typeof result> // during has waited for the work
  }).catch((error: unknown) => {
    throw new Error(`cannot measure ${name}`, { cause: error })
  })
  return { middleMs: median(samples), slowestMs: Math.max(...samples), samples: samples.length }
}

function formatTable(few: Map<string, Times>, many: Map<string, Times>, accounts: number): string {
  const rows = [...many].map(([name, times]) => {
    const before = few.get(name)
    const ratio = times.middleMs / (before?.middleMs ?? Number.NaN)
    const isSlower = ratio > RATIO_MAX && times.middleMs > MS_MIN
    const figures = [before?.middleMs, before?.slowestMs, times.middleMs, times.slowestMs].map(
      (ms) => ms?.toFixed(1) ?? '-',
    )
    return [name, ...figures, times.samples, `${ratio.toFixed(1)}${isSlower ? ' !' : ''}`]
  })
  const title = `Database time in milliseconds, by page or call, with ${FEW} and with ${accounts} accounts`
  return `${title}\n\n${markdownTable(['', 'few', 'slowest', 'many', 'slowest', 'samples', 'ratio'], rows)}`
}
