import { LIMITS } from '../../../generated/limits.ts'
import { column, outerTable, pick, query, queryRow, queryRows, table } from '../../database/sql.ts'
import type { Bearer, Credentials, LoginCredentials } from '../../domain/accounts/account.ts'
import type { Enrollment } from '../../domain/factors/required-factor.ts'
import type {
  DeletedPasskey,
  ListedPasskey,
  NewPasskey,
  PasskeyDescriptor,
  StoredPasskey,
} from '../../domain/factors/passkey.ts'
import { Failure, invalidData, type FieldFailure } from '../../domain/failure.ts'
import { HAS_VERIFIED_CONTACT, lockAndAuthorizeFactors, type LockedFactorOwner } from '../accounts/lock-account.ts'
import type { ModelChange, StoreParts } from '../changes.ts'
import { requireEnrollmentCode } from './enrollment-codes.ts'
import {
  endProtectionUnlessNeeded,
  establishedFrom,
  recordAddition,
  requireVerifiedContact,
  type ChangedFactors,
  type ChangeRecords,
} from './enrollment.ts'
import { openUndo } from '../undo/open.ts'
import { isStillProven, useProof, type ProvenRecords } from './proofs.ts'
import { HAS_FACTOR, IS_ENABLED } from './state.ts'
import { IS_KNOWN } from '../sessions/begin.ts'
import { OF_BEARER } from '../sessions/state.ts'

/** The passkeys of accounts. Methods with a bearer throw Failure 401 `token_revoked`. */
export type PasskeyRows = {
  /** Returns a passkey by the id of its credential, with the account that it belongs to, and whether that knows the network. */
  findPasskey(credentialId: Uint8Array, network: string): Promise<FoundPasskey | undefined>
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
   * @throws Failure 403 `reauthentication_required`, 409 `verified_contact_required`, 422 on `credential`, also if the proof of the
   * request for the challenge is no longer the strongest, 503 `factors_unavailable`
   */
  addPasskey(bearer: Bearer, addition: PasskeyAddition): Promise<AddedPasskey>
  /** @throws Failure 403 `reauthentication_required`, 404 `passkey_unknown` */
  renamePasskey(bearer: Bearer, passkey: { id: string; name: string }): Promise<ListedPasskey>
  /**
   * Removes a passkey, and with the last factor the recovery codes.
   *
   * @throws Failure like `prove`, 404 `passkey_unknown`
   */
  deletePasskey(
    bearer: Bearer,
    id: string,
    records: ProvenRecords,
  ): Promise<ChangedFactors & { deleted: DeletedPasskey }>
}

type FoundPasskey = StoredPasskey & Readonly<{ account: Credentials & Pick<LoginCredentials, 'isKnownNetwork'> }>

type PasskeyOwner = Readonly<{
  email: string
  userHandle: Uint8Array<ArrayBuffer> | null
  passkeys: readonly PasskeyDescriptor[]
}>

type PasskeyAddition = ChangeRecords &
  Readonly<{
    passkey: NewPasskey
    name: string
    enrollment: Enrollment
    /** The hashes of the recovery codes, stored with the first factor */
    recoveryHashes: readonly Uint8Array<ArrayBuffer>[]
  }>

type AddedPasskey = ChangedFactors & Readonly<{ passkey: ListedPasskey; isFirst: boolean }>

const p = table('Passkey', 'p')
const a = table('Account', 'a')

const FIND = query(
  {
    ...pick(p, 'id', 'credentialId', 'transports', 'publicKey', 'userHandle'),
    counter: column<number>('p.counter::float8'),
    backupEligible: p.backupEligible,
    accountId: a.id,
    ...pick(a, 'email', 'passwordHash', 'status'),
    isKnownNetwork: column<boolean>(IS_KNOWN),
  },
  (list) => `SELECT ${list} FROM passkeys p JOIN accounts a ON a.id = p.account_id WHERE p.credential_id = $2`,
  'find-passkey',
)

const outer = outerTable('Passkey', 'p')

/** One row for each passkey of the account, or one without any */
const READ_OWNER = query(
  {
    email: a.email,
    hasVerifiedContact: HAS_VERIFIED_CONTACT,
    isEnabled: column<boolean>(IS_ENABLED),
    ...pick(outer, 'credentialId', 'transports', 'userHandle'),
  },
  (list) => `
    SELECT ${list} FROM accounts a JOIN sessions s ON s.account_id = a.id LEFT JOIN passkeys p ON p.account_id = a.id AND ${HAS_FACTOR}
    WHERE ${OF_BEARER} ORDER BY p.created_at, p.id`,
  'read-passkey-owner',
)

