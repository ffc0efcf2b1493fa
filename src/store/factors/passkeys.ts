import { LIMITS } from '../../../generated/limits.ts'
import { column, outerTable, select, table } from '../../database/columns.ts'
import type { Bind, Part } from '../../database/composed.ts'
import { NOW, query, queryOnlyRow, queryRow, queryRows, type Driver } from '../../database/query.ts'
import type { Bearer, Credentials, FactorOwner } from '../../domain/accounts/account.ts'
import type { Enrollment } from '../../domain/factors/required-factor.ts'
import type {
  DeletedPasskey,
  ListedPasskey,
  NewPasskey,
  PasskeyDescriptor,
  StoredPasskey,
} from '../../domain/factors/passkey.ts'
import { Failure, invalidData } from '../../domain/failure.ts'
import { HAS_VERIFIED_CONTACT, lockFactorsForUpdate } from '../accounts/lock-account.ts'
import type { Change, StoreParts } from '../changes.ts'
import { isChallengeUnused, useChallenge } from './challenges.ts'
import { LISTED_PASSKEY } from './columns.ts'
import { isEnrollmentCode, neededCode, requireEnrollmentCode } from './enrollment-codes.ts'
import { hasFactor } from './state.ts'
import {
  DELETE_PASSKEYS,
  endFactors,
  IS_ENABLED,
  requireVerifiedContact,
  revokeAtEnrollment,
  type Records,
} from './enrollment.ts'

/** The passkeys of accounts. Methods with a bearer throw Failure 401 `token_revoked`. */
export type PasskeyRows = {
  /** Returns a passkey by the id of its credential, with the account that it belongs to. */
  findPasskey(credentialId: Uint8Array): Promise<FoundPasskey | undefined>
  /**
   * Returns what a new passkey of the account is created with.
   *
   * @throws Failure 409 `verified_contact_required`, 503 `factors_unavailable`
   */
  passkeyOwner(bearer: Bearer): Promise<PasskeyOwner>
  /**
   * Adds a passkey and uses up its challenge. With the first factor, everything else is revoked as by `endOthers`, and the
   * account gets recovery codes.
   *
   * @throws Failure 403 `reauthentication_required`, 409 `verified_contact_required`, 422 on `credential`, 503
   * `factors_unavailable`
   */
  addPasskey(bearer: Bearer, addition: PasskeyAddition): Promise<AddedPasskey>
  /** @throws Failure 403 `reauthentication_required`, 404 `passkey_unknown` */
  renamePasskey(bearer: Bearer, passkey: { id: string; name: string }): Promise<ListedPasskey>
  /**
   * Removes a passkey, and with the last factor the recovery codes.
   *
   * @throws Failure 403 `reauthentication_required`, 404 `passkey_unknown`
   */
  deletePasskey(bearer: Bearer, id: string, records: Records): Promise<{ owner: FactorOwner; deleted: DeletedPasskey }>
}

type FoundPasskey = StoredPasskey & Readonly<{ account: Credentials }>

type PasskeyOwner = Readonly<{
  email: string
  userHandle: Uint8Array<ArrayBuffer> | null
  passkeys: readonly PasskeyDescriptor[]
}>

type PasskeyAddition = Records &
  Readonly<{
    passkey: NewPasskey
    name: string
    enrollment: Enrollment
    /** The hashes of the recovery codes, stored with the first factor */
    recoveryHashes: readonly Uint8Array[]
  }>

type AddedPasskey = Readonly<{ passkey: ListedPasskey; owner: FactorOwner; isFirst: boolean }>

const p = table('Passkey', 'p')
const a = table('Account', 'a')

const FIND = query(
  select({
    id: p.id,
    credentialId: p.credentialId,
    transports: p.transports,
    publicKey: p.publicKey,
    userHandle: p.userHandle,
    counter: column<number>('p.counter::float8'),
    backupEligible: p.backupEligible,
    accountId: a.id,
    email: a.email,
    passwordHash: a.passwordHash,
    status: a.status,
  }),
  (list) => `SELECT ${list} FROM passkeys p JOIN accounts a ON a.id = p.account_id WHERE p.credential_id = $1`,
  'find-passkey',
)

const outer = outerTable('Passkey', 'p')

