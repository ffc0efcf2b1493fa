// Fills a database of its own with very many accounts, and measures how long the statements of the operations take, beside
// the same with few accounts.
import type pg from 'pg'
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

const FEW = 10_000
const RATIO_MAX = 3
/** Shorter times differ by chance. */
const MS_MIN = 5

/** The milliseconds of each sample of an operation */
type Times = ReadonlyMap<string, readonly number[]>

/** Compares a number of accounts with 10,000 of them, on the server of DATABASE_URL. */
export async function benchGrowth(session: Session, serverUrl: string, accounts: number): Promise<string> {
  const few = await measureAccounts(session, serverUrl, FEW)
  const many = await measureAccounts(session, serverUrl, accounts)
  return formatTable(few, many, accounts)
}

async function measureAccounts(session: Session, serverUrl: string, accounts: number): Promise<Times> {
  const url = await createScratchDatabase(session, serverUrl)
  console.error(`Adding ${accounts} accounts …`)
  const database = await openDatabase({ url, connectionsMax: 4 })
  const times = recordTimes(database.pool)
  const store = openStore(database, { clock: systemClock, log: jsonLog('error'), hasWebhook: true })
  try {
    await store.addDemoAccounts()
    const subjects = await fill(database.pool, accounts)
    const results = new Map<string, number[]>()
    for (const measured of [...lists(store, subjects), ...operations(store, subjects)]) {
      results.set(measured.name, await measure(measured, times))
    }
    return results
  } finally {
    await database.close()
  }
}

type Query = (...args: unknown[]) => unknown

/**
 * Returns a list to which the milliseconds of each statement on the connections of a pool are added. Must be called before
 * the pool opens its first connection.
 */
function recordTimes(pool: pg.Pool): number[] {
  const times: number[] = []
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as Query
    client.query = ((...args: unknown[]) => {
      const startMs = performance.now()
      const add = (): unknown => times.push(performance.now() - startMs)
      const callback = args.at(-1)
      if (typeof callback === 'function') {
        return query(...args.slice(0, -1), (...results: unknown[]) => {
          add()
          ;(callback as Query)(...results)
        })
      }
      const result = query(...args)
      if (result instanceof Promise) result.then(add, add)
      return result
    }) as typeof client.query
  })
  return times
}

async function measure({ name, byStatement, run }: Measured, times: number[]): Promise<number[]> {
  const samples: number[] = []
  await run(async (work) => {
    times.length = 0
    const result = await work()
    samples.push(...(byStatement ? times : [times.reduce((sum, each) => sum + each, 0)]))
    return result
  }).catch((error: unknown) => {
    throw new Error(`cannot measure ${name}`, { cause: error })
  })
  return samples
}

function formatTable(few: Times, many: Times, accounts: number): string {
  const describe = (samples?: readonly number[]): string[] =>
    samples ? [median(samples).toFixed(1), Math.max(...samples).toFixed(1)] : ['-', '-']
  const rows = [...many].map(([name, samples]) => {
    const before = few.get(name)
    const ratio = median(samples) / median(before ?? [])
    const isSlower = ratio > RATIO_MAX && median(samples) > MS_MIN
    return [
      name,
      ...describe(before),
      ...describe(samples),
      samples.length,
      `${ratio.toFixed(1)}${isSlower ? ' !' : ''}`,
    ]
  })
  const title = `Database time in milliseconds, by page or call, with ${FEW} and with ${accounts} accounts`
  return `${title}\n\n${markdownTable(['', 'few', 'slowest', 'many', 'slowest', 'samples', 'ratio'], rows)}`
}
