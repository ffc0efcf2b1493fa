import type { Prisma } from '../../../generated/prisma/client.ts'
import type { Clock } from '../../domain/clock.ts'
import { invalidData } from '../../domain/failure.ts'
import { maskEmail, maskPhone } from '../../domain/mask.ts'
import type { PhoneVerification } from '../../domain/phone-verification.ts'
import type { Recoverable } from '../../domain/recovery.ts'
import type { AuditEvent, Trace } from '../../domain/trace.ts'
import type { Log } from '../../log.ts'
import { audited } from '../audit.ts'
import type { Database } from '../database.ts'
import { takenField } from '../faults.ts'
import { endRecovery } from '../own-account.ts'
import { useWindow } from '../phone-verifications.ts'
import { profileNews } from '../profile-news.ts'
import type { Tell } from '../tell.ts'
import { reset, type Recovered } from './reset.ts'
import {
  ADD_TOKEN,
  BY_EMAIL,
  BY_TOKEN,
  HAS_PHONE,
  HOLD_BY_FORMER_PHONE,
  HOLD_BY_PHONE,
  HOLD_BY_TOKEN,
  RELEASE,
  RESET_BY_EMAIL,
  RESET_BY_PHONE,
  RESTORE_PHONE,
  VERIFY_EMAIL,
} from './sql.ts'

/**
 * How an account is recovered without its password. Resets end all sessions, and invalidate all other tokens and codes.
 * Those that resolve to undefined have changed nothing, because the token or the number recovers no account (any more).
 */
export type Recovery = {
  byEmail(email: string): Promise<Recoverable | undefined>
  /** Whether a code sent to the number can reset the password of an account. */
  hasPhone(e164: string): Promise<boolean>
  /**
   * Stores the hash of a token that is sent by e-mail.
   *
   * @returns false when the address no longer recovers the account
   */
  addToken(account: { id: number; email: string }, tokenHash: Hash): Promise<boolean>
  byToken(tokenHash: Hash): Promise<Recoverable | undefined>
  /** @param change.window that of the code that an address needs which was never verified */
  resetByToken(tokenHash: Hash, change: Change, trace: Trace): Promise<Recovered | undefined>
  resetByPhone(change: Change & { window: PhoneVerification }, trace: Trace): Promise<Recovered | undefined>
  /** Takes an address that was never verified away from the account. */
  release(tokenHash: Hash, trace: Trace): Promise<Recoverable | undefined>
}

type Hash = Uint8Array<ArrayBuffer>
type Change = { passwordHash: string; window: PhoneVerification | undefined }
type Transaction = Prisma.TransactionClient
type Row = Omit<Recoverable, 'phone'> & { phone: string | null; phoneCode: string }

export function recovery(database: Database, parts: { clock: Clock; log: Log; tell: Tell }): Recovery {
  const { pool } = database
  const inTransaction = audited(database, parts.log)
  const shift = (): number => parts.clock.shiftMs() / 1000

  /** Holds the account that a token is for, and uses the token up. */
  const takeToken = async (transaction: Transaction, tokenHash: Hash): Promise<Recoverable | undefined> => {
    const [row] = await transaction.$queryRawUnsafe<Row[]>(HOLD_BY_TOKEN, shift(), tokenHash)
    const { count } = await transaction.passwordReset.deleteMany({ where: { tokenHash } })
    return row && count === 1 ? recoverableOf(row) : undefined
  }
  const holdByPhone = async (transaction: Transaction, phone: string): Promise<Recovered | undefined> => {
    const [own] = await transaction.$queryRawUnsafe<Recovered[]>(HOLD_BY_PHONE, shift(), phone)
    if (own) return own
    const [former] = await transaction.$queryRawUnsafe<Recovered[]>(HOLD_BY_FORMER_PHONE, shift(), phone)
    const restored = former && (await transaction.$executeRawUnsafe(RESTORE_PHONE, shift(), former.id, phone))
    return restored === 1 ? former : undefined
  }
  return {
    async byEmail(email) {
      const { rows } = await pool.query<Row>(BY_EMAIL, [shift(), email])
      return rows[0] && recoverableOf(rows[0])
    },
    async hasPhone(e164) {
      const { rows } = await pool.query<{ isFound: boolean }>(HAS_PHONE, [shift(), e164])
      return rows[0]?.isFound ?? false
    },
    async addToken({ id, email }, tokenHash) {
      return (await pool.query(ADD_TOKEN, [shift(), id, tokenHash, email])).rowCount === 1
    },
    async byToken(tokenHash) {
      const { rows } = await pool.query<Row>(BY_TOKEN, [shift(), tokenHash])
      return rows[0] && recoverableOf(rows[0])
    },
    async resetByToken(tokenHash, { passwordHash, window }, trace) {
      return inTransaction(eventsOf('password_reset', trace), async (transaction) => {
        const account = await takeToken(transaction, tokenHash)
        if (!account) return undefined
        if (account.needsCode) {
          if (!window || window.phone !== account.phone?.e164) throw invalidData({ otp: ['otp_wrong'] })
          await useWindow(transaction, window)
          await transaction.$executeRawUnsafe(VERIFY_EMAIL, shift(), account.id)
        }
        return reset(transaction, account, RESET_BY_EMAIL, passwordHash)
      })
    },
    async resetByPhone({ passwordHash, window }, trace) {
      const about = { ...trace, subject: maskPhone(window.phone) }
      return inTransaction(eventsOf('password_reset', about), async (transaction) => {
        const account = await holdByPhone(transaction, window.phone)
        await useWindow(transaction, window)
        return account && reset(transaction, account, RESET_BY_PHONE, passwordHash)
      }).catch((error: unknown) => {
        if (takenField(error) === 'phone') return undefined // another account has verified it meanwhile
        throw error
      })
    },
    async release(tokenHash, trace) {
      return inTransaction(eventsOf('email_released', trace), async (transaction) => {
        const account = await takeToken(transaction, tokenHash)
        if (!account?.needsCode) return undefined
        await transaction.$executeRawUnsafe(RELEASE, shift(), account.id)
        await endRecovery(transaction, account.id)
        await parts.tell(transaction, await profileNews(transaction, account.id))
        return account
      })
    },
  }
}

/** The subject says through which identifier it happened. */
function eventsOf(event: 'password_reset' | 'email_released', trace: Trace) {
  return (changed: Recovered | undefined): AuditEvent[] =>
    changed ? [{ event, accountId: changed.id, ...trace, subject: trace.subject ?? maskEmail(changed.email) }] : []
}

function recoverableOf({ phone, phoneCode, ...row }: Row): Recoverable {
  return { ...row, phone: phone === null ? undefined : { e164: phone, callingCode: phoneCode } }
}
