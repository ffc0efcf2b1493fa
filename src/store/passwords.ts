import type { Prisma } from '../../generated/prisma/client.ts'
import { LIMITS } from '../../generated/limits.ts'
import type { Bearer } from '../domain/account.ts'
import type { Clock } from '../domain/clock.ts'
import type { PhoneVerification } from '../domain/phone-verification.ts'
import type { AuditEvent, Trace } from '../domain/trace.ts'
import type { Log } from '../log.ts'
import { audited } from './audit.ts'
import type { Database } from './database.ts'
import { NOW } from './now.ts'
import { endRecovery, endSessions, holdAccount } from './own-account.ts'
import { beginSession } from './own-sessions.ts'
import { useWindow } from './phone-verifications.ts'

export type Passwords = {
  /**
   * Replaces the hash of a password, unless it changed meanwhile, ends all sessions and begins a new one.
   *
   * @returns the id of the new session; undefined when the account has another hash by now
   * @throws Failure 401 `token_revoked` when the session or the account has ended meanwhile
   */
  change(bearer: Bearer, change: PasswordChange): Promise<string | undefined>
  /**
   * Stores the hash of a token that sets a new password.
   *
   * @returns false when the account has another e-mail address by now or is not active
   */
  addReset(account: { id: number; email: string }, tokenHash: Uint8Array<ArrayBuffer>): Promise<boolean>
  /** The e-mail address of the account that a token is for; undefined when the token is no good. */
  emailOfReset(tokenHash: Uint8Array<ArrayBuffer>): Promise<string | undefined>
  /** Sets a new hash and ends all sessions, with a token that is used up. Gives the address of the account, if it did. */
  reset(tokenHash: Uint8Array<ArrayBuffer>, passwordHash: string, trace: Trace): Promise<string | undefined>
  /** The same with a window whose code is used up. */
  resetByPhone(window: PhoneVerification, passwordHash: string, trace: Trace): Promise<string | undefined>
}

export type PasswordChange = Readonly<{
  from: string
  to: string
  client: { address: string; userAgent: string | undefined }
  trace: Trace
}>

const ADD_RESET = `
  INSERT INTO password_resets (account_id, token_hash, expires_at)
  SELECT id, $3, ${NOW} + interval '${LIMITS.reset.minutes} minutes'
  FROM accounts WHERE id = $2 AND email = $4 AND status = 'active' FOR SHARE`
const EMAIL_OF_RESET = `
  SELECT a.email FROM password_resets r JOIN accounts a ON a.id = r.account_id
  WHERE r.token_hash = $2 AND r.expires_at > ${NOW} AND a.status = 'active'`
const USE_RESET = `DELETE FROM password_resets WHERE token_hash = $2 AND expires_at > ${NOW} RETURNING account_id AS id`

type Changed = { id: number; email: string } | undefined
type Where = { id: number } | { phone: string }

export function passwords(database: Database, { clock, log }: { clock: Clock; log: Log }): Passwords {
  const { pool } = database
  const inTransaction = audited(database, log)
  const shift = (): number => clock.shiftMs() / 1000
  const eventsOfReset =
    (trace: Trace) =>
    (changed: Changed): AuditEvent[] =>
      changed ? [{ event: 'password_reset', accountId: changed.id, ...trace }] : []
  return {
    async addReset({ id, email }, tokenHash) {
      const { rowCount } = await pool.query(ADD_RESET, [shift(), id, tokenHash, email])
      return rowCount === 1
    },
    async emailOfReset(tokenHash) {
      const { rows } = await pool.query<{ email: string }>(EMAIL_OF_RESET, [shift(), tokenHash])
      return rows[0]?.email
    },
    async reset(tokenHash, passwordHash, trace) {
      const changed = await inTransaction(eventsOfReset(trace), async (transaction) => {
        await transaction.$queryRaw`
          SELECT 1 FROM accounts WHERE id = (SELECT account_id FROM password_resets WHERE token_hash = ${tokenHash})
          FOR UPDATE` // before its token, as every change of an account does, or two of them wait for each other
        const [used] = await transaction.$queryRawUnsafe<{ id: number }[]>(USE_RESET, shift(), tokenHash)
        return used && replace(transaction, used, passwordHash)
      })
      return changed?.email
    },
    async resetByPhone(window, passwordHash, trace) {
      const changed = await inTransaction(eventsOfReset(trace), async (transaction) => {
        await useWindow(transaction, window)
        return replace(transaction, { phone: window.phone }, passwordHash)
      })
      return changed?.email
    },
    async change(bearer, { from, to, client: { address, userAgent }, trace }) {
      const { accountId } = bearer
      const eventsOf = (sessionId: string | undefined): AuditEvent[] =>
        sessionId === undefined ? [] : [{ event: 'password_changed', accountId, ...trace }]
      return inTransaction(eventsOf, async (transaction) => {
        await holdAccount(transaction, bearer)
        const { count } = await transaction.account.updateMany({
          where: { id: accountId, passwordHash: from },
          data: { passwordHash: to },
        })
        if (count === 0) return undefined
        await endSessions(transaction, accountId)
        await endRecovery(transaction, accountId)
        return beginSession(transaction, clock, { accountId, passwordHash: to, address, userAgent })
      })
    },
  }
}

/** Gives the active account the new hash, and ends its sessions and everything that would set another password. */
async function replace(transaction: Prisma.TransactionClient, where: Where, passwordHash: string): Promise<Changed> {
  const account = await transaction.account.findFirst({
    where: { ...where, status: 'active' },
    select: { id: true, email: true },
  })
  if (!account) return undefined
  await transaction.account.update({ where: { id: account.id }, data: { passwordHash }, select: { id: true } })
  await endSessions(transaction, account.id)
  await endRecovery(transaction, account.id)
  return account
}
