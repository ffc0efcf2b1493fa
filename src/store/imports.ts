import type pg from 'pg'
import { NOT_BEGUN, type ImportState, type Newcomer, type Taken } from '../domain/import.ts'
import type { Database } from './database.ts'
import { translating } from './faults.ts'
import { ask, inTransaction, STATEMENT_MS_MAX } from './import-session.ts'
import { ADD, addParameter, FINISH, KEEP_STATE, STATE } from './import-sql.ts'
import { standing, takenOf } from './import-taken.ts'

/** What the import of one file needs. It has one connection from its beginning to its end. */
export type FileImport = {
  state(): Promise<ImportState>
  /** What of each of them belongs to an account already */
  taken(newcomers: readonly Newcomer[]): Promise<Taken[]>
  /**
   * Writes those whom nobody stands in the way of and how far the import has come then, all or nothing. `next` is told
   * what is taken, makes the new state of that, and may be asked again.
   *
   * @throws OtherImport when another process imports the same file
   */
  add(
    newcomers: readonly Newcomer[],
    before: ImportState,
    next: (taken: readonly Taken[]) => Promise<ImportState>,
  ): Promise<ImportState>
  finish(): Promise<void>
  close(): Promise<void>
}

export type Imports = {
  /**
   * @param fileHash SHA-256 of the file, in hexadecimal digits
   * @param isAlone whether nobody else may import this file meanwhile
   * @throws OtherImport when somebody does
   */
  open(fileHash: string, isAlone: boolean): Promise<FileImport>
}

/** Another process imports the same file. */
export class OtherImport extends Error {
  override readonly name = 'OtherImport'
}

/** A process that was killed holds its lock until the database has noticed. */
const LOCK_MS_MAX = 5000
/** Tells our advisory locks from those of others in the database. */
const LOCK_SPACE = 1_413_633_873
/** PostgreSQL: lock_not_available */
const LOCK_TIMEOUT = '55P03'

export function imports({ pool }: Database): Imports {
  return {
    async open(fileHash, isAlone) {
      const client = await pool.connect()
      client.on('error', () => undefined) // the statement that meets it tells
      try {
        await client.query(`SET statement_timeout = ${STATEMENT_MS_MAX}`)
        if (isAlone) await lock(client, fileHash)
        return translating(fileImport(client, fileHash))
      } catch (error) {
        client.release(true)
        throw error
      }
    },
  }
}

async function lock(client: pg.PoolClient, fileHash: string): Promise<void> {
  try {
    await client.query(`SET lock_timeout = ${LOCK_MS_MAX}`)
    await ask(client, 'SELECT pg_advisory_lock($1, $2)', [LOCK_SPACE, Buffer.from(fileHash, 'hex').readInt32BE()])
    await client.query('SET lock_timeout = 0')
  } catch (error) {
    throw (error as { code?: string }).code === LOCK_TIMEOUT
      ? new OtherImport('another process has the lock', { cause: error })
      : error
  }
}

function fileImport(client: pg.PoolClient, fileHash: string): FileImport {
  return {
    taken: (newcomers) => takenOf(client, newcomers),
    state: () => stateOf(client, fileHash),
    add: (newcomers, before, next) =>
      inTransaction(client, async () => {
        const added = await ask<{ place: number }>(client, ADD, [addParameter(newcomers)])
        const state = await next(await standing(client, newcomers, new Set(added.map(({ place }) => place))))
        await keepState(client, fileHash, before, state)
        return state
      }),
    async finish() {
      await ask(client, FINISH, [fileHash])
    },
    async close() {
      client.release(true) // with its lock and its settings
    },
  }
}

type StateRow = Omit<ImportState, 'report' | 'finishedAt'> & {
  report: string | null
  reportBytes: number
  finishedAt: Date | null
}

async function stateOf(client: pg.PoolClient, fileHash: string): Promise<ImportState> {
  const [row] = await ask<StateRow>(client, STATE, [fileHash])
  if (!row) return NOT_BEGUN
  const { report, reportBytes, finishedAt, ...counts } = row
  return {
    ...counts,
    report: report === null ? undefined : { path: report, bytes: reportBytes },
    finishedAt: finishedAt ?? undefined,
  }
}

async function keepState(
  client: pg.PoolClient,
  fileHash: string,
  before: ImportState,
  { rows, imported, refused, reasons, report }: ImportState,
): Promise<void> {
  const values = [rows, imported, refused, JSON.stringify(reasons), report?.path ?? null, report?.bytes ?? 0]
  const kept = await ask(client, KEEP_STATE, [fileHash, ...values, before.rows])
  if (kept.length === 0) throw new OtherImport('another process has gone on with this import')
}
