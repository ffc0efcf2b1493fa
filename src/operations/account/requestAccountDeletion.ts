import { LIMITS } from '../../../generated/limits.ts'
import type { Operation } from '../../contract/operation.ts'
import { invalidData } from '../../domain/failure.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import { verifyPassword } from '../../services/password/password-failures.ts'
import { composeMails, deliverSoon } from '../../services/notifications/mail.ts'

const EVENTS = { wrong: 'deletion_refused', limited: 'deletion_limited' } as const

export const requestAccountDeletion: Operation<'requestAccountDeletion'> = async (call, context) => {
  const { body, bearer, client, abandoned, language, rateLimiter, reply } = call
  const request = { bearer, password: body.password, client, abandoned, rateLimiter, events: EVENTS }
  const { account, isCorrect: isKnown } = await verifyPassword(request, context)
  if (!isKnown) throw invalidData({ password: ['password_wrong'] })

  const values = { days: LIMITS.deletion.grace_days }
  const { id: accountId, email: to } = account
  const notice = { accountId, to, about: 'deletion', language, values, reference: client.requestId } as const
  const mails = composeMails([notice], context)
  const dueAt = await context.store.deletions.schedule(bearer, toAuditContext(client), mails)
  deliverSoon(context)

  return reply({ deletion_due_at: dueAt.toISOString() })
}
