import type { Bearer, FactorOwner } from '../../domain/accounts/account.ts'
import type { Enrollment } from '../../domain/factors/required-factor.ts'
import type { ListedFactors } from '../../domain/factors/second-factor.ts'
import { Failure } from '../../domain/failure.ts'
import { outerTable, select } from '../../database/columns.ts'
import type { Bind, Part } from '../../database/composed.ts'
import { NOW, query, queryRow } from '../../database/query.ts'
import { lockAccountForUpdate, lockFactorsForUpdate, updateAccount } from '../accounts/lock-account.ts'
import type { InChange, StoreParts } from '../changes.ts'
import {
  DELETE_FACTORS,
  DELETE_PASSKEYS,
  endFactors,
  IS_ENABLED,
  requireVerifiedContact,
  revokeAtEnrollment,
  type Records,
} from './enrollment.ts'
import { JOIN_FACTORS, LISTED_FACTORS } from './columns.ts'
import { findEnrollmentFailure, isEnrollmentCode, neededCode, requireEnrollmentCode } from './enrollment-codes.ts'
import { passkeyRows, type PasskeyRows } from './passkeys.ts'
import { provenSessions, type ProvenSessions } from './proven-sessions.ts'
import { factorResets, type FactorResets } from './resets.ts'
import { NO_FACTORS } from './state.ts'
import { factorSecrets, type FactorSecrets } from './secrets.ts'

export type Factors = OwnSecondFactors & PasskeyRows & ProvenSessions & FactorSecrets & FactorResets

/** The second factors of the account of a token. All methods throw Failure 401 `token_revoked`. */
type OwnSecondFactors = {
  read(bearer: Bearer): Promise<OwnFactors>
  /**
   * Stores the secret of an authenticator app, which then waits to be confirmed. Returns the e-mail address of the account.
   *
   * @throws Failure 403 `reauthentication_required`, 409 `verified_contact_required`, 503 `factors_unavailable`
   */
  beginTotp(bearer: Bearer, sealed: Uint8Array): Promise<string>
  /** Returns what is wrong with the enrollment code of a request, before its other parts are verified. */
  enrollmentFailure(bearer: Bearer, enrollment: Enrollment): Promise<'required' | 'code_wrong' | undefined>
  /**
   * Adds the app whose secret waits. With the first factor, everything else is revoked as by `endOthers`, and the account
   * gets recovery codes.
   *
   * @throws Failure like `beginTotp`, 409 `totp_not_begun` if another secret waits, or none, 422 on `enrollment_code`
   */
  confirmTotp(bearer: Bearer, confirmation: TotpConfirmation): Promise<{ owner: FactorOwner; isFirst: boolean }>
  /**
   * Removes the app and a secret that waits, and with the last factor the recovery codes. Returns the owner of the app;
   * undefined if there was none.
   *
   * @throws Failure 403 `reauthentication_required`
   */
  deleteTotp(bearer: Bearer, records: Records): Promise<FactorOwner | undefined>
  /**
   * Replaces the recovery codes.
   *
   * @param hashes the hashes of the new ones
   * @throws Failure 403 `reauthentication_required`, 409 `second_factor_missing`
   */
  renewRecoveryCodes(bearer: Bearer, hashes: readonly Uint8Array[], records: Records): Promise<FactorOwner>
}

export type OwnFactors = ListedFactors & Readonly<{ totpPending: Uint8Array<ArrayBuffer> | null }>

type TotpConfirmation = Records &
  Readonly<{
    sealed: Uint8Array
    /** The time step of the code that confirms it */
    step: number
    /** The hashes of the recovery codes, stored with the first factor */
    recoveryHashes: readonly Uint8Array[]
    enrollment: Enrollment
  }>

const f = outerTable('SecondFactors', 'f')

const READ = query(
  select<OwnFactors>({
    ...LISTED_FACTORS,
    totpPending: f.totpPending,
  }),
  (list) => `
    SELECT ${list} FROM accounts a JOIN sessions s ON s.account_id = a.id ${JOIN_FACTORS}
    WHERE a.id = $2 AND a.status = 'active' AND s.id = $3 AND s.ended_at IS NULL`,
  'read-factors',
)

export function factors(parts: StoreParts): Factors {
  const { pool, shift, inChange } = parts
  return {
    async read({ accountId, sessionId }) {
      const found = await queryRow(pool, READ, shift(), accountId, sessionId)
      if (!found) throw new Failure('token_revoked')
      return found
    },
    enrollmentFailure: ({ accountId }, { codeHash }) => findEnrollmentFailure(pool, { accountId, codeHash }, shift()),
    ...enrollments(inChange),
    ...changes(inChange),
    ...passkeyRows(parts),
    ...provenSessions(parts),
    ...factorSecrets(parts),
    ...factorResets(parts),
  }
}