/** One row for each passkey of the account, or one without any */
const READ_OWNER = query(
  select({
    email: a.email,
    hasVerifiedContact: HAS_VERIFIED_CONTACT,
    isEnabled: column<boolean>(IS_ENABLED),
    credentialId: outer.credentialId,
    transports: outer.transports,
    userHandle: outer.userHandle,
  }),
  (list) => `
    SELECT ${list} FROM accounts a JOIN sessions s ON s.account_id = a.id LEFT JOIN passkeys p ON p.account_id = a.id AND ${hasFactor()}
    WHERE a.id = $2 AND a.status = 'active' AND s.id = $3 AND s.ended_at IS NULL ORDER BY p.created_at, p.id`,
  'read-passkey-owner',
)

/** Why a passkey was not added to a locked account */
const READ_STATE = query(
  select({
    isEnabled: column<boolean>(IS_ENABLED),
    isUsed: column<boolean>('EXISTS (SELECT FROM used_challenges c WHERE c.challenge_hash = $1)'),
    isKnown: column<boolean>('EXISTS (SELECT FROM passkeys p WHERE p.credential_id = $2)'),
  }),
  (list) => `SELECT ${list}`,
)

export function passkeyRows({ pool, shift, inChange }: StoreParts): PasskeyRows {
  return {
    async findPasskey(credentialId) {
      const found = await queryRow(pool, FIND, credentialId)
      if (!found) return undefined
      const { accountId, email, passwordHash, status, ...passkey } = found
      return { ...passkey, account: { id: accountId, email, passwordHash, status } }
    },
    async passkeyOwner({ accountId, sessionId }) {
      const rows = await queryRows(pool, READ_OWNER, shift(), accountId, sessionId)
      const [first] = rows
      if (!first) throw new Failure('token_revoked')
      const { email, hasVerifiedContact, isEnabled, userHandle } = first
      if (!hasVerifiedContact) throw new Failure('verified_contact_required')
      if (!isEnabled) throw new Failure('factors_unavailable')
      return { email, userHandle, passkeys: rows.flatMap(toDescriptor) }
    },
    addPasskey: (bearer, addition) => inChange((change) => add(change, bearer, addition)),
    async renamePasskey(bearer, { id, name }) {
      return inChange(async (change) => {
        await lockProtected(change, bearer)
        const renamed = await change.write(bearer.accountId, {
          parts: (bind) => [renaming({ id, name }, bind)],
          columns: LISTED_PASSKEY,
          from: 'renamed p',
        })
        if (!renamed) throw new Failure('passkey_unknown')
        return renamed
      })
    },
    async deletePasskey(bearer, id, { auditContext, toMails }) {
      const { accountId } = bearer
      return inChange(async (change) => {
        const owner = await lockProtected(change, bearer)
        const deleted = await change.write(accountId, {
          onlyIf: (bind) =>
            `EXISTS (SELECT FROM passkeys WHERE account_id = ${bind(accountId)} AND id = ${bind(id)}::uuid)`,
          parts: (bind) => [deletion(id, bind), ...endFactors(hasOther(id, bind))],
          columns: { relyingPartyId: p.relyingPartyId, credentialId: p.credentialId },
          from: 'deleted_passkey p',
          auditEvents: [{ event: 'passkey_removed', accountId, ...auditContext }],
          mails: toMails(owner),
        })
        if (!deleted) throw new Failure('passkey_unknown')
        return { owner, deleted }
      })
    },
  }
}

/** Locks an account whose passkeys are in use. After a reset of the factors, what remains of them is unknown to the owner. */
async function lockProtected(change: Change, bearer: Bearer): Promise<FactorOwner> {
  const owner = await lockFactorsForUpdate(change, bearer)
  if (owner.factorsSince === null) throw new Failure('passkey_unknown')
  return owner
}

