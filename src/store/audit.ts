import type { Clock } from '../domain/clock.ts'
import { Failure, type ErrorCode } from '../domain/failure.ts'
import type { Trace } from '../domain/trace.ts'
import type { Log } from '../log.ts'
import type { Database } from './database.ts'
import { firstOfMany } from './first-of-many.ts'

/** What is kept of who did what: see `AuditEvent` in prisma/schema.prisma. */
export type AuditEvent = Trace & Readonly<{ event: EventName; accountId?: number }>

type EventName =
  | 'login'
  | 'login_failed'
  | 'login_limited'
  | 'login_suspended'
  | 'logout'
  | 'refresh_token_reused'
  | 'session_revoked'
  | 'other_sessions_revoked'
  | 'phone_checked'
  | 'phone_check_limited'
  | 'phone_found_taken'
  | 'phone_confirmed'
  | 'phone_confirm_limited'
  | 'phone_confirmation_failed'
  | 'otp_exhausted'
  | 'profile_updated'
  | 'password_changed'
  | 'document_read'
  | 'file_deleted'

/** The names of refusals that are recorded */
type RefusalNames = Readonly<Partial<Record<ErrorCode, EventName>>>

export type Audit = {
  record(event: AuditEvent): Promise<void>
  /**
   * Records a refusal that has a name, and throws it again. Of all that one used-up counter refuses in its window, and of
   * all that is refused for one `key`, this process records the first: a flood of refused requests writes nothing.
   */
  recordRefusal(refusal: unknown, names: RefusalNames, key: string, trace: Trace): Promise<never>
}

/** Security events stand in the log by name, and in the database for as long as it is kept. */
export function audit({ prisma }: Database, { clock, log }: { clock: Clock; log: Log }): Audit {
  const isFirst = firstOfMany(() => clock.nowMs())

  const record = async (event: AuditEvent, policy?: string): Promise<void> => {
    log.info({ ...event, policy }, event.event)
    await prisma.auditEvent.create({ data: event, select: { id: true } })
  }
  return {
    record: (event) => record(event),
    async recordRefusal(refusal, names, key, trace) {
      const event = refusal instanceof Failure ? names[refusal.code] : undefined
      if (!(refusal instanceof Failure) || event === undefined) throw refusal
      const { counter, retryAfterSeconds = 0 } = refusal
      const alike = counter ? `${counter.policy.name} ${counter.key}` : `${event} ${key}`
      if (isFirst(alike, clock.nowMs() + retryAfterSeconds * 1000)) {
        await record({ event, ...trace }, counter?.policy.name).catch((error: unknown) =>
          log.error({ err: error }, 'a refusal was not recorded'),
        )
      }
      throw refusal
    },
  }
}
