import { LIMITS } from '../../../generated/limits.ts'
import type { Context } from '../../context.ts'
import type { Call, Operation } from '../../contract/operation.ts'
import { normaliseEmail } from '../../domain/accounts/account.ts'
import { Failure } from '../../domain/failure.ts'
import { maskEmail, maskPhone } from '../../domain/mask.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import { deliverSoon, requestMail } from '../../services/notifications/mail.ts'
import { refuseSmsReset } from '../../services/password/reset-by-phone.ts'
import { sendCode, requireDestination, consumeSend, type Destination } from '../../services/phone/send-code.ts'

type RequestInfo = Pick<Call<'requestPasswordReset'>, 'client' | 'language'>

/**
 * Looks the account up after the response, so that neither its text nor its timing reveals whether the account exists. A
 * reset by e-mail is stored before the response, in the same way for every address, so that it survives a restart.
 */
export const requestPasswordReset: Operation<'requestPasswordReset'> = async (
  { body, client, language, rateLimiter, reply },
  context,
) => {
  const { background, mail } = context
  const request = { client, language }
  if (body.by === 'phone') {
    refuseSmsReset(context)
    const { phone, channel } = requireDestination(body, context)
    await consumeSend(client, rateLimiter)
    background.enqueue('a reset by SMS', () => sendToPhone({ phone, channel }, request, context))
  } else {
    if (!mail.isOffered) throw new Failure('mail_unavailable', { retryAfterSeconds: 3600 })
    await consumeSend(client, rateLimiter)
    await storeRequest(normaliseEmail(body.email), request, context)
    deliverSoon(context)
  }

  return reply(null)
}

async function storeRequest(email: string, request: RequestInfo, context: Context): Promise<void> {
  const event = 'password_reset_requested'
  const mails = requestMail({ kind: 'reset', email, minutes: LIMITS.reset.minutes, ...request }, context)
  await context.store.audit.record({ event, ...toAuditContext(request.client, maskEmail(email)) }, mails)
}

async function sendToPhone(
  { phone, channel }: Pick<Destination, 'phone' | 'channel'>,
  { client, language }: RequestInfo,
  context: Context,
): Promise<void> {
  const { store } = context
  await store.audit.record({ event: 'password_reset_requested', ...toAuditContext(client, maskPhone(phone.e164)) })
  const isSilent = !(await store.recovery.hasPhone(phone.e164))
  await sendCode({ phone, channel, purpose: 'reset', language, client, isSilent }, context)
}
