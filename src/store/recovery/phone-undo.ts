// Undoing changes with a code that was sent to the number of the account: one that was established when they were made.
import { LIMITS } from '../../../generated/limits.ts'
import { assigned, type Assigned, type Bind, type Part } from '../../database/composed.ts'
import { execute, NOW } from '../../database/query.ts'
import type { Phone } from '../../domain/phones/phone.ts'
import { deleteRows, type Change } from '../changes.ts'
import { HAS_FORMER, UNDO_PERIOD } from './former-email.ts'
import { PHONE_RECOVERS } from './sql.ts'

type Hash = Uint8Array<ArrayBuffer>

/** A code that was sent to the present number a short time ago also undoes what follows, which gets none. */
const HAS_NEW_CODE = `EXISTS (
  SELECT FROM email_tokens e WHERE e.account_id = a.id AND e.purpose = 'undo_by_phone'
    AND e.expires_at > ${NOW} + ${UNDO_PERIOD} - interval '${LIMITS.undo.code_hours} hours'
    AND e.expires_at - ${UNDO_PERIOD} > coalesce(a.phone_changed_at, '-infinity'))`

/** An address in its waiting period can be that of a thief, so the code restores the one before it. */
const beforeWaiting = (column: string): string => `CASE WHEN ${HAS_FORMER} THEN a.former_${column} ELSE a.${column} END`

const OPEN = `
  INSERT INTO email_tokens (token_hash, account_id, purpose, email, verified_at, by_link, phone_verified_at, expires_at)
  SELECT $3, a.id, 'undo_by_phone', ${['email', 'email_verified_at', 'email_by_link'].map(beforeWaiting).join(', ')},
    a.phone_verified_at, ${NOW} + ${UNDO_PERIOD}
  FROM accounts a WHERE a.id = $2 AND ${PHONE_RECOVERS} AND NOT ${HAS_NEW_CODE}`

/**
 * Stores a code that undoes what the transaction is about to change of an account that it has locked.
 *
 * @returns whether it is to be sent: false if the number cannot recover the account, or has a new code already
 */
export async function openPhoneUndo(
  { transaction, shiftSeconds }: Change,
  accountId: number,
  codeHash: Hash,
): Promise<boolean> {
  return (await execute(transaction, OPEN, shiftSeconds, accountId, codeHash)) === 1
}

/** Returns the part that ends the codes of an account which meet a condition over `r`. */
function endCodes(condition = 'true'): Part {
  return deleteRows('ended_undo_codes', 'email_tokens', `r.purpose = 'undo_by_phone' AND ${condition}`)
}

/** Ends the codes of a number that another identifier has found to be stolen. */
export const END_PHONE_UNDO = endCodes()

/**
 * Returns the part that ends the codes of numbers which were verified after an address: they do not undo what its owner has confirmed.
 *
 * @param verifiedAt when the address was verified, as an expression over the account `a`
 */
export function endYoungerUndo(verifiedAt: string): Part {
  return endCodes(`r.phone_verified_at >= (SELECT ${verifiedAt} FROM accounts a WHERE a.id = r.account_id)`)
}

/** Returns the part that ends a code and those that were sent after it. Earlier ones undo more. */
export function endCodesSince(expiresAt: Date, bind: Bind): Part {
  return endCodes(`r.expires_at >= ${bind(expiresAt)}`)
}

/** Makes the number that a code was sent to the number of the account again, if it has another one. The code proves it. */
export function restorePhone({ e164, callingCode }: Phone, verifiedAt: Date | null, bind: Bind): Assigned {
  const earlier = `coalesce(${bind(verifiedAt)}::timestamptz, ${NOW})`
  const isSame = `a.phone = ${bind(e164)}`
  const keep = (column: string, otherwise: string): string => `CASE WHEN ${isSame} THEN ${column} ELSE ${otherwise} END`
  return {
    ...assigned({ phone: e164, phoneCode: callingCode }, bind),
    phone_verified_at: keep(`coalesce(a.phone_verified_at, ${earlier})`, earlier),
    phone_recovers_from: keep(`coalesce(a.phone_recovers_from, ${NOW})`, NOW),
    phone_changed_at: keep('a.phone_changed_at', 'NULL'),
  }
}
