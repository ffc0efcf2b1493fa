import { LIMITS } from '../../../generated/limits.ts'
import type { Operation } from '../../contract/operation.ts'
import type { Clock } from '../../domain/clock.ts'
import type { NewMail } from '../../domain/mail.ts'
import { invalidData } from '../../domain/failure.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import { verifyPassword } from '../../services/password/verify-password.ts'
import { composeMails } from '../../services/notifications/mail.ts'

const DAY_MS = 86_400_000
const EVENTS = { wrong: 'deletion_refused', limited: 'deletion_limited' } as const

export const requestAccountDeletion: Operation<'requestAccountDeletion'> = async (call, context) => {
  const { body, bearer, client, reply } = call
  const given = { password: body.password, events: EVENTS }
  const { account, proof } = await verifyPassword(call, given, context)
  if (proof === 'password_wrong') throw invalidData({ password: ['password_wrong'] })

  const { id: accountId, email: to } = account
  const toMails = (scheduled: Date | null): NewMail[] => {
    const values = { days: daysUntil(scheduled, context.clock) }
    return composeMails([{ accountId, to, about: 'deletion', values }], call, context)
  }
  const dueAt = await context.store.deletions.schedule(bearer, toAuditContext(client), toMails)

  return reply({ deletion_due_at: dueAt.toISOString() })
}

/** Returns the whole days until the deletion, at least 1. A repeated request does not change its time. */
function daysUntil(scheduled: Date | null, clock: Clock): number {
  if (scheduled === null) return LIMITS.deletion.grace_days
  return Math.max(1, Math.floor((scheduled.getTime() - clock.nowMs()) / DAY_MS))
}
