import type pg from 'pg'
import { NOT_STARTED, type ImportState, type ImportedAccount, type TakenIdentifiers } from '../../domain/import.ts'
import { withDatabaseErrors } from '../../database/outages.ts'
import { execute, queryRow, queryRows, type Driver } from '../../database/sql.ts'
import { importDriver, inTransaction, STATEMENT_MS_MAX } from './transaction.ts'
import { addFactors, findKnownPasskeys, readFactorSupport, type FactorSupport } from './factors.ts'
import { ADD, addParameter, FINISH, WRITE_STATE, STATE } from './sql.ts'
import { findTaken, readTaken } from './taken.ts'
import type { StoreParts } from '../changes.ts'

/** The import of one file. It uses one connection until it is closed. */
export type FileImport = {
  state(): Promise<ImportState>
  /** Returns which identifiers of each account are already taken. */
  taken(importedAccounts: readonly ImportedAccount[]): Promise<TakenIdentifiers[]>
  /**
   * Adds the accounts whose identifiers are free, with their second factors, and stores the new progress, all or nothing.
   *
   * @param next returns the new progress from the taken identifiers; called again if the transaction is retried
   * @throws OtherImport if another process imports the same file
   */
  add(
    importedAccounts: readonly ImportedAccount[],
    before: ImportState,
    next: (taken: readonly TakenIdentifiers[]) => Promise<ImportState>,
  ): Promise<ImportState>
  finish(): Promise<void>
  close(): Promise<void>
}

export type Imports = {
  /**
   * Opens the import of a file.
   *
   * @param fileHash SHA-256 of the file, in hexadecimal digits
   * @param isExclusive whether to lock the file against other imports
   * @throws OtherImport if another process has the lock
   */
  open(fileHash: string, isExclusive: boolean): Promise<FileImport>
  /** @param relyingParty the configured domain of passkeys; undefined if there is none */
  factorSupport(relyingParty: Readonly<{ id: string }> | undefined): Promise<FactorSupport>
}

/** Another process imports the same file. */
export class OtherImport extends Error {
  override readonly name = 'OtherImport'
}

/** Long enough for the database to release the lock of a killed process */
const LOCK_MS_MAX = 5000
/** Distinguishes these advisory locks from others in the database */
const LOCK_SPACE = 1_413_633_873
/** PostgreSQL: lock_not_available */
const LOCK_TIMEOUT = '55P03'

export function imports({ pool }: Pick<StoreParts, 'pool'>): Imports {
  return {
    async open(fileHash, isExclusive) {
      const client = await pool.connect()
      try {
        await client.query(`SET statement_timeout = ${STATEMENT_MS_MAX}`)
        if (isExclusive) await lock(client, fileHash)
        return withDatabaseErrors(fileImport(client, fileHash))
      } catch (error) {
        client.release(true)
        throw error
      }
    },
    factorSupport: (relyingParty) => readFactorSupport(pool, relyingParty),
  }
}

async function lock(client: pg.PoolClient, fileHash: string): Promise<void> {
  try {
    await client.query(`SET lock_timeout = ${LOCK_MS_MAX}`)
    const key = Buffer.from(fileHash, 'hex').readInt32BE()
    await execute(importDriver(client), 'SELECT pg_advisory_lock($1, $2)', LOCK_SPACE, key)
    await client.query('SET lock_timeout = 0')
  } catch (error) {
    // Without the cause, from which callers would conclude that the database is unavailable
    throw (error as { code?: string }).code === LOCK_TIMEOUT ? new OtherImport('another process has the lock') : error
  }
}

function fileImport(client: pg.PoolClient, fileHash: string): FileImport {
  const driver = importDriver(client)
  return {
    taken: (importedAccounts) => readTaken(driver, importedAccounts),
    state: () => readState(driver, fileHash),
    add: (importedAccounts, before, next) =>
      inTransaction(driver, async () => {
        const knownPasskeys = await findKnownPasskeys(driver, importedAccounts)
        const added = await queryRows(driver, ADD, addParameter(importedAccounts, knownPasskeys))
        await addFactors(driver, importedAccounts, added)
        const places = new Set(added.map(({ place }) => place))
        const state = await next(await findTaken(driver, importedAccounts, { added: places, knownPasskeys }))
        await writeState(driver, fileHash, before, state)
        return state
      }),
    async finish() {
      await execute(driver, FINISH, fileHash)
    },
    async close() {
      client.release(true) // closes the connection, which also releases its lock and settings
    },
  }
}

async function readState(driver: Driver, fileHash: string): Promise<ImportState> {
  const row = await queryRow(driver, STATE, fileHash)
  if (!row) return NOT_STARTED
  const { report, reportBytes, finishedAt, ...counts } = row
  return {
    ...counts,
    report: report === null ? undefined : { path: report, bytes: reportBytes },
    finishedAt: finishedAt ?? undefined,
  }
}

async function writeState(
  driver: Driver,
  fileHash: string,
  before: ImportState,
  { rows, imported, refused, reasons, report }: ImportState,
): Promise<void> {
  const values = [rows, imported, refused, JSON.stringify(reasons), report?.path ?? null, report?.bytes ?? 0]
  const count = await execute(driver, WRITE_STATE, fileHash, ...values, before.rows)
  if (count === 0) throw new OtherImport('another process has continued this import')
}
