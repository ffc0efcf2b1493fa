import type { Context } from '../context.ts'
import type { Operation } from '../contract.ts'
import type { Phone } from '../domain/phone.ts'
import { traceOf } from '../domain/trace.ts'
import { say, type Language } from '../messages/index.ts'
import { refuseToken } from './shared/reset-by-email.ts'

export const releaseEmail: Operation<'releaseEmail'> = async ({ body, client, language, slate, reply }, context) => {
  const { store, resetTokens } = context
  const account = await store.recovery.release(resetTokens.hashOf(body.token), traceOf(client))
  if (!account) {
    return refuseToken('email_release_failed', { token: ['reset_token_wrong'] }, { client, slate }, context)
  }
  if (account.phone) notifyByPhone(account.id, account.phone, { language, reference: client.requestId }, context)

  return reply(null)
}

/** Whoever mistyped an address has no other that messages can be sent to. */
function notifyByPhone(
  accountId: number,
  to: Phone,
  { language, reference }: { language: Language; reference: string },
  { background, smsNotices, log }: Context,
): void {
  try {
    background.begin('a notice by SMS', async () => {
      await smsNotices.send({ accountId, to, text: say(language, 'email_released_text'), reference })
    })
  } catch (error) {
    log.warn({ requestId: reference, err: error }, 'a notice was not sent')
  }
}
