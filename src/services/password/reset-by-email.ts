import type { Context } from '../../context.ts'
import type { AnyCall, Body } from '../../contract/operation.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import { invalidData, type FieldFailures } from '../../domain/failure.ts'
import type { PhoneVerification } from '../../domain/phones/phone-verification.ts'
import type { RecoverableAccount, RecoverableOwner } from '../../domain/accounts/recovery.ts'
import type { PersonalDetails } from '../../domain/passwords/password.ts'
import { networkRequester } from '../../domain/requester.ts'
import { toFactorRecords } from '../factors/notify.ts'
import { notifyContactBySms } from '../notifications/sms.ts'
import { announceChange, newUndo } from '../notifications/undo-notice.ts'
import { composeMails } from '../notifications/mail.ts'
import { checkNewPassword } from '../profile/check-identity.ts'
import { confirmCode } from '../phone/confirm-code.ts'
import { refuseToken } from '../refuse-token.ts'
import { sendResetCode } from '../phone/send-code.ts'

type Form = Extract<Body<'resetPassword'>, { by: 'email' }>

/**
 * Sets the password with a token from an e-mail, and stores the notice about it.
 *
 * @throws Failure 422 on `otp` when the address was never verified: a code was sent to the phone number
 */
export async function resetByEmail({ token, otp, password }: Form, request: AnyCall, context: Context): Promise<void> {
  const { store, passwords, resetTokens } = context
  const { client, abandoned } = request
  const tokenHash = resetTokens.hash(token)
  const account = await store.recovery.byToken(tokenHash)
  const verification = account && (await confirmGivenCode(account, otp, request, context))
  const requester = networkRequester(client.network, abandoned)
  const faults = await checkNewPassword(password, knownDetails(account, verification), requester, context)
  const wrongPassword: FieldFailures = faults.length > 0 ? { password: faults } : {}
  if (!account) {
    const failures = { token: ['reset_token_wrong'], ...wrongPassword } as const
    return refuseToken('password_reset_failed', failures, request, context)
  }

  const isMissingCode = account.needsCode && !verification
  const failures = isMissingCode ? await requireCode(account, otp, faults.length > 0, request, context) : {}
  const wrong = { ...failures, ...wrongPassword }
  if (Object.keys(wrong).length > 0) throw invalidData(wrong) // the token stays valid
  const passwordHash = await passwords.hash(password, requester)
  const undo = newUndo(context)
  const changed = await store.recovery.resetByToken(
    tokenHash,
    { passwordHash, verification },
    {
      auditContext: toAuditContext(client),
      undo,
      toMails: ({ id: accountId, email: to }) => composeMails([{ accountId, to, about: 'password' }], request, context),
      removal: toFactorRecords('factors_undone', request, context),
    },
  )
  if (!changed) throw invalidData({ token: ['reset_token_wrong'] }) // another request was faster
  const { id: accountId, needsCode, verifiedPhone, number: phone, phoneCode, opened } = changed
  if (needsCode || verifiedPhone === null) return // the number has just received a code, or was not verified
  const owner = { accountId, email: changed.email, phone, phoneCode, phoneVerified: true }
  if (opened.hasCode) announceChange(owner, { what: 'password', opened, undo }, request, context)
  else notifyContactBySms(owner, 'reset_sms', request, context)
}

/** Without the code, failures must not depend on the name and the number: an address that was never verified may be mistyped. */
function knownDetails(
  account: RecoverableOwner | undefined,
  verification: PhoneVerification | undefined,
): PersonalDetails {
  if (!account) return {}
  return account.needsCode && !verification ? { email: account.email } : account.owner
}

/** Confirms the code that an address needs if it was never verified. */
async function confirmGivenCode(
  { needsCode, phone }: RecoverableAccount,
  otp: string | undefined,
  { client, rateLimiter }: AnyCall,
  context: Context,
): Promise<PhoneVerification | undefined> {
  if (!needsCode || !phone || otp === undefined) return undefined
  return confirmCode({ phone: phone.e164, purpose: 'reset', otp, client, rateLimiter }, context)
}

/** Sends the code by SMS if only it is missing. Returns the failures. */
async function requireCode(
  { phone }: RecoverableAccount,
  otp: string | undefined,
  isWrong: boolean,
  request: AnyCall,
  context: Context,
): Promise<FieldFailures> {
  if (!phone) return { token: ['reset_phone_missing'] }
  if (otp !== undefined) return { otp: ['otp_wrong'] }
  if (isWrong) return {}
  await sendResetCode(phone, 'reset', request, context)
  return { otp: ['required'] }
}
