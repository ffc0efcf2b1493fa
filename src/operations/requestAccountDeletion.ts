import { LIMITS } from '../../generated/limits.ts'
import type { Operation } from '../contract.ts'
import { invalidData } from '../domain/failure.ts'
import { traceOf } from '../domain/trace.ts'
import { knowPassword } from './shared/know-password.ts'
import { notify } from './shared/mail.ts'

const EVENTS = { wrong: 'deletion_refused', limited: 'deletion_limited' } as const

export const requestAccountDeletion: Operation<'requestAccountDeletion'> = async (call, context) => {
  const { body, bearer, client, abandoned, language, slate, reply } = call
  const asking = { bearer, password: body.password, client, abandoned, slate, events: EVENTS }
  const { account, isKnown } = await knowPassword(asking, context)
  if (!isKnown) throw invalidData({ password: ['password_wrong'] })

  const dueAt = await context.store.deletions.schedule(bearer, traceOf(client))
  const values = { days: LIMITS.deletion.grace_days }
  notify({ to: account.email, about: 'deletion', language, values, reference: client.requestId }, context)

  return reply({ deletion_due_at: dueAt.toISOString() })
}
