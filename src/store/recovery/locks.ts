import { queryRow } from '../../database/sql.ts'
import type { RecoverableAccount } from '../../domain/accounts/recovery.ts'
import {
  LOCK_BY_FORMER_PHONE,
  LOCK_BY_PHONE,
  LOCK_BY_TOKEN,
  RESTORE_PHONE,
  toRecoverable,
  type Resettable,
  type ResettableByToken,
} from './sql.ts'
import type { Change } from '../changes.ts'

/** Locks the account of a token, and the token. */
export async function lockByToken(
  { transaction }: Change,
  tokenHash: Uint8Array<ArrayBuffer>,
): Promise<(RecoverableAccount & ResettableByToken) | undefined> {
  const row = await queryRow(transaction, LOCK_BY_TOKEN, tokenHash)
  return row && { ...row, ...toRecoverable(row) }
}

/** Locks the account that a number recovers, and restores the number if the account had it before. */
export async function lockByPhone(
  { transaction }: Change,
  { phone, prefersEmail }: { phone: string; prefersEmail: boolean },
): Promise<(Resettable & { isRestored?: true }) | undefined> {
  const own = await queryRow(transaction, LOCK_BY_PHONE, phone, prefersEmail)
  if (own) return own
  const former = await queryRow(transaction, LOCK_BY_FORMER_PHONE, phone, prefersEmail)
  if (!former) return undefined
  const restored = await queryRow(transaction, RESTORE_PHONE, former.id, phone)
  return restored && { ...former, ...restored, isRestored: true }
}
