// The proofs of requests that change the second factors. They are compared and used up while the account is locked.
import type { Bind, Part } from '../../database/composed.ts'
import { column, onlyIf, outerTable, query, queryOnlyRow, queryRow, table, type Columns } from '../../database/sql.ts'
import { jsonRows, jsonTime } from '../../database/json-columns.ts'
import type { Bearer, FactorOwner } from '../../domain/accounts/account.ts'
import type { AuditEvent } from '../../domain/audit/audit-context.ts'
import type { Begun, UsedChallenge } from '../../domain/factors/passkey.ts'
import {
  isStillStrongest,
  isStrongest,
  missingProof,
  type ChangeProof,
  type DatedFactors,
} from '../../domain/factors/proof-order.ts'
import type { UnusedProof } from '../../domain/factors/second-factor.ts'
import { Failure, invalidData } from '../../domain/failure.ts'
import type { NewMail } from '../../domain/mail.ts'
import { lockAndAuthorizeFactors, type LockedOwnAccount } from '../accounts/lock-account.ts'
import type { Change, StoreParts } from '../changes.ts'
import { JOIN_FACTORS } from './columns.ts'
import type { ChangeRecords } from './enrollment.ts'
import { HAS_FACTOR } from './state.ts'
import { OF_BEARER } from '../sessions/state.ts'

/** Both methods throw Failure 401 `token_revoked`. */
export type FactorProofs = {
  /** Returns from when on each second factor of the account of a token is established. The lock decides again. */
  datedFactors(bearer: Bearer): Promise<DatedFactors>
  /**
   * Uses up the proof of a request.
   *
   * @throws Failure 403 `mfa_required` or `reauthentication_required`, 422 on the proof
   */
  prove(bearer: Bearer, given: GivenProof): Promise<FactorOwner>
}

/** A proof, and what is recorded of its use */
export type GivenProof = Readonly<{ proof: ChangeProof; auditEvents: readonly AuditEvent[]; mails: readonly NewMail[] }>

/** What a proven change records */
export type ProvenRecords = ChangeRecords & Readonly<{ given: GivenProof }>

const f = outerTable('SecondFactors', 'f')
const p = table('Passkey', 'p')

const DATED: Columns<DatedFactors> = {
  totp: onlyIf(`${HAS_FACTOR} AND f.totp_secret IS NOT NULL`, f.totpEstablishedAt),
  recoveryCodes: onlyIf(`${HAS_FACTOR} AND cardinality(f.recovery_codes) > 0`, f.codesEstablishedAt),
  passkeys: jsonRows(
    { id: p.id, establishedAt: jsonTime(p.establishedAt) },
    `FROM passkeys p WHERE p.account_id = a.id AND ${HAS_FACTOR}`,
  ),
  now: column<Date>('service_now()'),
}

const READ_LOCKED = query(DATED, (list) => `SELECT ${list} FROM accounts a ${JOIN_FACTORS} WHERE a.id = $1`)
const READ = query(
  DATED,
  (list) => `
    SELECT ${list} FROM accounts a JOIN sessions s ON s.account_id = a.id ${JOIN_FACTORS}
    WHERE ${OF_BEARER}`,
  'read-dated-factors',
)

export function factorProofs({ pool, inChange }: StoreParts): FactorProofs {
  return {
    async datedFactors({ accountId, sessionId }) {
      const found = await queryRow(pool, READ, accountId, sessionId)
      if (!found) throw new Failure('token_revoked')
      return found
    },
    prove: (bearer, given) =>
      inChange(async (change) => {
        const owner = await lockAndAuthorizeFactors(change, bearer)
        await useProof(change, owner, given)
        return owner
      }),
  }
}

