import type { Prisma } from '../../generated/prisma/client.ts'
import { LIMITS } from '../../generated/limits.ts'
import type { Clock } from '../domain/clock.ts'
import type { EventState } from '../domain/event.ts'
import { Failure } from '../domain/failure.ts'
import type { AuditEvent } from '../domain/trace.ts'
import type { Log } from '../log.ts'
import { audited } from './audit.ts'
import type { Database } from './database.ts'
import { IN_STATE } from './events.ts'

/** Which events are posted again */
export type Replay =
  | Readonly<{ webhookId: string }>
  | Readonly<{ since: Date; until: Date | undefined; state: Exclude<EventState, 'waiting'> | undefined }>

export type Replays = {
  /**
   * Has events posted again, at once and with all their attempts, and records who wanted it; gives how many they are.
   *
   * @throws Failure 404 `event_unknown`, 503 `events_unavailable` when there is nobody to tell
   */
  begin(which: Replay, record: AuditEvent): Promise<number>
}

type Parts = { clock: Clock; log: Log; isAddressed: boolean }

export function replays(database: Database, { clock, log, isAddressed }: Parts): Replays {
  const inTransaction = audited(database, log)
  return {
    async begin(which, record) {
      if (!isAddressed) throw new Failure('events_unavailable')
      return inTransaction(
        () => [record],
        async (transaction) => {
          const { count } = await transaction.event.updateMany({
            where: whereOf(which),
            data: { attempts: 0, deliveredAt: null, lastFailure: null, nextAttemptAt: new Date(clock.nowMs()) },
            limit: LIMITS.events.replay_max,
          })
          if ('webhookId' in which && count === 0) throw new Failure('event_unknown')
          return count
        },
      )
    },
  }
}

function whereOf(which: Replay): Prisma.EventWhereInput {
  if ('webhookId' in which) return which
  const { since, until, state } = which
  return { at: { gte: since, ...(until && { lt: until }) }, ...(state ? IN_STATE[state] : { nextAttemptAt: null }) }
}