function enrollments(inChange: InChange): Pick<OwnSecondFactors, 'beginTotp' | 'confirmTotp'> {
  return {
    async beginTotp(bearer, sealed) {
      return inChange(async (change) => {
        const account = await lockAccountForUpdate(change, bearer)
        requireVerifiedContact(account)
        const begun = await change.write(bearer.accountId, {
          onlyIf: () => IS_ENABLED,
          parts: (bind) => [storePending(sealed, bind)],
        })
        if (!begun) throw new Failure('factors_unavailable')
        return account.email
      })
    },
    async confirmTotp(bearer, { sealed, step, recoveryHashes, enrollment, auditContext, toMails }) {
      const { accountId, sessionId } = bearer
      return inChange(async (change) => {
        const account = await lockFactorsForUpdate(change, bearer)
        requireVerifiedContact(account)
        const isFirst = account.factorsSince === null
        const code = neededCode(enrollment, account)
        const confirmed = await change.write(accountId, {
          onlyIf: (bind) =>
            [IS_ENABLED, isPending(accountId, sealed, bind), ...(code ? [isEnrollmentCode(code, bind)] : [])].join(
              ' AND ',
            ),
          parts: (bind) => [
            addTotp(step, isFirst ? recoveryHashes : undefined, bind),
            ...(isFirst ? [DELETE_PASSKEYS, ...revokeAtEnrollment(sessionId, bind)] : []),
          ],
          isUpdate: isFirst && 'if changed',
          auditEvents: [{ event: 'totp_added', accountId, ...auditContext }],
          mails: toMails(account),
        })
        if (!confirmed && code) await requireEnrollmentCode(change, code)
        if (!confirmed) throw new Failure('totp_not_begun')
        return { owner: account, isFirst }
      })
    },
  }
}

function changes(inChange: InChange): Pick<OwnSecondFactors, 'deleteTotp' | 'renewRecoveryCodes'> {
  return {
    async deleteTotp(bearer, { auditContext, toMails }) {
      const { accountId } = bearer
      return inChange(async (change) => {
        const owner = await lockFactorsForUpdate(change, bearer)
        if (owner.factorsSince === null) {
          await change.write(accountId, { parts: (bind) => [...DELETE_FACTORS, updateAccount(NO_FACTORS, bind)] })
          return undefined
        }
        const removed = await change.write(accountId, {
          onlyIf: (bind) =>
            `EXISTS (SELECT FROM second_factors WHERE account_id = ${bind(accountId)} AND totp_secret IS NOT NULL)`,
          parts: () => [forgetTotp(HAS_PASSKEY), ...endFactors(HAS_PASSKEY)],
          auditEvents: [{ event: 'totp_removed', accountId, ...auditContext }],
          mails: toMails(owner),
        })
        if (removed) return owner
        await change.write(accountId, { parts: () => [FORGET_PENDING] })
        return undefined
      })
    },
    async renewRecoveryCodes(bearer, hashes, { auditContext, toMails }) {
      const { accountId } = bearer
      return inChange(async (change) => {
        const owner = await lockFactorsForUpdate(change, bearer)
        if (owner.factorsSince === null) throw new Failure('second_factor_missing')
        await change.write(accountId, {
          parts: (bind) => [storeRecoveryCodes(hashes, bind)],
          auditEvents: [{ event: 'recovery_codes_renewed', accountId, ...auditContext }],
          mails: toMails(owner),
        })
        return owner
      })
    },
  }
}

function storePending(sealed: Uint8Array, bind: Bind): Part {
  const sql = `
    INSERT INTO second_factors (account_id, totp_pending) SELECT account_id, ${bind(sealed)}::bytea FROM target
    ON CONFLICT (account_id) DO UPDATE SET totp_pending = excluded.totp_pending`
  return { name: 'pending_totp', sql }
}

function isPending(accountId: number, sealed: Uint8Array, bind: Bind): string {
  return `EXISTS (SELECT FROM second_factors WHERE account_id = ${bind(accountId)} AND totp_pending = ${bind(sealed)})`
}

/** The code that confirms the app cannot be used again for a login. */
function addTotp(step: number, recoveryHashes: readonly Uint8Array[] | undefined, bind: Bind): Part {
  const codes = recoveryHashes === undefined ? '' : `, recovery_codes = ${bind(recoveryHashes)}::bytea[]`
  const sql = `
    UPDATE second_factors f SET totp_secret = f.totp_pending, totp_pending = NULL, totp_last_step = ${bind(step)},
      totp_confirmed_at = ${NOW}${codes}
    FROM target t WHERE f.account_id = t.account_id`
  return { name: 'added_totp', sql }
}

function storeRecoveryCodes(hashes: readonly Uint8Array[], bind: Bind): Part {
  const sql = `
    UPDATE second_factors f SET recovery_codes = ${bind(hashes)}::bytea[] FROM target t WHERE f.account_id = t.account_id`
  return { name: 'renewed_codes', sql }
}

const HAS_PASSKEY = 'EXISTS (SELECT FROM passkeys p WHERE p.account_id = t.account_id)'

function forgetTotp(condition: string): Part {
  const sql = `
    UPDATE second_factors f SET totp_secret = NULL, totp_pending = NULL, totp_confirmed_at = NULL
    FROM target t WHERE f.account_id = t.account_id AND ${condition}`
  return { name: 'forgotten_totp', sql }
}

const FORGET_PENDING: Part = {
  name: 'forgotten_pending',
  sql: 'UPDATE second_factors f SET totp_pending = NULL FROM target t WHERE f.account_id = t.account_id',
}
