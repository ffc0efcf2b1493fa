import type { Contact } from '../../domain/accounts/account.ts'
import type { AccountState, AdminAction } from '../../domain/accounts/administration.ts'
import { isReleased } from '../../domain/accounts/recovery.ts'
import type { Decision } from '../../domain/profiles/review.ts'
import type { NewMail } from '../../domain/mail.ts'
import type { Completion } from '../../domain/idempotency.ts'
import type { AuditEvent } from '../../domain/audit/audit-context.ts'
import { complete } from '../idempotency/index.ts'
import { execute, query, queryOnlyRow, queryRow, table } from '../../database/sql.ts'
import type { Assigned } from '../../database/composed.ts'
import { storeEnrollmentCode } from '../factors/enrollment-codes.ts'
import { endProtection, forgetRemoved } from '../factors/enrollment.ts'
import { findProtected, scheduleReset, type Notified, type PendingReset } from '../factors/resets.ts'
import { CANCEL_RESET, cancelledReset, HAS_FACTOR } from '../factors/state.ts'
import { lockAndAuthorizeTarget, type Target } from './lock-target.ts'
import { revoke } from '../revocation/index.ts'
import type { Change, InModelChange, ModelChange, StoreParts } from '../changes.ts'
import { VERIFY_EMAIL } from '../recovery/identifiers.ts'
import { STATE } from './users.ts'
import { writeReview } from './write-review.ts'

/**
 * Actions of administrators on accounts. Each action and its audit event are one transaction. An action that changes
 * nothing records no event, and one that changes something is a revocation, except a review.
 *
 * @throws Failure 401 `token_revoked`, 403 `admin_required`, `mfa_enrollment_required` or `reauthentication_required`, 404
 * `user_unknown`, 422 on `user_id` if it is the actor's own account or cannot be reviewed, 422 on `review_version` if it is
 * outdated
 */
export type Administration = {
  /** Suspends an account. */
  suspend(action: AdminAction, completion?: Completion<AccountState>): Promise<AccountState>
  /**
   * Restores a suspended account.
   *
   * @param toLinkMails composes the link that sets a new password, for an owner who has undone changes during the suspension
   */
  restore(action: AdminAction, toLinkMails?: ToLinkMails, completion?: Completion<AccountState>): Promise<AccountState>
  review(
    action: Omit<AdminAction, 'reason'>,
    decision: Decision & { note: string | null },
    completion?: Completion<undefined>,
  ): Promise<undefined>
  /** Grants or revokes administrator privileges. Returns whether anything has changed. */
  setAdmin(action: AdminAction, isAdmin: boolean): Promise<boolean>
  /**
   * Marks the e-mail address as verified, after an operator has checked the identity of its owner. Returns false if the account
   * has none, because it was released.
   */
  verifyEmail(action: AdminAction): Promise<boolean>
  /** Removes all second factors, after an operator has checked the identity of the owner. Returns whether there were any. */
  resetFactors(action: AdminAction, toMails: ToMails): Promise<boolean>
  /** Gives an administrator without a second factor the code that the first one requires, in place of the previous code. */
  issueEnrollmentCode(action: AdminAction, codeHash: Uint8Array): Promise<IssuedCode>
  /**
   * Schedules a reset of the second factors, unless an earlier one is pending.
   *
   * @throws Failure 409 `second_factor_missing`
   */
  scheduleFactorReset(
    action: AdminAction,
    notice: ResetNotice,
    completion?: Completion<PendingReset>,
  ): Promise<PendingReset>
}

export type IssuedCode = 'issued' | 'not_an_administrator' | 'has_factor'

/** Composes the e-mails to the owner, and to the administrators if the owner is one. */
type ToMails = (owner: Contact, isAdmin: boolean) => readonly NewMail[]

type ResetNotice = Readonly<{
  /** The hash of the token that cancels the reset */
  cancelHash: Uint8Array<ArrayBuffer>
  toMails: (owner: Notified, resetAt: Date, isAdmin: boolean) => readonly NewMail[]
}>

/** What each audit event of an action has */
export type About = Omit<AuditEvent, 'event'> & { accountId: number }

/** The events of a change of status, and what it writes. A suspension cancels a pending reset of the second factors. */
const STATUS_CHANGES = {
  suspended: {
    event: 'user_suspended',
    type: 'account.suspended',
    assigned: { suspended_at: 'service_now()', ...CANCEL_RESET },
  },
  active: { event: 'user_restored', type: 'account.restored', assigned: { suspended_at: 'NULL' } },
} as const

const READ_STATE = query(STATE, (list) => `SELECT ${list} FROM accounts a WHERE a.id = $1`, 'account-state')

/** The owner of a suspended account who has undone changes: that replaces the password by an unknown one, and sends no link that sets one. */
const WITHOUT_PASSWORD = query(
  { email: table('Account', 'a').email },
  (list) => `
    SELECT ${list} FROM accounts a WHERE a.id = $1 AND EXISTS (
      SELECT FROM audit_events e WHERE e.account_id = a.id AND e.at >= a.suspended_at
        AND e.event IN ('changes_undone', 'email_change_undone'))`,
)

type ToLinkMails = (email: string) => readonly NewMail[]

type Perform = <Result>(
  action: AdminAction,
  change: (change: ModelChange, target: Target, about: About) => Promise<Result>,
  completion?: Completion<Result>,
) => Promise<Result>

