import type { Bearer, FactorOwner } from '../../domain/accounts/account.ts'
import type { Enrollment } from '../../domain/factors/required-factor.ts'
import type { ListedFactors } from '../../domain/factors/second-factor.ts'
import { Failure } from '../../domain/failure.ts'
import { onlyIf, outerTable, query, queryRow } from '../../database/sql.ts'
import { lockAndAuthorizeFactors } from '../accounts/lock-account.ts'
import type { InModelChange, StoreParts } from '../changes.ts'
import {
  endProtection,
  endProtectionUnlessNeeded,
  establishedFrom,
  recordAddition,
  requireVerifiedContact,
  type ChangedFactors,
  type ChangeRecords,
} from './enrollment.ts'
import { JOIN_FACTORS, LISTED_FACTORS } from './columns.ts'
import { findEnrollmentFailure, requireEnrollmentCode } from './enrollment-codes.ts'
import { passkeyRows, type PasskeyRows } from './passkeys.ts'
import { provenSessions, type ProvenSessions } from './proven-sessions.ts'
import {
  factorProofs,
  isStillProven,
  useProof,
  type FactorProofs,
  type GivenProof,
  type ProvenRecords,
} from './proofs.ts'
import { openUndo } from '../undo/open.ts'
import { factorResets, type FactorResets } from './resets.ts'
import { factorSecrets, type FactorSecrets } from './secrets.ts'
import { OF_BEARER } from '../sessions/state.ts'

export type Factors = OwnSecondFactors & PasskeyRows & ProvenSessions & FactorProofs & FactorSecrets & FactorResets

/** The second factors of the account of a token. All methods throw Failure 401 `token_revoked`. */
type OwnSecondFactors = {
  read(bearer: Bearer): Promise<OwnFactors>
  /**
   * Stores the secret of an authenticator app, which then waits to be confirmed in the session.
   *
   * @throws Failure like `prove`, 409 `verified_contact_required`, 503 `factors_unavailable`
   */
  beginTotp(bearer: Bearer, sealed: Bytes, given: GivenProof): Promise<FactorOwner>
  /** Returns what is wrong with the enrollment code of a request, before its other parts are verified. */
  enrollmentFailure(bearer: Bearer, enrollment: Enrollment): Promise<'required' | 'code_wrong' | undefined>
  /**
   * Adds the app whose secret waits. With the first factor, everything else is revoked as by `endOthers`, and the account
   * gets recovery codes.
   *
   * @throws Failure 403 `reauthentication_required`, 409 `verified_contact_required`, or `totp_not_begun` if another secret waits,
   * none, or one whose proof is no longer the strongest, 422 on `enrollment_code`, 503 `factors_unavailable`
   */
  confirmTotp(bearer: Bearer, confirmation: TotpConfirmation): Promise<ChangedFactors & { isFirst: boolean }>
  /**
   * Removes the app and a secret that waits, and with the last factor the recovery codes. Returns undefined if there was no app.
   *
   * @throws Failure like `prove`
   */
  deleteTotp(bearer: Bearer, records: ProvenRecords): Promise<ChangedFactors | undefined>
  /**
   * Replaces the recovery codes.
   *
   * @param hashes the hashes of the new ones
   * @throws Failure like `prove`, 409 `second_factor_missing`
   */
  renewRecoveryCodes(bearer: Bearer, hashes: readonly Bytes[], records: ProvenRecords): Promise<ChangedFactors>
}

type Bytes = Uint8Array<ArrayBuffer>

export type OwnFactors = ListedFactors & Readonly<{ totpPending: Bytes | null }>

type TotpConfirmation = ChangeRecords &
  Readonly<{
    sealed: Bytes
    /** The time step of the code that confirms it */
    step: number
    /** The hashes of the recovery codes, stored with the first factor */
    recoveryHashes: readonly Bytes[]
    enrollment: Enrollment
  }>

const f = outerTable('SecondFactors', 'f')

const READ = query<OwnFactors>(
  { ...LISTED_FACTORS, totpPending: onlyIf('f.totp_pending_session_id = $2', f.totpPending) },
  (list) => `
    SELECT ${list} FROM accounts a JOIN sessions s ON s.account_id = a.id ${JOIN_FACTORS}
    WHERE ${OF_BEARER}`,
  'read-factors',
)

export function factors(parts: StoreParts): Factors {
  const { pool, inModelChange } = parts
  return {
    async read({ accountId, sessionId }) {
      const found = await queryRow(pool, READ, accountId, sessionId)
      if (!found) throw new Failure('token_revoked')
      return found
    },
    enrollmentFailure: ({ accountId }, { codeHash }) => findEnrollmentFailure(pool, { accountId, codeHash }),
    ...enrollments(inModelChange),
    ...changes(inModelChange),
    ...passkeyRows(parts),
    ...provenSessions(parts),
    ...factorProofs(parts),
    ...factorSecrets(parts),
    ...factorResets(parts),
  }
}

