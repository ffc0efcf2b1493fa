import type { Prisma } from '../../generated/prisma/client.ts'
import type { Clock } from '../domain/clock.ts'
import { Failure, type ErrorCode } from '../domain/failure.ts'
import type { AuditEvent, EventName, Trace } from '../domain/trace.ts'
import type { Log } from '../log.ts'
import type { Database } from './database.ts'
import { firstOfMany } from './first-of-many.ts'

/** The names of refusals that are recorded */
type RefusalNames = Readonly<Partial<Record<ErrorCode, EventName>>>

/** Whom a refusal is about */
type About = Trace & Pick<AuditEvent, 'accountId'>

/** For how long others like a refusal are not recorded, where it does not say when it ends */
const QUIET_SECONDS = 60

export type Audit = {
  record(event: AuditEvent): Promise<void>
  /**
   * Records a refusal that has a name, and throws it again. Of all that one used-up counter refuses in its window, and of
   * all that is refused for one `key`, this process records the first: a flood of refused requests writes nothing.
   */
  recordRefusal(refusal: unknown, names: RefusalNames, key: string, about: About): Promise<never>
}

/** A transaction that leaves its events in the audit trail, all or nothing; the log has them when it has committed. */
export type Audited = <Answer>(
  eventsOf: (answer: Answer) => readonly AuditEvent[],
  change: (transaction: Prisma.TransactionClient) => Promise<Answer>,
) => Promise<Answer>

export function audited({ prisma }: Database, log: Log): Audited {
  return async (eventsOf, change) => {
    const answer = await prisma.$transaction(async (transaction) => {
      const changed = await change(transaction)
      await transaction.auditEvent.createMany({ data: [...eventsOf(changed)] })
      return changed
    })
    for (const event of eventsOf(answer)) log.info(loggable(event), event.event)
    return answer
  }
}

/** Security events stand in the log by name, and in the database for as long as it is kept. */
export function audit({ prisma }: Database, { clock, log }: { clock: Clock; log: Log }): Audit {
  const isFirst = firstOfMany(() => clock.nowMs())

  const record = async (event: AuditEvent, policy?: string): Promise<void> => {
    log.info({ ...loggable(event), policy }, event.event)
    await prisma.auditEvent.create({ data: event, select: { id: true } })
  }
  return {
    record: (event) => record(event),
    async recordRefusal(refusal, names, key, about) {
      const event = refusal instanceof Failure ? names[refusal.code] : undefined
      if (!(refusal instanceof Failure) || event === undefined) throw refusal
      const { counter, retryAfterSeconds = QUIET_SECONDS } = refusal
      const alike = counter ? `${counter.policy.name} ${counter.key}` : `${event} ${key}`
      if (isFirst(alike, clock.nowMs() + retryAfterSeconds * 1000)) {
        await record({ event, ...about }, counter?.policy.name).catch((error: unknown) =>
          log.error({ err: error }, 'a refusal was not recorded'),
        )
      }
      throw refusal
    },
  }
}

/** What people write may be about people: it stands in the database only. */
function loggable({ reason: _, ...event }: AuditEvent): object {
  return event
}
