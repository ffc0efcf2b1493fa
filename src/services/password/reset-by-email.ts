import type { Context } from '../../context.ts'
import type { Body, Call } from '../../contract/operation.ts'
import { invalidData, type FieldFailures } from '../../domain/failure.ts'
import type { PhoneVerification } from '../../domain/phones/code-window.ts'
import type { RecoverableAccount } from '../../domain/accounts/recovery.ts'
import { networkRequester } from '../../domain/limits/requester.ts'
import { checkNewPassword } from '../profile/check-identity.ts'
import { confirmCode } from '../phone/confirm-code.ts'
import { refuseToken } from './refuse-token.ts'
import { resetRecords } from './reset-records.ts'
import { consumeSend } from '../phone/code-requests.ts'
import { requireSent, sendCode } from '../phone/send-code.ts'

type Form = Extract<Body<'resetPassword'>, { by: 'email' }>
type RequestInfo = Pick<Call<'resetPassword'>, 'client' | 'abandoned' | 'rateLimiter' | 'language'>

/**
 * Sets the password with a token from an e-mail, and stores the notice about it.
 *
 * @throws Failure 422 on `otp` when the address was never verified: a code was sent to the phone number
 */
export async function resetByEmail(
  { token, otp, password }: Form,
  request: RequestInfo,
  context: Context,
): Promise<void> {
  const { store, passwords, resetTokens } = context
  const { client, abandoned } = request
  const tokenHash = resetTokens.hash(token)
  const account = await store.recovery.byToken(tokenHash)
  const requester = networkRequester(client.network, abandoned)
  const faults = await checkNewPassword(password, account?.owner ?? {}, requester, context)
  const wrongPassword: FieldFailures = faults.length > 0 ? { password: faults } : {}
  if (!account) {
    const failures = { token: ['reset_token_wrong'], ...wrongPassword } as const
    return refuseToken('password_reset_failed', failures, request, context)
  }

  const { window, failures } = await confirmOwner(account, otp, faults.length > 0, request, context)
  const wrong = { ...failures, ...wrongPassword }
  if (Object.keys(wrong).length > 0) throw invalidData(wrong) // the token stays valid
  const passwordHash = await passwords.hash(password, requester)
  const records = resetRecords(request, context)
  const changed = await store.recovery.resetByToken(tokenHash, { passwordHash, window }, records)
  if (!changed) throw invalidData({ token: ['reset_token_wrong'] }) // another request was faster
}

/** Requires a code by SMS too if the e-mail address was never verified, because it may be mistyped. */
async function confirmOwner(
  { needsCode, phone }: RecoverableAccount,
  otp: string | undefined,
  isWrong: boolean,
  { client, rateLimiter, language }: RequestInfo,
  context: Context,
): Promise<{ window?: PhoneVerification; failures: FieldFailures }> {
  if (!needsCode) return { failures: {} }
  if (!phone) return { failures: { token: ['reset_phone_missing'] } }
  if (otp !== undefined) {
    const window = await confirmCode({ phone: phone.e164, purpose: 'reset', otp, client, rateLimiter }, context)
    return window ? { window, failures: {} } : { failures: { otp: ['otp_wrong'] } }
  }
  if (isWrong) return { failures: {} } // the code is sent once only it is missing
  await consumeSend(client, rateLimiter)
  requireSent(await sendCode({ phone, channel: 'sms', purpose: 'reset', language, client }, context))
  return { failures: { otp: ['required'] } }
}
