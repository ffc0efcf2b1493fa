import type pg from 'pg'

type Waiting<Row> = { resolve: (row: Row | undefined) => void; reject: (error: unknown) => void }

/** Enough to keep a connection busy while the rows of another one are read. */
const QUERIES_IN_FLIGHT_MAX = 2

/**
 * Reads rows by key, all that are asked for while a query is under way in the next one. Under load this is what makes
 * it affordable to read the state behind a token on every request: the cost of a query is shared by its keys.
 *
 * A row is always read after it was asked for. When a query fails, those who wait for the next one fail with it, so
 * that nobody waits for a database twice.
 *
 * @param text a query whose only parameter is the list of keys, and whose column `key` says which key a row is for
 */
export function batched<Row extends { key: string }>(
  pool: pg.Pool,
  name: string,
  text: string,
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
    pool.query<Row>({ name, text, values: [[...batch.keys()]] }, (error: Error | undefined, result) => {
      inFlight--
      if (error) {
        rejectAll(batch, error)
        rejectAll(takeWaiting(), error)
        return
      }
      resolveAll(batch, result.rows)
      schedule()
    })
  }
  return (key) =>
    new Promise((resolve, reject) => {
      const others = waiting.get(key)
      if (others) others.push({ resolve, reject })
      else waiting.set(key, [{ resolve, reject }])
      schedule()
    })
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
