// Changes of an account. A change locks the account with one statement, decides, and then writes: a single statement would
// lock the account too, but not see rows that were added while it waited for the lock.
import type { Prisma } from '../../generated/prisma/client.ts'
import { query, type Columns, type Driver } from '../database/sql.ts'
import { runComposed, withParts, type Assigned, type Bind, type Part } from '../database/composed.ts'
import type { Database } from '../database/index.ts'
import { inModelTransaction, inTransaction } from '../database/transaction.ts'
import type { AccountType } from '../domain/accounts/account.ts'
import type { AuditEvent } from '../domain/audit/audit-context.ts'
import type { Clock } from '../domain/clock.ts'
import type { DomainEvent } from '../domain/event.ts'
import type { NewMail } from '../domain/mail.ts'
import type { ReviewStatus } from '../domain/profiles/profile.ts'
import type { Log } from '../lib/log.ts'
import { logAuditEvents, auditInsertFrom } from './audit/index.ts'
import { eventInsert, type OutboxOptions, type Outgoing } from './events/outbox.ts'
import { mailParts } from './mails/rows.ts'

/**
 * What a change writes. Its parts refer to the account as the row `target (account_id)`.
 */
export type Written<Row> = Readonly<{
  parts?: (bind: Bind) => readonly Part[]
  /** A condition without which `target` is empty, and nothing that reads it is written */
  onlyIf?: (bind: Bind) => string
  /** The columns of the returned row, over `from` */
  columns?: Columns<Row> | undefined
  /** The rows to return: `target`, unless another part is joined */
  from?: string
  auditEvents?: readonly AuditEvent[]
  domainEvents?: readonly DomainEvent[]
  /** Whether webhooks receive the profile as updated, for a change of neither the account type nor the review status */
  isUpdate?: boolean
  mails?: readonly NewMail[]
}>

export type Change = Readonly<{
  transaction: Driver
  /**
   * Writes rows of an account together with audit events, webhook events and e-mails in one statement. All parts see the
   * rows of its start, so two of them must not write the same row.
   *
   * @param accountId null for a change that is only recorded
   * @returns the row of `columns`; undefined if nothing was written
   */
  write<Row = object>(accountId: number | null, written: Written<Row>): Promise<Row | undefined>
  /** Adds the audit events, webhook events and e-mails of a change that has written its rows. */
  record(accountId: number, records: Records): Promise<void>
}>

/** A change that is rare, so that it writes its rows with Prisma, one statement after the other */
export type ModelChange = Change &
  Readonly<{
    /** Prisma's models in the transaction */
    tx: Prisma.TransactionClient
  }>

/** Runs a change in a transaction, and logs its audit events after the commit. An error rolls it back. */
export type InChange = <Result>(work: (change: Change) => Promise<Result>) => Promise<Result>
export type InModelChange = <Result>(work: (change: ModelChange) => Promise<Result>) => Promise<Result>

/** What the areas of the store are opened with. */
export type StoreParts = Readonly<
  Pick<Database, 'pool' | 'prisma'> & {
    clock: Clock
    log: Log
    outbox: OutboxOptions
    inChange: InChange
    inModelChange: InModelChange
  }
>

type Changes = Pick<StoreParts, 'inChange' | 'inModelChange'>
type Done<Result> = Readonly<{ result: Result; recorded: readonly AuditEvent[]; added: ReadonlySet<Outgoing> }>

export function accountChanges({ pool, prisma, log, outbox }: Omit<StoreParts, keyof Changes>): Changes {
  const run = async <Result>(transaction: Driver, work: (change: Change) => Promise<Result>): Promise<Done<Result>> => {
    const recorded: AuditEvent[] = []
    const added = new Set<Outgoing>()
    const write: Change['write'] = async (accountId, written) => {
      const row = await runWrite(transaction, accountId, written, outbox)
      if (row) recorded.push(...(written.auditEvents ?? []))
      if (written.isUpdate || written.domainEvents) added.add('events')
      if (written.mails && written.mails.length > 0) added.add('mails')
      return row
    }
    const record: Change['record'] = async (accountId, records) => {
      await write(accountId, records)
    }
    return { result: await work({ transaction, write, record }), recorded, added }
  }
  const finish = <Result>({ result, recorded, added }: Done<Result>): Result => {
    logAuditEvents(recorded, log)
    for (const each of added) outbox.onCommit(each)
    return result
  }
  return {
    inChange: async (work) => finish(await inTransaction(pool, (transaction) => run(transaction, work))),
    inModelChange: async (work) =>
      finish(await inModelTransaction(prisma, ({ tx, driver }) => run(driver, (change) => work({ ...change, tx })))),
  }
}