/** Returns a function that locks an account and changes it. */
function performing(inModelChange: InModelChange): Perform {
  return ({ accountId, actor, reason, auditContext }, perform, completion) =>
    inModelChange(async (change) => {
      const target = await lockAndAuthorizeTarget(change, { accountId, actor })
      const actorId = actor === 'command line' ? {} : { actorId: actor.accountId }
      const result = await perform(change, target, { accountId, ...actorId, reason, ...auditContext })
      if (completion) await complete(change.transaction, completion, result)
      return result
    })
}

export function administration({ inModelChange }: StoreParts): Administration {
  const perform = performing(inModelChange)
  const setStatus = (
    to: AccountState['status'],
    action: AdminAction,
    completion?: Completion<AccountState>,
    toLinkMails?: ToLinkMails,
  ): Promise<AccountState> =>
    perform(
      action,
      async (change, target, about) => {
        const { transaction } = change
        if (target.status !== to) {
          const owner = toLinkMails && (await queryRow(transaction, WITHOUT_PASSWORD, target.id))
          await writeStatus(change, to, target, { ...about, mails: owner ? toLinkMails(owner.email) : [] })
        }
        return queryOnlyRow(transaction, READ_STATE, target.id)
      },
      completion,
    )
  return {
    suspend: (action, completion) => setStatus('suspended', action, completion),
    restore: (action, toLinkMails, completion) => setStatus('active', action, completion, toLinkMails),
    review: (action, { note, ...decision }, completion) =>
      perform(
        { ...action, reason: note },
        (change, { id }, about) => writeReview(change, id, decision, about),
        completion,
      ),
    setAdmin: (action, isAdmin) =>
      perform(action, async (change, target, about) => {
        const { id, isAdmin: wasAdmin } = target
        if (wasAdmin === isAdmin) return false
        const revoked = await revoke(change, id, { askedBy: null, assigned: adminUpdate(isAdmin) }, { isAdmin })
        if (isAdmin) await execute(change.transaction, UNVOUCH_REMOVED, id)
        await change.record(id, {
          ...revoked,
          auditEvents: [
            { event: isAdmin ? 'admin_granted' : 'admin_revoked', ...about },
            ...cancelledReset(target, about),
          ],
        })
        return true
      }),
    ...checkedByOperator(perform),
  }
}

/** Factors from before the grant do not count either if an undo restores them. */
const UNVOUCH_REMOVED = `
  UPDATE email_tokens SET factors = jsonb_set(factors, '{account,factors_vouched}', 'false')
  WHERE account_id = $1 AND factors IS NOT NULL`

/** Changes for a user whose identity an operator has checked. */
function checkedByOperator(
  perform: Perform,
): Pick<Administration, 'verifyEmail' | 'resetFactors' | 'scheduleFactorReset' | 'issueEnrollmentCode'> {
  return {
    verifyEmail: (action) =>
      perform(action, async (change, { id }, about) => {
        const { email } = await change.tx.account.findUniqueOrThrow({ where: { id }, select: { email: true } })
        if (isReleased(email)) return false
        const revoked = await revoke(change, id, { askedBy: null, assigned: VERIFY_EMAIL })
        await change.record(id, { ...revoked, auditEvents: [{ event: 'email_marked_verified', ...about }] })
        return true
      }),
    resetFactors: (action, toMails) =>
      perform(action, async (change, { id, isAdmin }, about) => {
        const owner = await findProtected(change, id)
        if (!owner) return false
        await endProtection(change, id)
        await forgetRemoved(change, id)
        const revoked = await revoke(change, id, { askedBy: null })
        await change.record(id, {
          ...revoked,
          auditEvents: [{ event: 'factors_removed', ...about }],
          mails: toMails(owner, isAdmin),
        })
        return true
      }),
    issueEnrollmentCode: (action, codeHash) =>
      perform(action, async (change, { id, isAdmin, hasFactor }, about) => {
        if (!isAdmin) return 'not_an_administrator'
        if (hasFactor) return 'has_factor'
        await storeEnrollmentCode(change, id, codeHash)
        await change.record(id, { auditEvents: [{ event: 'enrollment_code_issued', ...about }] })
        return 'issued'
      }),
    scheduleFactorReset: (action, { cancelHash, toMails }, completion) =>
      perform(
        action,
        async (change, { id, isAdmin }, about) => {
          const event = { event: 'factor_reset_scheduled', ...about } as const
          const ofTarget = (owner: Notified, resetAt: Date): readonly NewMail[] => toMails(owner, resetAt, isAdmin)
          return scheduleReset(change, id, { event, cancelHash, toMails: ofTarget })
        },
        completion,
      ),
  }
}

/** Writes the status with a revocation, on restoring too. */
async function writeStatus(
  change: Change,
  to: AccountState['status'],
  target: Target,
  { mails, ...about }: About & { mails: readonly NewMail[] },
): Promise<void> {
  const { event, type, assigned } = STATUS_CHANGES[to]
  const { accountId, reason = null } = about
  const fields = { status: to, suspensionReason: to === 'suspended' ? reason : null }
  await revoke(change, accountId, { askedBy: null, assigned }, fields)
  await change.record(accountId, {
    auditEvents: [{ event, ...about }, ...(to === 'suspended' ? cancelledReset(target, about) : [])],
    domainEvents: [{ type, data: { account_id: accountId } }],
    mails,
  })
}

/**
 * Administrators cannot reset their factors themselves, so a change of the privileges cancels a pending reset. Factors from before do
 * not count: they can be those of a thief, who would get the privileges.
 */
function adminUpdate(isAdmin: boolean): Assigned {
  return { factors_vouched: isAdmin ? `NOT ${HAS_FACTOR}` : 'true', ...CANCEL_RESET }
}
