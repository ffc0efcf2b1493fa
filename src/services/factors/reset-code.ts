import type { Context } from '../../context.ts'
import type { Contact } from '../../domain/accounts/account.ts'
import type { PhoneVerification } from '../../domain/phones/phone-verification.ts'
import { consumeSend } from '../phone/code-requests.ts'
import { confirmCode } from '../phone/confirm-code.ts'
import { requireSent, sendCode } from '../phone/send-code.ts'
import type { RequestInfo } from '../notifications/mail.ts'
import type { RateLimiter } from '../../domain/limits.ts'

type Limited = RequestInfo & Readonly<{ rateLimiter: RateLimiter }>

/**
 * Sends the code that a reset of the second factors requires to the number of the account.
 *
 * @throws Failure 429 if a limit of the number or of the network is reached, 503 `sms_unavailable`
 */
export async function sendResetCode(
  { phone: e164, phoneCode: callingCode }: Contact,
  { client, language, rateLimiter }: Limited,
  context: Context,
): Promise<void> {
  await consumeSend(client, rateLimiter)
  const phone = { e164, callingCode }
  const sent = await sendCode(
    { phone, channel: 'sms', purpose: 'reset', use: 'factor_reset', language, client },
    context,
  )
  requireSent(sent)
}

/** Compares such a code, which is counted. Returns undefined if it is wrong. */
export function confirmResetCode(
  { phone }: Contact,
  otp: string,
  { client, rateLimiter }: Omit<Limited, 'language'>,
  context: Context,
): Promise<PhoneVerification | undefined> {
  return confirmCode({ phone, purpose: 'reset', use: 'factor_reset', otp, client, rateLimiter }, context)
}
