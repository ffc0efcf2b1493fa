import type { Operation } from '../contract.ts'
import { invalidData, type FieldFailures } from '../domain/failure.ts'
import { accountRequester } from '../domain/requester.ts'
import { traceOf } from '../domain/trace.ts'
import { tokensOf } from './shared/begin-session.ts'
import { newPasswordFaults } from './shared/check-identity.ts'
import { knowPassword } from './shared/know-password.ts'
import { notify } from './shared/mail.ts'

const EVENTS = { wrong: 'password_change_failed', limited: 'password_change_limited' } as const

export const changePassword: Operation<'changePassword'> = async (call, context) => {
  const { body, bearer, client, abandoned, language, slate, reply } = call
  const { store, passwords } = context
  const asking = { bearer, password: body.current_password, client, abandoned, slate, events: EVENTS }
  const { account, isKnown } = await knowPassword(asking, context)
  const requester = accountRequester(bearer.accountId, abandoned)
  const owner = await store.accounts.personOf({ id: account.id })
  const faults = await newPasswordFaults(body.new_password, owner, requester, context)
  const wrong: FieldFailures = {
    ...(!isKnown && { current_password: ['password_wrong'] }),
    ...(faults.length > 0 && { new_password: faults }),
  }
  if (Object.keys(wrong).length > 0) throw invalidData(wrong)

  const newHash = await passwords.hash(body.new_password, requester)
  const change = { from: account.passwordHash, to: newHash, client, trace: traceOf(client) }
  const sessionId = await store.passwords.change(bearer, change)
  if (sessionId === undefined) throw invalidData({ current_password: ['password_wrong'] }) // another change was faster

  notify({ to: account.email, about: 'password', language, reference: client.requestId }, context)

  return reply(tokensOf({ accountId: account.id, email: account.email, sessionId, generation: 0 }, context))
}
