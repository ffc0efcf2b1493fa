import type { Operation } from '../contract.ts'
import { invalidData } from '../domain/failure.ts'
import { traceOf } from '../domain/trace.ts'
import { tokensOf } from './shared/begin-session.ts'
import { knowPassword } from './shared/know-password.ts'
import { REAUTHENTICATION_EVENTS } from './shared/recent-changes.ts'

export const reauthenticate: Operation<'reauthenticate'> = async (call, context) => {
  const { body, bearer, client, abandoned, slate, reply } = call
  const { password } = body
  const asking = { bearer, password, client, abandoned, slate, events: REAUTHENTICATION_EVENTS }
  const { account, isKnown } = await knowPassword(asking, context)
  if (!isKnown) throw invalidData({ password: ['password_wrong'] })

  const { id: accountId, email, passwordHash } = account
  const { address, userAgent } = client
  const session = { passwordHash, address, userAgent }
  const sessionId = await context.store.sessions.replace(bearer, session, traceOf(client))
  if (sessionId === undefined) throw invalidData({ password: ['password_wrong'] }) // changed after it was compared

  return reply(tokensOf({ accountId, email, sessionId, generation: 0 }, context))
}