function enrollments(inModelChange: InModelChange): Pick<OwnSecondFactors, 'beginTotp' | 'confirmTotp'> {
  return {
    beginTotp: (bearer, totpPending, given) =>
      inModelChange(async (change) => {
        const owner = await lockAndAuthorizeFactors(change, bearer)
        const { accountId } = owner
        requireVerifiedContact(owner)
        const { byFactor } = await useProof(change, owner, given)
        if (!owner.areFactorsEnabled) throw new Failure('factors_unavailable')
        const pending = { totpPending, totpPendingSessionId: bearer.sessionId, totpPendingByFactor: byFactor }
        await change.tx.secondFactors.upsert({
          where: { accountId },
          create: { accountId, ...pending },
          update: pending,
          select: { accountId: true },
        })
        return owner
      }),
    confirmTotp: (bearer, { sealed, step, recoveryHashes, enrollment, ...records }) =>
      inModelChange(async (change) => {
        const { accountId, sessionId } = bearer
        const owner = await lockAndAuthorizeFactors(change, bearer)
        requireVerifiedContact(owner)
        const isVouchedFor = await requireEnrollmentCode(change, owner, enrollment)
        const isByPassword = await isStillProven(change, accountId, { byFactor: false })
        const isFirst = owner.factorsSince === null
        const opened = await openUndo(change, owner, records.undo)
        const from = establishedFrom(owner, isVouchedFor)
        const app = {
          totpSecret: sealed,
          totpPending: null,
          totpLastStep: step, // the code that confirms the app cannot be used again for a login
          totpConfirmedAt: owner.now,
          totpEstablishedAt: from,
          ...(isFirst && { recoveryCodes: [...recoveryHashes], codesEstablishedAt: from }),
        }
        const own = { accountId, totpPending: sealed, totpPendingSessionId: sessionId }
        const pending = { ...own, ...(!isByPassword && { totpPendingByFactor: true }) }
        const confirmed = await change.tx.secondFactors.updateMany({ where: pending, data: app })
        if (confirmed.count === 0 || !owner.areFactorsEnabled) throw new Failure('totp_not_begun')
        if (isFirst) await change.tx.passkey.deleteMany({ where: { accountId } })
        await recordAddition(change, owner, { event: 'totp_added', sessionId, opened, ...records })
        return { owner, opened, isFirst }
      }),
  }
}

const NO_APP = { totpSecret: null, totpPending: null, totpConfirmedAt: null }

function changes(inModelChange: InModelChange): Pick<OwnSecondFactors, 'deleteTotp' | 'renewRecoveryCodes'> {
  return {
    deleteTotp: (bearer, { given, auditContext, undo, toMails }) =>
      inModelChange(async (change) => {
        const { accountId } = bearer
        const { secondFactors } = change.tx
        const owner = await lockAndAuthorizeFactors(change, bearer)
        await useProof(change, owner, given)
        if (owner.factorsSince === null) {
          await endProtection(change, accountId) // what remains of factors that a reset has ended
          return undefined
        }
        const inUse = { accountId, totpSecret: { not: null } }
        if ((await secondFactors.count({ where: inUse })) === 0) {
          await secondFactors.updateMany({ where: { accountId }, data: { totpPending: null } })
          return undefined
        }
        const opened = await openUndo(change, owner, undo)
        await secondFactors.updateMany({ where: inUse, data: NO_APP })
        await endProtectionUnlessNeeded(change, accountId)
        await change.record(accountId, {
          auditEvents: [{ event: 'totp_removed', accountId, ...auditContext }],
          mails: toMails(owner, opened),
        })
        return { owner, opened }
      }),
    renewRecoveryCodes: (bearer, hashes, { given, auditContext, undo, toMails }) =>
      inModelChange(async (change) => {
        const { accountId } = bearer
        const owner = await lockAndAuthorizeFactors(change, bearer)
        if (owner.factorsSince === null) throw new Failure('second_factor_missing')
        await useProof(change, owner, given)
        const opened = await openUndo(change, owner, undo)
        const codes = { recoveryCodes: [...hashes], codesEstablishedAt: establishedFrom(owner, false) }
        await change.tx.secondFactors.updateMany({ where: { accountId }, data: codes })
        await change.record(accountId, {
          auditEvents: [{ event: 'recovery_codes_renewed', accountId, ...auditContext }],
          mails: toMails(owner, opened),
        })
        return { owner, opened }
      }),
  }
}