async function runWrite<Row>(
  transaction: Driver,
  accountId: number | null,
  { parts, onlyIf, columns, from = 'target', ...records }: Written<Row>,
  outbox: OutboxOptions,
): Promise<Row | undefined> {
  return runComposed(transaction, (bind) => {
    const condition = onlyIf ? ` WHERE ${onlyIf(bind)}` : ''
    const target = {
      name: 'target',
      sql: `SELECT ${bind(accountId)}::int AS account_id, service_now() AS now${condition}`,
    }
    const all = withParts([target, ...(parts?.(bind) ?? []), ...recordParts(records, outbox, bind)])
    const selected = columns ?? ({} as Columns<Row>) // without columns, a row has no members
    return query(selected, (list) => `${all} SELECT ${list} FROM ${from}`)
  })
}

type Records = Pick<Written<unknown>, 'auditEvents' | 'domainEvents' | 'isUpdate' | 'mails'>

/** Returns the parts that add audit events, webhook events and e-mails. */
export function recordParts(
  { auditEvents = [], domainEvents = [], isUpdate = false, mails = [] }: Records,
  outbox: OutboxOptions,
  bind: Bind,
): Part[] {
  return [
    ...(auditEvents.length > 0 ? [{ name: 'audited', sql: auditInsertFrom('target', auditEvents, bind) }] : []),
    ...(domainEvents.length > 0 ? [addDomainEvents(domainEvents, bind, outbox)] : []),
    ...(isUpdate ? [addProfileUpdated(bind, outbox)] : []),
    ...mailParts('target', mails, outbox.traceParent(), bind),
  ]
}

function addDomainEvents(domainEvents: readonly DomainEvent[], bind: Bind, outbox: OutboxOptions): Part {
  const rows = `
    SELECT e->>'type' AS type, (e->'data'->>'account_id')::int AS account_id, e->'data' AS data
    FROM target, jsonb_array_elements(${bind(JSON.stringify(domainEvents))}::jsonb) AS e`
  return { name: 'enqueued', sql: eventInsert(rows, bind, outbox) }
}

/**
 * Returns the part of a change that updates the row of the account, with values in SQL, which may depend on the row `a`.
 *
 * @param returning the columns that the part returns
 */
export function setAccount(values: Assigned, returning?: string): Part {
  const set = Object.entries(values).map(([column, value]) => `${column} = ${value}`)
  const sql = `UPDATE accounts a SET ${set.join(', ')} FROM target t WHERE a.id = t.account_id`
  return { name: 'account', sql: returning === undefined ? sql : `${sql} RETURNING ${returning}` }
}

/** Returns the part that deletes the rows of the account in a table. */
export function deleteRows(name: string, table: string): Part {
  return { name, sql: `DELETE FROM ${table} r USING target t WHERE r.account_id = t.account_id` }
}

/** The state of an account after its update. `reviewStatus` is null without lawyer's data. */
type UpdatedAccount = Readonly<{ accountType: AccountType; reviewStatus: ReviewStatus | null }>

/** Builds the webhook event of an updated profile. A client has no review status. */
export function toProfileUpdated(accountId: number, { accountType, reviewStatus }: UpdatedAccount): DomainEvent {
  const review = accountType === 'lawyer' ? (reviewStatus ?? 'pending') : null
  return { type: 'profile.updated', data: { account_id: accountId, account_type: accountType, review_status: review } }
}

/** Returns the part that adds this event for a change of neither the account type nor the review status. */
function addProfileUpdated(bind: Bind, outbox: OutboxOptions): Part {
  const rows = `
    SELECT 'profile.updated' AS type, a.id AS account_id, jsonb_build_object(
      'account_id', a.id, 'account_type', a.account_type,
      'review_status', CASE WHEN a.account_type = 'lawyer' THEN coalesce(l.review_status, 'pending') END) AS data
    FROM target t JOIN accounts a ON a.id = t.account_id LEFT JOIN lawyer_profiles l ON l.account_id = a.id`
  return { name: 'announced', sql: eventInsert(rows, bind, outbox) }
}
