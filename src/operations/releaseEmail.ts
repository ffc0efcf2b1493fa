import type { Operation } from '../contract.ts'
import { traceOf } from '../domain/trace.ts'
import { notifyBySms } from './shared/announce-change.ts'
import { refuseToken } from './shared/refuse-token.ts'

export const releaseEmail: Operation<'releaseEmail'> = async ({ body, client, language, slate, reply }, context) => {
  const { store, resetTokens } = context
  const account = await store.recovery.release(resetTokens.hashOf(body.token), traceOf(client))
  if (!account) {
    return refuseToken('email_release_failed', { token: ['reset_token_wrong'] }, { client, slate }, context)
  }
  const { id: accountId, phone } = account
  // the account has no e-mail address any more
  if (phone) notifyBySms({ accountId, phone }, 'email_released_text', { client, language }, context)

  return reply(null)
}
