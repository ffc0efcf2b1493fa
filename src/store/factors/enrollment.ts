// What all second factors share when they are added and removed.
import type { Bind, Part } from '../../database/composed.ts'
import { NOW } from '../../database/query.ts'
import type { FactorOwner } from '../../domain/accounts/account.ts'
import type { AuditContext } from '../../domain/audit/audit-context.ts'
import { Failure } from '../../domain/failure.ts'
import type { NewMail } from '../../domain/mail.ts'
import { setAccount, type LockedOwnAccount } from '../accounts/lock-account.ts'
import { deleteRows, type Change } from '../changes.ts'
import { revoke } from '../revocation/index.ts'

/** What a change records: the audit context of its event, and the e-mails about it */
export type Records = Readonly<{ auditContext: AuditContext; toMails: (owner: Notified) => readonly NewMail[] }>

/** The owner of changed factors. An undone change leaves no previous addresses to notify. */
type Notified = Pick<FactorOwner, 'accountId' | 'email'> & Partial<FactorOwner>

/** An operator enables second factors with a command, when no version runs that would ignore them. */
export const IS_ENABLED = `EXISTS (SELECT FROM enabled_features WHERE name = 'second-factors')`

/** Without one, an owner who has lost the factor could not get the account back. */
export function requireVerifiedContact({ hasVerifiedContact }: Pick<LockedOwnAccount, 'hasVerifiedContact'>): void {
  if (!hasVerifiedContact) throw new Failure('verified_contact_required')
}

/**
 * Sessions and tokens that a password alone has proven end, except the session that adds the factor. A reset that has ended
 * the previous factors ends too.
 */
export function revokeAtEnrollment(sessionId: string, bind: Bind): Part[] {
  return revoke({ assigned: { factors_since: NOW, factors_reset_at: 'NULL' }, except: sessionId }, bind)
}

/**
 * Returns the parts that end the protection of an account after the removal of a factor, unless another one remains.
 *
 * @param remains the condition that the account `t` has another one
 */
export function endFactors(remains: string): Part[] {
  return [
    deleteRows('deleted_factors', 'second_factors', `NOT ${remains}`),
    setAccount({
      factors_since: `CASE WHEN ${remains} THEN a.factors_since END`,
      factors_reset_at: `CASE WHEN ${remains} THEN a.factors_reset_at END`,
    }),
  ]
}

export const DELETE_PASSKEYS = deleteRows('deleted_passkeys', 'passkeys')

/** Deletes all that is stored of the second factors of an account. */
export const DELETE_FACTORS: readonly Part[] = [DELETE_PASSKEYS, deleteRows('deleted_factors', 'second_factors')]

/**
 * Removes the second factors that were added after a time, with the change that an owner undoes. What the thief of a session or
 * of a number has added is younger than the factors of the owner, which remain.
 *
 * @param since the time, as an expression
 */
export async function removeFactorsSince(
  write: Change['write'],
  owner: Notified,
  { since, auditContext, toMails }: Records & { since: (bind: Bind) => string },
): Promise<void> {
  const { accountId } = owner
  await write(accountId, {
    onlyIf: (bind) => isAdded(bind(accountId), 'after', since(bind)),
    parts: (bind) => {
      const remains = isAdded('t.account_id', 'before', since(bind))
      const passkeys = deleteRows('deleted_passkeys', 'passkeys', `r.created_at > ${since(bind)}`)
      return [passkeys, forgetTotpSince(since(bind), remains), ...endFactors(remains)]
    },
    auditEvents: [{ event: 'factors_removed', accountId, ...auditContext }],
    mails: toMails(owner),
  })
}

/** Whether an account has a factor that was added before a time, or after it. An app without a time counts as older. */
function isAdded(accountId: string, order: 'before' | 'after', since: string): string {
  const [passkey, totp] =
    order === 'after'
      ? [`created_at > ${since}`, `totp_confirmed_at > ${since}`]
      : [`created_at <= ${since}`, `totp_secret IS NOT NULL AND totp_confirmed_at > ${since} IS NOT TRUE`]
  return `(EXISTS (SELECT FROM passkeys WHERE account_id = ${accountId} AND ${passkey})
    OR EXISTS (SELECT FROM second_factors WHERE account_id = ${accountId} AND ${totp}))`
}

/** The recovery codes end too, because a thief who can add a factor can renew them. */
function forgetTotpSince(since: string, condition: string): Part {
  const unless = (column: string): string =>
    `${column} = CASE WHEN f.totp_confirmed_at > ${since} THEN NULL ELSE f.${column} END`
  const sql = `
    UPDATE second_factors f SET ${unless('totp_secret')}, ${unless('totp_confirmed_at')}, totp_pending = NULL, recovery_codes = '{}'
    FROM target t WHERE f.account_id = t.account_id AND ${condition}`
  return { name: 'forgotten_totp', sql }
}
