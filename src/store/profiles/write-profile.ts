import { column, select, type Column } from '../../database/columns.ts'
import { assignments, runComposed, withParts, type Bind, type Part } from '../../database/composed.ts'
import { query, type Driver } from '../../database/query.ts'
import type { Bearer } from '../../domain/accounts/account.ts'
import type { AuditEvent } from '../../domain/audit/audit-context.ts'
import type { NewMail } from '../../domain/mail.ts'
import type { DomainEvent } from '../../domain/event.ts'
import type { Person } from '../../domain/profiles/profile.ts'
import { recordParts } from '../changes.ts'
import type { EventOptions } from '../events/outbox.ts'
import { fileParts, replacedColumns, type FileChanges, type Replaced } from '../files/parts.ts'
import { lawyerParts, NEW_LAWYER, type LawyerWrite } from './lawyers.ts'
import { toAccountRow, toPersonRow, type AccountFields } from './rows.ts'

/** The rows that a change of a profile writes. */
export type ProfileWrite = FileChanges &
  Readonly<{
    account: AccountFields
    person: Person
    lawyer: LawyerWrite | undefined
    auditEvents: readonly AuditEvent[]
    domainEvents: readonly DomainEvent[]
    eventOptions: EventOptions
    mails: readonly NewMail[]
  }>

export type Written = Replaced & Readonly<{ version: number }>

/**
 * Writes a change of a profile with its audit events, webhook events and e-mails in one statement, if the account still has
 * the version that the change was decided for.
 *
 * The statement locks the account and the session. If it waits for a lock, it reads these two rows again, but other rows
 * as they were at its start. They are current nevertheless, because every change of them increments the version.
 *
 * @param version the version of the profile that the change was decided for
 * @returns the version after the change; undefined if nothing was written, because the profile has another version, the
 * session has ended, or the account is suspended
 */
export async function writeProfile(
  driver: Driver,
  bearer: Bearer,
  version: number,
  write: ProfileWrite,
): Promise<Written | undefined> {
  return runComposed(driver, (bind) => {
    const changes = changeParts(write, bind)
    const parts = withParts([
      targetPart(bearer, version, bind),
      ...changes,
      ...recordParts(write, write.eventOptions, bind),
    ])
    const selection = select<Written>({ ...replacedColumns(write), version: countVersion(changes) })
    return query(selection, (list) => `${parts} SELECT ${list} FROM target`)
  })
}

/**
 * Returns the version after the statement. The triggers of the migration profile_version run later: they increment it once
 * for each part that has changed rows, and those parts return rows. They do not count the first data of a lawyer.
 */
function countVersion(changes: readonly Part[]): Column<number> {
  const counted = changes.filter(({ name }) => name !== NEW_LAWYER)
  const increments = counted.map(({ name }) => `EXISTS (SELECT FROM ${name})::int`)
  return column(['profile_version', ...increments].join(' + '))
}

function targetPart({ accountId, sessionId }: Bearer, version: number, bind: Bind): Part {
  const account = `a.id = ${bind(accountId)} AND a.status = 'active' AND a.profile_version = ${bind(version)}`
  const session = `s.id = ${bind(sessionId)}::uuid AND s.ended_at IS NULL`
  const sql = `
    SELECT a.id AS account_id, a.profile_version FROM accounts a JOIN sessions s ON s.account_id = a.id
    WHERE ${account} AND ${session} FOR UPDATE OF a, s`
  return { name: 'target', sql }
}

function changeParts(write: ProfileWrite, bind: Bind): Part[] {
  return [
    changePart('account', { table: 'accounts', key: 'id', row: toAccountRow(write.account) }, bind),
    changePart('person', { table: 'profiles', key: 'account_id', row: toPersonRow(write.person) }, bind),
    ...(write.lawyer ? lawyerParts(write.lawyer, bind) : []),
    ...fileParts(write, bind),
  ]
}

/** Returns an update that changes the row of the account if it differs, and returns a row if it does. */
function changePart(name: string, { table, key, row }: { table: string; key: string; row: object }, bind: Bind): Part {
  const { set, changes } = assignments('r', { ...row }, bind)
  const sql = `UPDATE ${table} r SET ${set} FROM target t WHERE r.${key} = t.account_id AND (${changes}) RETURNING 1`
  return { name, sql }
}
