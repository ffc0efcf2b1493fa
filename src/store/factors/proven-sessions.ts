import type { Bearer, Contact } from '../../domain/accounts/account.ts'
import type { AuditEvent } from '../../domain/audit/audit-context.ts'
import type { UsedChallenge } from '../../domain/factors/passkey.ts'
import type { UnusedProof } from '../../domain/factors/second-factor.ts'
import type { NewMail } from '../../domain/mail.ts'
import { column } from '../../database/columns.ts'
import { undefinedIfChallengeUsed } from '../../database/database-errors.ts'
import { NOW } from '../../database/query.ts'
import type { Bind, Part } from '../../database/composed.ts'
import {
  findAccountForUpdate,
  CONTACT,
  lockAccountForUpdate,
  updateAccount,
  type LockedAccount,
} from '../accounts/lock-account.ts'
import type { Change, StoreParts } from '../changes.ts'
import { endSurplus, newSession, type NewSession } from '../sessions/begin.ts'
import { deleteTokens } from '../revocation/index.ts'
import { hasFactor } from './state.ts'

/**
 * Sessions of accounts with a second factor. The session and the use of its proof are one statement, which also cancels a reset
 * of the factors: the owner has not lost them, or another person has requested it.
 */
export type ProvenSessions = {
  /**
   * Creates a session. Beyond the limit, the least recently used session of the account is revoked. Returns undefined if
   * the proof was used in the meantime, the account now has another password or no factor, or it is not active.
   */
  beginSession(session: ProvenSession): Promise<BegunSession | undefined>
  /** Replaces the session of a token like `beginSession`. Throws Failure 401 `token_revoked`. */
  replaceSession(bearer: Bearer, session: ProvenSession): Promise<BegunSession | undefined>
}

export type BegunSession = Readonly<{ sessionId: string; owner: Contact }>

export type ProvenSession = NewSession &
  Readonly<{
    proof: UnusedProof
    auditEvents: readonly AuditEvent[]
    /** Recorded if the session cancels a pending reset of the factors */
    cancelEvent: AuditEvent
    mails: readonly NewMail[]
  }>

export function provenSessions({ inChange }: StoreParts): ProvenSessions {
  return {
    beginSession: (session) =>
      inChange(async (change) => {
        const account = await findAccountForUpdate(change, session.accountId)
        return account && writeSession(change, session, { account })
      }).catch(undefinedIfChallengeUsed),
    replaceSession: (bearer, session) =>
      inChange(async (change) => {
        const account = await lockAccountForUpdate(change, bearer)
        return writeSession(change, session, { account, replacedId: bearer.sessionId })
      }),
  }
}

type Replacing = Readonly<{ account: LockedAccount; replacedId?: string }>

/** The account is locked, so nothing that the condition reads can change. */
async function writeSession(
  { write }: Change,
  { accountId, passwordHash, address, userAgent, proof, auditEvents, cancelEvent, mails }: ProvenSession,
  { account, replacedId }: Replacing,
): Promise<BegunSession | undefined> {
  const isCancelled = account.factorsResetAt !== null
  const written = await write(accountId, {
    onlyIf: (bind) => `EXISTS (
      SELECT FROM accounts a LEFT JOIN second_factors f ON f.account_id = a.id
      WHERE a.id = ${bind(accountId)} AND a.status = 'active' AND ${hasFactor()}
        AND a.password_hash = ${bind(passwordHash)} AND ${isUnused(proof, bind)})`,
    parts: (bind) => {
      const replaced = replacedId === undefined ? undefined : `${bind(replacedId)}::uuid`
      return [
        ...useUp(proof, bind),
        ...(isCancelled ? [updateAccount({ factorsResetAt: null }, bind)] : []),
        DELETE_RESET_TOKENS,
        ...(replaced === undefined ? [] : [endReplaced(replaced)]),
        { name: 'surplus', sql: endSurplus('target', 'account_id', replaced && `AND id <> ${replaced}`) },
        newSession({ address, userAgent }, bind),
      ]
    },
    columns: { ...CONTACT, sessionId: column<string>('(SELECT id FROM new_session)') },
    from: 'target t JOIN accounts a ON a.id = t.account_id',
    auditEvents: isCancelled ? [...auditEvents, cancelEvent] : auditEvents,
    mails,
  })
  if (!written) return undefined
  const { sessionId, ...owner } = written
  return { sessionId, owner }
}

/** The signature counter of a passkey increases, unless the authenticator has none (WebAuthn Level 3, section 7.2). */
export function isUnused(proof: UnusedProof, bind: Bind): string {
  if (proof.method === 'recovery_code') return `${bind(proof.hash)}::bytea = ANY (f.recovery_codes)`
  if (proof.method === 'totp') return `f.totp_secret = ${bind(proof.sealed)} AND f.totp_last_step < ${bind(proof.step)}`
  const counter = `${bind(proof.counter)}::bigint`
  return `${isChallengeUnused(proof.challenge, bind)} AND EXISTS (
    SELECT FROM passkeys p WHERE p.id = ${bind(proof.passkeyId)}::uuid AND p.account_id = a.id
      AND (p.counter < ${counter} OR p.counter = 0 AND ${counter} = 0))`
}

function isChallengeUnused({ hash }: UsedChallenge, bind: Bind): string {
  return `NOT EXISTS (SELECT FROM used_challenges c WHERE c.challenge_hash = ${bind(hash)})`
}

/** An app displays each code for one time step, and that of an earlier step was seen before (RFC 6238, section 5.2). */
export function useUp(proof: UnusedProof, bind: Bind): Part[] {
  if (proof.method === 'passkey') {
    const { passkeyId, counter, backedUp, challenge } = proof
    const set = `counter = ${bind(counter)}, backed_up = ${bind(backedUp)}, last_used_at = ${NOW}`
    const sql = `
      UPDATE passkeys p SET ${set} FROM target t WHERE p.account_id = t.account_id AND p.id = ${bind(passkeyId)}::uuid`
    return [{ name: 'used', sql }, useChallenge(challenge, bind)]
  }
  const set =
    proof.method === 'totp'
      ? `totp_last_step = ${bind(proof.step)}`
      : `recovery_codes = array_remove(f.recovery_codes, ${bind(proof.hash)}::bytea)`
  return [{ name: 'used', sql: `UPDATE second_factors f SET ${set} FROM target t WHERE f.account_id = t.account_id` }]
}

function useChallenge({ hash, expiresAt }: UsedChallenge, bind: Bind): Part {
  const sql = `
    INSERT INTO used_challenges (challenge_hash, expires_at)
    SELECT ${bind(hash)}::bytea, ${bind(expiresAt)}::timestamptz FROM target`
  return { name: 'used_challenge', sql }
}

/** The links that confirm or cancel a reset */
const DELETE_RESET_TOKENS = deleteTokens(`e.purpose IN ('reset_factors', 'keep_factors')`)

function endReplaced(id: string): Part {
  const sql = `UPDATE sessions s SET ended_at = now() FROM target t WHERE s.account_id = t.account_id AND s.id = ${id}`
  return { name: 'replaced', sql }
}
