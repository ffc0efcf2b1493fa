import type { Context } from '../../context.ts'
import type { Body, Call } from '../../contract.ts'
import { invalidData, type FieldFailures } from '../../domain/failure.ts'
import type { PhoneVerification } from '../../domain/phone-verification.ts'
import type { Recoverable } from '../../domain/recovery.ts'
import { networkRequester } from '../../domain/requester.ts'
import { traceOf } from '../../domain/trace.ts'
import { newPasswordFaults } from './check-identity.ts'
import { confirmCode } from './confirm-code.ts'
import { refuseToken } from './refuse-token.ts'
import { requireSent, sendCode, takeSend } from './send-code.ts'

type Form = Extract<Body<'resetPassword'>, { by: 'email' }>
type Asking = Pick<Call<'resetPassword'>, 'client' | 'abandoned' | 'slate' | 'language'>

/**
 * Sets the password with a token that was sent by e-mail. Returns the e-mail address of the account.
 *
 * @throws Failure 422 on `otp` when the address was never verified: a code was sent to the phone number
 */
export async function resetByEmail({ token, otp, password }: Form, asking: Asking, context: Context): Promise<string> {
  const { store, passwords, resetTokens } = context
  const { client, abandoned } = asking
  const tokenHash = resetTokens.hashOf(token)
  const account = await store.recovery.byToken(tokenHash)
  const owner = account ? await store.accounts.personOf({ id: account.id }) : {}
  const requester = networkRequester(client.network, abandoned)
  const faults = await newPasswordFaults(password, owner, requester, context)
  const wrongPassword: FieldFailures = faults.length > 0 ? { password: faults } : {}
  if (!account) {
    const failures = { token: ['reset_token_wrong'], ...wrongPassword } as const
    return refuseToken('password_reset_failed', failures, asking, context)
  }

  const { window, failures } = await confirmed(account, otp, faults.length > 0, asking, context)
  const wrong = { ...failures, ...wrongPassword }
  if (Object.keys(wrong).length > 0) throw invalidData(wrong) // the token stays valid
  const passwordHash = await passwords.hash(password, requester)
  const changed = await store.recovery.resetByToken(tokenHash, { passwordHash, window }, traceOf(client))
  if (!changed) throw invalidData({ token: ['reset_token_wrong'] }) // another request was faster
  return changed.email
}

/** An address that was never verified may be mistyped: its owner must also read the SMS of the account. */
async function confirmed(
  { needsCode, phone }: Recoverable,
  otp: string | undefined,
  isWrong: boolean,
  { client, slate, language }: Asking,
  context: Context,
): Promise<{ window?: PhoneVerification; failures: FieldFailures }> {
  if (!needsCode) return { failures: {} }
  if (!phone) return { failures: { token: ['reset_phone_missing'] } }
  if (otp !== undefined) {
    const window = await confirmCode({ phone: phone.e164, purpose: 'reset', otp, client, slate }, context)
    return window ? { window, failures: {} } : { failures: { otp: ['otp_wrong'] } }
  }
  if (isWrong) return { failures: {} } // the code is sent when it is all that is missing
  await takeSend(client, slate, context)
  requireSent(await sendCode({ phone, purpose: 'reset', language, client }, context))
  return { failures: { otp: ['required'] } }
}
