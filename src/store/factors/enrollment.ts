// What all second factors share when they are added and removed.
import type { Bind, Part } from '../../database/composed.ts'
import { nowSql } from '../../database/query.ts'
import type { AuditContext } from '../../domain/audit/audit-context.ts'
import { Failure } from '../../domain/failure.ts'
import type { NewMail } from '../../domain/mail.ts'
import { setAccount, type LockedAccount } from '../accounts/lock-account.ts'
import { revoke } from '../revocation/index.ts'

/** What a change records: the audit context of its event, and the e-mails about it */
export type Records = Readonly<{ auditContext: AuditContext; mails: readonly NewMail[] }>

/** An operator enables second factors with a command, when no version runs that would ignore them. */
export const IS_ENABLED = `EXISTS (SELECT FROM enabled_features WHERE name = 'second-factors')`

/** Without one, an owner who has lost the factor could not get the account back. */
export function requireVerifiedContact({ emailVerifiedAt, phoneVerified }: LockedAccount): void {
  if (emailVerifiedAt === null && !phoneVerified) throw new Failure('verified_contact_required')
}

/**
 * Sessions and tokens that a password alone has proven end, except the session that adds the factor. A reset that has ended
 * the previous factors ends too.
 */
export function revokeAtEnrollment(sessionId: string, shiftSeconds: number, bind: Bind): Part[] {
  const assigned = { factors_since: nowSql(bind(shiftSeconds)), factors_reset_at: 'NULL' }
  return revoke({ assigned, except: sessionId, shiftSeconds }, bind)
}

/**
 * Returns the parts that end the protection of an account after the removal of a factor, unless another one remains.
 *
 * @param remains the condition that the account `t` has another one
 */
export function endFactors(remains: string): Part[] {
  return [
    {
      name: 'deleted_factors',
      sql: `DELETE FROM second_factors f USING target t WHERE f.account_id = t.account_id AND NOT ${remains}`,
    },
    setAccount({
      factors_since: `CASE WHEN ${remains} THEN a.factors_since END`,
      factors_reset_at: `CASE WHEN ${remains} THEN a.factors_reset_at END`,
    }),
  ]
}

export const DELETE_PASSKEYS: Part = {
  name: 'deleted_passkeys',
  sql: 'DELETE FROM passkeys p USING target t WHERE p.account_id = t.account_id',
}

/** Deletes all that is stored of the second factors of an account. */
export const DELETE_FACTORS: readonly Part[] = [
  DELETE_PASSKEYS,
  { name: 'deleted_factors', sql: 'DELETE FROM second_factors f USING target t WHERE f.account_id = t.account_id' },
]
