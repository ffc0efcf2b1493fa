import type { Context } from '../context.ts'
import type { Operation } from '../contract.ts'
import type { Phone } from '../domain/phone.ts'
import { traceOf } from '../domain/trace.ts'
import { say, type Language } from '../messages/index.ts'
import { refuseToken } from './shared/reset-by-email.ts'

export const releaseEmail: Operation<'releaseEmail'> = async ({ body, client, language, slate, reply }, context) => {
  const { store, resetTokens } = context
  const account = await store.recovery.release(resetTokens.hashOf(body.token), traceOf(client))
  if (!account) return refuseToken('email_release_failed', {}, { client, slate }, context)
  if (account.phone) notifyByPhone(account.phone, { language, reference: client.requestId }, context)

  return reply(null)
}

/** Whoever mistyped an address has no other that messages can be sent to. */
function notifyByPhone(to: Phone, about: { language: Language; reference: string }, context: Context): void {
  const { background, sms, smsCountries, log } = context
  if (smsCountries?.has(to.callingCode) === false) return
  const { language, reference } = about
  try {
    background.begin('a notice by SMS', async () => {
      await sms.send({ to, text: say(language, 'email_released_text'), reference })
    })
  } catch (error) {
    log.warn({ requestId: reference, err: error }, 'a notice was not sent')
  }
}
