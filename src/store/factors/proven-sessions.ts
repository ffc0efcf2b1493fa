import type { Bearer, Contact } from '../../domain/accounts/account.ts'
import type { AuditEvent } from '../../domain/audit/audit-context.ts'
import { cancelsReset } from '../../domain/factors/proof-order.ts'
import type { UnusedProof } from '../../domain/factors/second-factor.ts'
import type { NewMail } from '../../domain/mail.ts'
import { column } from '../../database/sql.ts'
import { undefinedIfChallengeUsed } from '../../database/unique-conflicts.ts'
import { assigned } from '../../database/composed.ts'
import { findAccountForUpdate, CONTACT, lockAndAuthorizeAccount, type LockedAccount } from '../accounts/lock-account.ts'
import { setAccount, type Change, type StoreParts } from '../changes.ts'
import { newSession, type NewSession } from '../sessions/begin.ts'
import { endReplaced, endSurplus } from '../sessions/end.ts'
import { deleteTokens } from '../revocation/index.ts'
import { isUnused, readDated, useUp } from './proofs.ts'
import { HAS_FACTOR } from './state.ts'

/**
 * Sessions of accounts with a second factor. The session and the use of its proof are one statement, which also cancels a reset
 * of the factors, see `cancelsReset`: the owner has not lost them, or another person has requested it.
 */
export type ProvenSessions = {
  /**
   * Creates a session. Beyond the limit, the least recently used session of the account is revoked. Returns undefined if
   * the proof was used in the meantime, the account now has another password or no factor, or it is not active.
   */
  beginSession(session: ProvenSession): Promise<BegunSession | undefined>
  /** Replaces the session of a token like `beginSession`. Throws Failure 401 `token_revoked`. */
  replaceWithProof(bearer: Bearer, session: ProvenSession): Promise<BegunSession | undefined>
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
    replaceWithProof: (bearer, session) =>
      inChange(async (change) => {
        const account = await lockAndAuthorizeAccount(change, bearer)
        return writeSession(change, session, { account, replacedId: bearer.sessionId })
      }),
  }
}

/** The account is locked, so nothing that the condition reads can change. */
async function writeSession(
  change: Change,
  { accountId, passwordHash, address, userAgent, proof, auditEvents, cancelEvent, mails }: ProvenSession,
  { account, replacedId }: Readonly<{ account: LockedAccount; replacedId?: string }>,
): Promise<BegunSession | undefined> {
  const { factorsResetAt, factorsResetBySupport: isBySupport, factorsKeptAt: keptAt, now } = account
  const isCancelled =
    factorsResetAt !== null && cancelsReset(proof, { isBySupport, keptAt }, await readDated(change, accountId))
  const written = await change.write(accountId, {
    onlyIf: (bind) => `EXISTS (
      SELECT FROM accounts a LEFT JOIN second_factors f ON f.account_id = a.id
      WHERE a.id = ${bind(accountId)} AND a.status = 'active' AND ${HAS_FACTOR}
        AND a.password_hash = ${bind(passwordHash)} AND ${isUnused(proof, bind)})`,
    parts: (bind) => {
      const replaced = replacedId === undefined ? undefined : `${bind(replacedId)}::uuid`
      return [
        ...useUp(proof, bind),
        ...(isCancelled
          ? [setAccount(assigned({ factorsResetAt: null, factorsKeptAt: now }, bind)), DELETE_RESET_TOKENS]
          : []),
        ...(replaced === undefined ? [] : [{ name: 'replaced', sql: endReplaced(replaced) }]),
        { name: 'surplus', sql: endSurplus('target', 'account_id', replaced && `AND id <> ${replaced}`) },
        newSession({ address, userAgent, replacedId }, bind),
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

/** The links that confirm or cancel a reset */
const DELETE_RESET_TOKENS = deleteTokens(`e.purpose IN ('reset_factors', 'keep_factors')`)
