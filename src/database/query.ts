import type pg from 'pg'
import { createHash } from 'node:crypto'
import type { Selection } from './columns.ts'

/** A statement and the conversion of its rows. pg prepares a named statement once per connection. */
export type Query<Row> = Readonly<{ text: string; read: (row: unknown) => Row; name?: string }>

/** The pool, or a connection, which may be in a transaction */
export type Driver = { query(config: pg.QueryConfig): Promise<{ rows: unknown[]; rowCount: number | null }> }

/** @param build returns the statement; it must use the select list as that of its SELECT or RETURNING */
export function query<Row>(selection: Selection<Row>, build: (list: string) => string, name?: string): Query<Row> {
  return { text: build(selection.list), read: selection.read, ...(name !== undefined && { name }) }
}

export async function queryRows<Row>(
  driver: Driver,
  { text, read, ...named }: Query<Row>,
  ...values: readonly unknown[]
): Promise<Row[]> {
  const { rows } = await driver.query({ ...named, text, values: [...values] })
  return rows.map(read)
}

/** Returns the first row; undefined if there is none. */
export async function queryRow<Row>(
  driver: Driver,
  query: Query<Row>,
  ...values: readonly unknown[]
): Promise<Row | undefined> {
  return (await queryRows(driver, query, ...values))[0]
}

/** Returns the row of a statement that always returns one. */
export async function queryOnlyRow<Row>(
  driver: Driver,
  query: Query<Row>,
  ...values: readonly unknown[]
): Promise<Row> {
  const row = await queryRow(driver, query, ...values)
  if (!row) throw new Error('a statement that always returns a row has returned none')
  return row
}

/** Runs a statement and returns the number of rows that it has changed. */
export async function execute(driver: Driver, text: string, ...values: readonly unknown[]): Promise<number> {
  return (await driver.query({ text, values: [...values] })).rowCount ?? 0
}

const NAMES_MAX = 500

const names = new Map<string, string>()

/** Returns a name for a statement, so that PostgreSQL prepares it once per connection. Equal statements have equal names. */
export function nameStatement(sql: string): string {
  const name = names.get(sql) ?? `p${createHash('sha256').update(sql).digest('hex').slice(0, 24)}`
  if (names.size < NAMES_MAX) names.set(sql, name)
  return name
}

/** The SQLSTATE and the function of the server of a stale plan. The message depends on `lc_messages`. */
const STALE = { code: '0A000', routine: 'RevalidateCachedQuery' }
const CAUSES_MAX = 5

/** An error of Prisma, its driver adapter, pg or the system. The adapter's is not an Error, and has a kind. */
export type DatabaseError = {
  code?: string
  constraint?: string
  severity?: string
  /** Unknown to Prisma */
  routine?: string
  originalCode?: string
  kind?: string
  message?: string
  cause?: unknown
  meta?: { driverAdapterError?: unknown }
}

/** Returns an error and its causes. */
export function causesOf(error: unknown): DatabaseError[] {
  const causes: DatabaseError[] = []
  let fault = error
  while (isObject(fault) && causes.length < CAUSES_MAX) {
    causes.push(fault)
    fault = fault.meta?.driverAdapterError ?? fault.cause
  }
  return causes
}

function isObject(fault: unknown): fault is DatabaseError {
  return typeof fault === 'object' && fault !== null
}

/**
 * Returns whether an error says that the columns of a prepared statement have changed since it was prepared, as a
 * migration of another instance can do. Nothing of the statement was run.
 */
export function isStalePlan(error: unknown): boolean {
  return causesOf(error).some(
    ({ code, originalCode, routine = STALE.routine }) =>
      (code === STALE.code || originalCode === STALE.code) && routine === STALE.routine,
  )
}

/** Runs a whole transaction again if one of its plans was stale. */
export async function retryStalePlans<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    if (!isStalePlan(error)) throw error
    return run()
  }
}

type Callback = (error: Error | undefined, result?: pg.QueryResult) => void
type Send = {
  (config: unknown, values?: unknown): Promise<pg.QueryResult>
  (config: unknown, values: unknown, callback: Callback): void
}

/**
 * Prepares all statements of a pool again when one of them is stale: their names get the number of a new generation. A
 * statement outside a transaction is repeated. Connections of earlier generations are closed when they are released.
 */
export function renewStalePlans(pool: pg.Pool): void {
  let generation = 0
  const generations = new WeakMap<pg.PoolClient, number>()

  const renewed = (config: { name: string }): object =>
    generation === 0 ? config : { ...config, name: `${config.name}_${generation}` }
  const isRepeatable = (error: unknown, client: pg.PoolClient, sentIn: number): boolean => {
    if (!isStalePlan(error)) return false
    if (generation === sentIn) generation++ // later errors of the same generation have the same cause
    return client.getTransactionStatus() === 'I'
  }
  const wrap = (client: pg.PoolClient): void => {
    const send = client.query.bind(client) as unknown as Send // the overloads differ only in their types
    const sendNamed = (config: { name: string }, values: unknown, callback: Callback | undefined): unknown => {
      const sentIn = generation
      if (!callback) {
        return send(renewed(config), values).catch((error: unknown) => {
          if (isRepeatable(error, client, sentIn)) return send(renewed(config), values)
          throw error
        })
      }
      send(renewed(config), values, (error, result) => {
        if (error && isRepeatable(error, client, sentIn)) send(renewed(config), values, callback)
        else callback(error, result)
      })
      return undefined
    }
    const query = (config: unknown, values: unknown, callback: Callback): unknown =>
      isNamed(config) && typeof values !== 'function'
        ? sendNamed(config, values, callback)
        : send(config, values, callback)
    Object.assign(client, { query })
  }
  pool.on('connect', (client) => {
    generations.set(client, generation)
    wrap(client)
  })
  pool.on('release', (_error, client) => {
    if ((generations.get(client) ?? 0) < generation) void client.end()
  })
}

function isNamed(config: unknown): config is { name: string } {
  return typeof config === 'object' && config !== null && 'name' in config && typeof config.name === 'string'
}

/**
 * Returns an SQL array of the ids that a query selects. PostgreSQL may run a plain subquery once for each row of the
 * outer statement, and its LIMIT would then not limit the total.
 */
export function onceOnly(query: string): string {
  return `ARRAY(${query})`
}