/** Uses up a proof of an account that is locked. Throws like `prove`. */
export async function useProof(
  change: Change,
  { accountId, passwordHash }: Pick<LockedOwnAccount, 'accountId' | 'passwordHash'>,
  { proof, auditEvents, mails }: GivenProof,
): Promise<Begun> {
  const factors = await readDated(change, accountId)
  if (!isStrongest(proof, factors)) throw missingProof(factors)
  if (proof.method === 'password') {
    if (proof.passwordHash !== passwordHash) throw invalidData({ password: ['password_wrong'] })
    return { byFactor: false }
  }
  const used = await change.write(accountId, {
    onlyIf: (bind) => `EXISTS (
      SELECT FROM accounts a ${JOIN_FACTORS} WHERE a.id = ${bind(accountId)} AND ${isUnused(proof, bind)})`,
    parts: (bind) => useUp(proof, bind),
    auditEvents,
    mails,
  })
  if (!used)
    throw invalidData(proof.method === 'passkey' ? { credential: ['passkey_wrong'] } : { code: ['code_wrong'] })
  return { byFactor: true }
}

/** Returns whether what has proven the first request to add a factor is enough, now that the account is locked. */
export async function isStillProven(change: Change, accountId: number, begun: Begun): Promise<boolean> {
  return isStillStrongest(begun, await readDated(change, accountId))
}

export function readDated({ transaction }: Change, accountId: number): Promise<DatedFactors> {
  return queryOnlyRow(transaction, READ_LOCKED, accountId)
}

/** The signature counter of a passkey increases, unless the authenticator has none (WebAuthn Level 3, section 7.2). */
export function isUnused(proof: UnusedProof, bind: Bind): string {
  if (proof.method === 'recovery_code') return `${bind(proof.hash)}::bytea = ANY (f.recovery_codes)`
  if (proof.method === 'totp') return `f.totp_secret = ${bind(proof.sealed)} AND f.totp_last_step < ${bind(proof.step)}`
  const counter = `${bind(proof.counter)}::bigint`
  return `NOT EXISTS (SELECT FROM used_challenges c WHERE c.challenge_hash = ${bind(proof.challenge.hash)}) AND EXISTS (
    SELECT FROM passkeys p WHERE p.id = ${bind(proof.passkeyId)}::uuid AND p.account_id = a.id
      AND (p.counter < ${counter} OR p.counter = 0 AND ${counter} = 0))`
}

/** An app displays each code for one time step, and that of an earlier step was seen before (RFC 6238, section 5.2). */
export function useUp(proof: UnusedProof, bind: Bind): Part[] {
  if (proof.method === 'passkey') {
    const { passkeyId, counter, backedUp, challenge } = proof
    const set = `counter = ${bind(counter)}, backed_up = ${bind(backedUp)}, last_used_at = service_now()`
    const sql = `
      UPDATE passkeys p SET ${set} FROM target t WHERE p.account_id = t.account_id AND p.id = ${bind(passkeyId)}::uuid`
    return [{ name: 'used', sql }, useChallenge(challenge, bind)]
  }
  const use = (set: string): Part => ({
    name: 'used',
    sql: `UPDATE second_factors f SET ${set} FROM target t WHERE f.account_id = t.account_id`,
  })
  if (proof.method === 'totp') return [use(`totp_last_step = ${bind(proof.step)}`)]
  const hash = `${bind(proof.hash)}::bytea`
  return [use(`recovery_codes = array_remove(f.recovery_codes, ${hash})`), useRemoved(hash)]
}

/** An undo does not bring a recovery code back that was used since. */
function useRemoved(hash: string): Part {
  const codes = `'{second_factors,recovery_codes}'`
  const sql = `
    UPDATE email_tokens e SET factors = jsonb_set(e.factors, ${codes}, (e.factors #> ${codes}) - ${hash}::text)
    FROM target t WHERE e.account_id = t.account_id AND e.factors #> ${codes} IS NOT NULL`
  return { name: 'used_removed', sql }
}

function useChallenge({ hash, expiresAt }: UsedChallenge, bind: Bind): Part {
  const sql = `
    INSERT INTO used_challenges (challenge_hash, expires_at)
    SELECT ${bind(hash)}::bytea, ${bind(expiresAt)}::timestamptz FROM target`
  return { name: 'used_challenge', sql }
}