async function add(change: Change, bearer: Bearer, addition: PasskeyAddition): Promise<AddedPasskey> {
  const { accountId, sessionId } = bearer
  const { passkey, enrollment, recoveryHashes, auditContext, toMails } = addition
  const account = await lockFactorsForUpdate(change, bearer)
  requireVerifiedContact(account)
  const isFirst = account.factorsSince === null
  const needed = neededCode(enrollment, account)
  const added = await change.write(accountId, {
    onlyIf: (bind) => `${IS_ENABLED} AND ${isChallengeUnused(passkey.challenge, bind)}
      ${isFirst ? '' : `AND (SELECT count(*) FROM passkeys WHERE account_id = ${bind(accountId)}) < ${LIMITS.passkeys.max}`}
      AND NOT EXISTS (SELECT FROM passkeys WHERE credential_id = ${bind(passkey.credentialId)})
      ${needed ? `AND ${isEnrollmentCode(needed, bind)}` : ''}`,
    parts: (bind) => [
      insertion(addition, bind),
      useChallenge(passkey.challenge, bind),
      ...(isFirst
        ? [DELETE_PASSKEYS, storeRecoveryCodes(recoveryHashes, bind), ...revokeAtEnrollment(sessionId, bind)]
        : []),
    ],
    columns: LISTED_PASSKEY,
    from: 'added p',
    isUpdate: isFirst && 'if changed',
    auditEvents: [{ event: 'passkey_added', accountId, ...auditContext }],
    mails: toMails(account),
  })
  if (!added) {
    if (needed) await requireEnrollmentCode(change, needed)
    throw await refusal(change.transaction, passkey)
  }
  return { passkey: added, owner: account, isFirst }
}

/** A concurrent request of another account can add the same credential after the condition was evaluated. */
async function refusal(transaction: Driver, { challenge, credentialId }: NewPasskey): Promise<Failure> {
  const { isEnabled, isUsed, isKnown } = await queryOnlyRow(transaction, READ_STATE, challenge.hash, credentialId)
  if (!isEnabled) return new Failure('factors_unavailable')
  if (isKnown) return invalidData({ credential: ['passkey_known'] })
  if (isUsed) return invalidData({ credential: ['passkey_wrong'] })
  return invalidData({ credential: [{ code: 'passkeys_max', values: { limit: LIMITS.passkeys.max } }] })
}

function insertion({ passkey, name }: PasskeyAddition, bind: Bind): Part {
  const { credentialId, userHandle, publicKey, counter, transports, relyingPartyId, aaguid } = passkey
  const sql = `
    INSERT INTO passkeys (account_id, credential_id, user_handle, public_key, counter, transports, relying_party_id, aaguid,
      name, backup_eligible, backed_up, created_at)
    SELECT account_id, ${bind(credentialId)}::bytea, ${bind(userHandle)}::bytea, ${bind(publicKey)}::bytea, ${bind(counter)}::bigint,
      ${bind(transports)}::text[], ${bind(relyingPartyId)}, ${bind(aaguid)}::uuid, ${bind(name)},
      ${bind(passkey.backupEligible)}::boolean, ${bind(passkey.backedUp)}::boolean, ${NOW}
    FROM target ON CONFLICT (credential_id) DO NOTHING RETURNING *`
  return { name: 'added', sql }
}

/** What remains of factors that a reset has ended is replaced. */
function storeRecoveryCodes(hashes: readonly Uint8Array[], bind: Bind): Part {
  const sql = `
    INSERT INTO second_factors (account_id, recovery_codes) SELECT account_id, ${bind(hashes)}::bytea[] FROM target
    ON CONFLICT (account_id) DO UPDATE SET recovery_codes = excluded.recovery_codes, totp_secret = NULL, totp_confirmed_at = NULL`
  return { name: 'recovery_codes', sql }
}

function renaming({ id, name }: { id: string; name: string }, bind: Bind): Part {
  const sql = `
    UPDATE passkeys p SET name = ${bind(name)} FROM target t
    WHERE p.account_id = t.account_id AND p.id = ${bind(id)}::uuid RETURNING p.*`
  return { name: 'renamed', sql }
}

function deletion(id: string, bind: Bind): Part {
  const sql = `
    DELETE FROM passkeys p USING target t WHERE p.account_id = t.account_id AND p.id = ${bind(id)}::uuid RETURNING p.*`
  return { name: 'deleted_passkey', sql }
}

/** Whether the account `t` has another factor than a passkey */
function hasOther(id: string, bind: Bind): string {
  return `(EXISTS (SELECT FROM passkeys p WHERE p.account_id = t.account_id AND p.id <> ${bind(id)}::uuid)
    OR EXISTS (SELECT FROM second_factors f WHERE f.account_id = t.account_id AND f.totp_secret IS NOT NULL))`
}

type JoinedPasskey = Readonly<{ credentialId: Uint8Array<ArrayBuffer> | null; transports: string[] | null }>

function toDescriptor({ credentialId, transports }: JoinedPasskey): PasskeyDescriptor[] {
  return credentialId ? [{ credentialId, transports: transports ?? [] }] : []
}
