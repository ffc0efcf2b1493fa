import type pg from 'pg'
import { statementSpan, findTracer } from './connection/observed-pool.ts'
import type { Query } from './sql.ts'

type Waiting<Row> = { resolve: (row: Row | undefined) => void; reject: (error: unknown) => void }

/** Two queries: one runs while the rows of the other one are read. */
const QUERIES_IN_FLIGHT_MAX = 2

/**
 * Reads rows by key, and combines the reads that are requested while a query is running into the next query. Under
 * load, many reads share the cost of one query, so that every request can afford to read the state of its access token.
 *
 * The query of a row always starts after the row was requested. When a query fails, the reads that wait for the next
 * query fail with it, so that no request waits for an unavailable database twice.
 *
 * @param query a query whose only parameter is the list of keys, and whose column `key` is the key of each row
 */
export function batched<Row extends { key: string }>(
  pool: pg.Pool,
  { text, read: toRow, ...named }: Query<Row>,
): (key: string) => Promise<Row | undefined> {
  let waiting = new Map<string, Waiting<Row>[]>()
  let inFlight = 0
  let scheduled = false

  const schedule = (): void => {
    if (scheduled || inFlight >= QUERIES_IN_FLIGHT_MAX || waiting.size === 0) return
    scheduled = true
    setImmediate(run)
  }
  const takeWaiting = (): Map<string, Waiting<Row>[]> => {
    const taken = waiting
    waiting = new Map()
    return taken
  }
  const run = (): void => {
    scheduled = false
    inFlight++
    const batch = takeWaiting()
    pool.query<object>({ ...named, text, values: [[...batch.keys()]] }, (error: Error | undefined, result) => {
      inFlight--
      if (error) {
        rejectAll(batch, error)
        rejectAll(takeWaiting(), error)
        return
      }
      resolveAll(batch, result.rows.map(toRow))
      schedule()
    })
  }
  const read = (key: string): Promise<Row | undefined> =>
    new Promise((resolve, reject) => {
      const others = waiting.get(key)
      if (others) others.push({ resolve, reject })
      else waiting.set(key, [{ resolve, reject }])
      schedule()
    })
  return tracedRead(pool, { text, ...named }, read)
}

/** Traces each read of a batch, because each belongs to another request. Its span includes the wait for the batch. */
function tracedRead<Row>(pool: pg.Pool, statement: object, read: (key: string) => Promise<Row>): typeof read {
  const tracer = findTracer(pool)
  if (!tracer) return read
  const { name, options } = statementSpan(statement)
  return (key) => tracer.trace(name, options, () => read(key))
}

function resolveAll<Row extends { key: string }>(batch: Map<string, Waiting<Row>[]>, rows: Row[]): void {
  const found = new Map(rows.map((row) => [row.key, row]))
  for (const [key, list] of batch) {
    const row = found.get(key)
    for (const { resolve } of list) resolve(row)
  }
}

function rejectAll<Row>(batch: Map<string, Waiting<Row>[]>, error: unknown): void {
  for (const list of batch.values()) for (const { reject } of list) reject(error)
}

/**
 * Combines the writes that are requested while another one runs into the next one.
 *
 * @param write writes all items; if it fails, each of them fails with the same error
 */
export function batchedWrites<Item>(
  write: (items: readonly Item[]) => Promise<unknown>,
): (item: Item) => Promise<void> {
  let previous: Promise<unknown> = Promise.resolve()
  let waiting: { items: Item[]; written: Promise<void> } | undefined

  const writeAfter = async (earlier: Promise<unknown>, items: readonly Item[]): Promise<void> => {
    await Promise.allSettled([earlier]) // also waits without one, for items of the same turn
    waiting = undefined
    await write(items)
  }
  return (item) => {
    if (waiting) {
      waiting.items.push(item)
      return waiting.written
    }
    const items = [item]
    const written = writeAfter(previous, items)
    waiting = { items, written }
    previous = written
    return written
  }
}
