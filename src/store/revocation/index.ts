import type { Assigned, Bind, Part } from '../../database/composed.ts'
import { nowSql } from '../../database/query.ts'
import { setAccount } from '../accounts/lock-account.ts'
import { isPendingPhone } from '../recovery/locks.ts'
import {
  DELETE_ENROLLMENT_CODE,
  deleteTokens,
  endSessions,
  FORGET_OUTCOMES,
  INVALIDATE_RECOVERY,
  invalidateCode,
} from './parts.ts'

type Revocation = Readonly<{
  /** What the same request writes to the account. It takes precedence over what the revocation ends. */
  assigned?: Assigned
  /** The asking session, if it remains valid */
  except?: string | undefined
  /** A condition over `e` that limits which of the undo links remain valid */
  undoLinks?: string
  /** The columns that the part `account` returns */
  returning?: string
  shiftSeconds: number
}>

/**
 * Returns the parts of a change that end everything that was issued for the account, or is pending, before the change: see
 * "Revocation" in docs/security.md. What the same request creates remains valid, because all parts see the rows of the start
 * of their statement. A link that undoes a change of the address remains valid too: it belongs to the owner of that address,
 * and otherwise an attacker could end it with a new password. So does a link that cancels a reset of the second factors.
 */
export function revoke(
  { assigned = {}, except, undoLinks = 'true', returning, shiftSeconds }: Revocation,
  bind: Bind,
): Part[] {
  const isPending = isPendingPhone(nowSql(bind(shiftSeconds)))
  const unless = (column: string): string =>
    `CASE WHEN ${isPending} THEN NULL ELSE ${assigned[column] ?? `a.${column}`} END`
  const ended = {
    pending_email: 'NULL',
    ...assigned,
    phone_verified_at: unless('phone_verified_at'),
    phone_recovers_from: unless('phone_recovers_from'),
  }
  return [
    setAccount(ended, returning),
    endSessions(bind, except),
    ...INVALIDATE_RECOVERY,
    deleteTokens(`NOT (e.purpose = 'undo' AND ${undoLinks}) AND e.purpose <> 'keep_factors'`),
    invalidateCode(),
    DELETE_ENROLLMENT_CODE,
    ...FORGET_OUTCOMES,
  ]
}