export function passkeyRows({ pool, inModelChange }: StoreParts): PasskeyRows {
  return {
    async findPasskey(credentialId, network) {
      const found = await queryRow(pool, FIND, network, credentialId)
      if (!found) return undefined
      const { accountId, email, passwordHash, status, isKnownNetwork, ...passkey } = found
      return { ...passkey, account: { id: accountId, email, passwordHash, status, isKnownNetwork } }
    },
    async passkeyOwner({ accountId, sessionId }) {
      const rows = await queryRows(pool, READ_OWNER, accountId, sessionId)
      const [first] = rows
      if (!first) throw new Failure('token_revoked')
      const { email, hasVerifiedContact, isEnabled, userHandle } = first
      if (!hasVerifiedContact) throw new Failure('verified_contact_required')
      if (!isEnabled) throw new Failure('factors_unavailable')
      const passkeys = rows.flatMap(({ credentialId, transports }) =>
        credentialId ? [{ credentialId, transports: transports ?? [] }] : [],
      )
      return { email, userHandle, passkeys }
    },
    addPasskey: (bearer, addition) => inModelChange((change) => add(change, bearer, addition)),
    renamePasskey: (bearer, { id, name }) =>
      inModelChange(async (change) => {
        const { accountId } = await lockProtected(change, bearer)
        const renamed = { where: { id, accountId }, data: { name }, select: LISTED }
        const [passkey] = await change.tx.passkey.updateManyAndReturn(renamed)
        if (!passkey) throw new Failure('passkey_unknown')
        return passkey
      }),
    deletePasskey: (bearer, id, { given, auditContext, undo, toMails }) =>
      inModelChange(async (change) => {
        const owner = await lockProtected(change, bearer)
        await useProof(change, owner, given)
        const { accountId } = owner
        const deleted = await change.tx.passkey.findFirst({ where: { id, accountId }, select: AS_BROWSERS })
        if (!deleted) throw new Failure('passkey_unknown')
        const opened = await openUndo(change, owner, undo)
        await change.tx.passkey.deleteMany({ where: { id, accountId } })
        await endProtectionUnlessNeeded(change, accountId)
        await change.record(accountId, {
          auditEvents: [{ event: 'passkey_removed', accountId, ...auditContext }],
          mails: toMails(owner, opened),
        })
        return { owner, opened, deleted }
      }),
  }
}

const LISTED = { id: true, name: true, createdAt: true, lastUsedAt: true, backedUp: true } as const
const AS_BROWSERS = { relyingPartyId: true, credentialId: true } as const

/** Locks an account whose passkeys are in use. After a reset of the factors, what remains of them is unknown to the owner. */
async function lockProtected(change: ModelChange, bearer: Bearer): Promise<LockedFactorOwner> {
  const owner = await lockAndAuthorizeFactors(change, bearer)
  if (owner.factorsSince === null) throw new Failure('passkey_unknown')
  return owner
}

async function add(change: ModelChange, bearer: Bearer, addition: PasskeyAddition): Promise<AddedPasskey> {
  const { accountId, sessionId } = bearer
  const { passkey, name, enrollment, recoveryHashes, ...records } = addition
  const owner = await lockAndAuthorizeFactors(change, bearer)
  requireVerifiedContact(owner)
  const from = establishedFrom(owner, await requireEnrollmentCode(change, owner, enrollment))
  if (!(await isStillProven(change, accountId, passkey))) throw invalid('passkey_wrong')
  if (!owner.areFactorsEnabled) throw new Failure('factors_unavailable')
  const isFirst = owner.factorsSince === null
  await requireAddable(change, passkey, isFirst ? undefined : accountId)
  const opened = await openUndo(change, owner, records.undo)
  if (isFirst) await replaceFactors(change, accountId, { hashes: recoveryHashes, from })
  const { challenge: _, byFactor: __, transports, ...credential } = passkey
  const ages = { createdAt: owner.now, establishedAt: from }
  const data = { ...credential, ...ages, transports: [...transports], accountId, name }
  const { tx } = change
  const [added] = await tx.passkey.createManyAndReturn({ data, skipDuplicates: true, select: LISTED })
  if (!added) throw invalid('passkey_known') // a concurrent request of another account has added it
  await recordAddition(change, owner, { event: 'passkey_added', sessionId, opened, ...records })
  return { passkey: added, owner, opened, isFirst }
}

/**
 * Uses the challenge of a new passkey up.
 *
 * @param accountId the account, if it has passkeys already
 * @throws Failure 422 on `credential`
 */
async function requireAddable(
  { tx }: ModelChange,
  { credentialId, challenge: { hash: challengeHash, expiresAt } }: NewPasskey,
  accountId: number | undefined,
): Promise<void> {
  if ((await tx.passkey.count({ where: { credentialId } })) > 0) throw invalid('passkey_known')
  const challenge = { data: { challengeHash, expiresAt }, skipDuplicates: true }
  const used = await tx.usedChallenge.createMany(challenge) // waits for a concurrent request with the same one
  if (used.count === 0) throw invalid('passkey_wrong')
  const limit = LIMITS.passkeys.max
  if (accountId === undefined || (await tx.passkey.count({ where: { accountId } })) < limit) return
  throw invalid({ code: 'passkeys_max', values: { limit } })
}

/** Replaces what remains of factors that a reset has ended. */
async function replaceFactors(
  { tx }: ModelChange,
  accountId: number,
  { hashes, from }: Readonly<{ hashes: PasskeyAddition['recoveryHashes']; from: Date }>,
): Promise<void> {
  const factors = { recoveryCodes: [...hashes], codesEstablishedAt: from, totpSecret: null, totpConfirmedAt: null }
  await tx.passkey.deleteMany({ where: { accountId } })
  await tx.secondFactors.upsert({
    where: { accountId },
    create: { accountId, ...factors },
    update: factors,
    select: { accountId: true },
  })
}

function invalid(failure: FieldFailure): Failure {
  return invalidData({ credential: [failure] })
}
