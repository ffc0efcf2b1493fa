import { assignments, runComposed, withParts, type Bind, type Part } from '../../database/composed.ts'
import type { Executor } from '../../database/query.ts'
import type { Bearer } from '../../domain/accounts/account.ts'
import type { AuditEvent } from '../../domain/audit/audit-context.ts'
import type { DomainEvent } from '../../domain/event.ts'
import type { Person } from '../../domain/profiles/profile.ts'
import { auditInsertFrom } from '../audit/rows.ts'
import { eventInsertFrom } from '../events/outbox.ts'
import { fileParts, selectReplaced, type FileChanges, type Replaced } from '../files/replace-files.ts'
import { lawyerParts, type LawyerWrite } from './lawyers.ts'
import { toAccountRow, toPersonRow, type AccountChange } from './rows.ts'

/** The rows that a change of a profile writes. */
export type ProfileWrite = FileChanges &
  Readonly<{
    account: AccountChange
    person: Person
    lawyer: LawyerWrite | undefined
    auditEvents: readonly AuditEvent[]
    domainEvents: readonly DomainEvent[]
    hasWebhook: boolean
  }>

/**
 * Writes a change of a profile with its audit events and its webhook events in one statement, if the account still has
 * the version that the change was decided for.
 *
 * The statement locks the account and the session. If it waits for a lock, it reads these two rows again, but other rows
 * as they were at its start. They are current nevertheless, because every change of them increments the version.
 *
 * @param version the version of the profile that the change was decided for
 * @returns undefined if nothing was written: the version is another one, the session has ended, or the account is
 * suspended
 */
export async function writeProfile(
  executor: Executor,
  bearer: Bearer,
  version: number,
  write: ProfileWrite,
): Promise<Replaced | undefined> {
  return runComposed(executor, selectReplaced(write), (list, bind) => {
    const parts = [targetPart(bearer, version, bind), ...personParts(write, bind), ...recordParts(write, bind)]
    return `${withParts(parts)} SELECT ${list} FROM target`
  })
}

function targetPart({ accountId, sessionId }: Bearer, version: number, bind: Bind): Part {
  const account = `a.id = ${bind(accountId)} AND a.status = 'active' AND a.profile_version = ${bind(version)}`
  const session = `s.id = ${bind(sessionId)}::uuid AND s.ended_at IS NULL`
  return [
    'target',
    `SELECT a.id AS account_id FROM accounts a JOIN sessions s ON s.account_id = a.id
    WHERE ${account} AND ${session} FOR UPDATE OF a, s`,
  ]
}

function personParts(write: ProfileWrite, bind: Bind): Part[] {
  const account = assignments(toAccountRow(write.account), bind)
  const person = assignments(toPersonRow(write.person), bind)
  return [
    ...(account === ''
      ? []
      : [['account', `UPDATE accounts SET ${account} FROM target t WHERE id = t.account_id`] as const]),
    ['person', `UPDATE profiles p SET ${person} FROM target t WHERE p.account_id = t.account_id`],
    ...(write.lawyer ? lawyerParts(write.lawyer, bind) : []),
    ...fileParts(write, bind),
  ]
}

function recordParts({ auditEvents, domainEvents, hasWebhook }: ProfileWrite, bind: Bind): Part[] {
  return [
    ...(auditEvents.length > 0 ? [['audited', auditInsertFrom('target', auditEvents, bind)] as const] : []),
    ['enqueued', eventInsertFrom('target', bind, { domainEvents, hasWebhook })],
  ]
}
