import type { Bearer, FactorOwner } from '../../domain/accounts/account.ts'
import type { AuditEvent } from '../../domain/audit/audit-context.ts'
import type { Clock } from '../../domain/clock.ts'
import type { UnusedCode } from '../../domain/factors/second-factor.ts'
import type { NewMail } from '../../domain/mail.ts'
import { column } from '../../database/columns.ts'
import type { Bind, Part } from '../../database/composed.ts'
import { findAccountForUpdate } from '../accounts/find-account.ts'
import { lockAccountForUpdate } from '../accounts/lock-account.ts'
import type { Change, InChange } from '../changes.ts'
import type { NewSession } from '../sessions/index.ts'
import { endSurplus, newSession } from '../sessions/sql.ts'
import { OWNER } from './columns.ts'

/** Sessions of accounts with a second factor. The session and the use of its code are one statement. */
export type ProvenSessions = {
  /**
   * Creates a session. Beyond the limit, the least recently used session of the account is revoked. Returns undefined if
   * the code was used in the meantime, the account now has another password or no factor, or it is not active.
   */
  beginSession(session: ProvenSession): Promise<BegunSession | undefined>
  /** Replaces the session of a token like `beginSession`. Throws Failure 401 `token_revoked`. */
  replaceSession(bearer: Bearer, session: ProvenSession): Promise<BegunSession | undefined>
}

export type BegunSession = Readonly<{ sessionId: string; owner: FactorOwner }>

export type ProvenSession = NewSession &
  Readonly<{ code: UnusedCode; auditEvents: readonly AuditEvent[]; mails: readonly NewMail[] }>

export function provenSessions({ clock, inChange }: { clock: Clock; inChange: InChange }): ProvenSessions {
  const shift = (): number => clock.shiftMs() / 1000
  return {
    beginSession: (session) =>
      inChange(async ({ transaction, write }) => {
        await findAccountForUpdate(transaction, session.accountId, shift())
        return writeSession(write, session, { shiftSeconds: shift() })
      }),
    replaceSession: (bearer, session) =>
      inChange(async ({ transaction, write }) => {
        await lockAccountForUpdate(transaction, bearer)
        return writeSession(write, session, { shiftSeconds: shift(), replacedId: bearer.sessionId })
      }),
  }
}

type Replacing = Readonly<{ shiftSeconds: number; replacedId?: string }>

/** The account is locked, so nothing that the condition reads can change. */
async function writeSession(
  write: Change['write'],
  { accountId, passwordHash, address, userAgent, code, auditEvents, mails }: ProvenSession,
  { shiftSeconds, replacedId }: Replacing,
): Promise<BegunSession | undefined> {
  const written = await write(accountId, {
    onlyIf: (bind) => `EXISTS (
      SELECT FROM accounts a JOIN second_factors f ON f.account_id = a.id
      WHERE a.id = ${bind(accountId)} AND a.status = 'active' AND a.factors_since IS NOT NULL
        AND a.password_hash = ${bind(passwordHash)} AND ${isUnused(code, bind)})`,
    parts: (bind) => {
      const replaced = replacedId === undefined ? undefined : `${bind(replacedId)}::uuid`
      return [
        useUp(code, bind),
        ...(replaced === undefined ? [] : [endReplaced(replaced)]),
        { name: 'surplus', sql: endSurplus('target', 'account_id', replaced && `AND id <> ${replaced}`) },
        newSession({ address, userAgent }, shiftSeconds, bind),
      ]
    },
    columns: { ...OWNER, sessionId: column<string>('(SELECT id FROM new_session)') },
    from: 'target t JOIN accounts a ON a.id = t.account_id',
    auditEvents,
    mails,
  })
  if (!written) return undefined
  const { sessionId, ...owner } = written
  return { sessionId, owner }
}

function isUnused(code: UnusedCode, bind: Bind): string {
  if (code.method === 'recovery_code') return `${bind(code.hash)}::bytea = ANY (f.recovery_codes)`
  return `f.totp_secret = ${bind(code.sealed)} AND f.totp_last_step < ${bind(code.step)}`
}

/** An app displays each code for one time step, and that of an earlier step was seen before (RFC 6238, section 5.2). */
function useUp(code: UnusedCode, bind: Bind): Part {
  const set =
    code.method === 'totp'
      ? `totp_last_step = ${bind(code.step)}`
      : `recovery_codes = array_remove(f.recovery_codes, ${bind(code.hash)}::bytea)`
  return { name: 'used', sql: `UPDATE second_factors f SET ${set} FROM target t WHERE f.account_id = t.account_id` }
}

function endReplaced(id: string): Part {
  const sql = `UPDATE sessions s SET ended_at = now() FROM target t WHERE s.account_id = t.account_id AND s.id = ${id}`
  return { name: 'replaced', sql }
}
