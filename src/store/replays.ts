import { Prisma } from '../../generated/prisma/client.ts'
import { LIMITS } from '../../generated/limits.ts'
import type { Clock } from '../domain/clock.ts'
import type { EventState } from '../domain/event.ts'
import { Failure } from '../domain/failure.ts'
import type { Bearer } from '../domain/account.ts'
import type { Trace } from '../domain/trace.ts'
import type { Log } from '../log.ts'
import { audited } from './audit.ts'
import type { Database } from './database.ts'
import { STATE_OF_EVENT } from './events.ts'
import { holdAdministrator } from './hold-target.ts'

type Ended = Exclude<EventState, 'waiting'>

/** Which events are posted again */
export type Replay =
  Readonly<{ webhookId: string }> | Readonly<{ since: Date; until: Date | undefined; state: Ended | undefined }>

/** How many events are posted again, and when the first happened that is left for another time */
export type Replayed = { replayed: number; nextSince: Date | null }

export type Replays = {
  /**
   * Has events posted again, at once and with all their attempts, and records which administrator wanted it.
   *
   * @throws Failure 401 `token_revoked`, 403 `admin_required` when the privileges were revoked meanwhile, 404 `event_unknown`, 503 `events_unavailable` when there is nobody to tell
   */
  begin(which: Replay, by: { bearer: Bearer; trace: Trace }): Promise<Replayed>
}

type Parts = { clock: Clock; log: Log; isAddressed: boolean }

const MAX = LIMITS.events.replay_max
const ENDED: readonly Ended[] = ['delivered', 'failed', 'unsent']

export function replays(database: Database, { clock, log, isAddressed }: Parts): Replays {
  const inTransaction = audited(database, log)
  return {
    async begin(which, { bearer, trace }) {
      return inTransaction(
        () => [{ event: 'events_replayed', actorId: bearer.accountId, ...trace }],
        async (transaction) => {
          await holdAdministrator(transaction, bearer)
          if (!isAddressed) throw new Failure('events_unavailable')
          const [outcome] = await transaction.$queryRaw<[Replayed]>(sqlOf(which, clock.shiftMs() / 1000))
          if ('webhookId' in which && outcome.replayed === 0) throw new Failure('event_unknown')
          return outcome
        },
      )
    },
  }
}

/** An attempt that is under way is overtaken, and its end changes nothing. */
function sqlOf(which: Replay, shiftSeconds: number): Prisma.Sql {
  return Prisma.sql`
    WITH chosen AS MATERIALIZED (
      SELECT id, at, row_number() OVER (ORDER BY at, id) AS place FROM events
      WHERE ${conditionOf(which)} ORDER BY at, id LIMIT ${MAX + 1}),
    again AS (
      UPDATE events SET attempts = 0, last_attempt_at = NULL, delivered_at = NULL, last_failure = NULL,
        next_attempt_at = now() + make_interval(secs => ${shiftSeconds})
      WHERE id = ANY (ARRAY(SELECT id FROM chosen WHERE place <= ${MAX})) RETURNING 1)
    SELECT (SELECT count(*)::int FROM again) AS replayed, (SELECT at FROM chosen WHERE place > ${MAX}) AS "nextSince"`
}

function conditionOf(which: Replay): Prisma.Sql {
  if ('webhookId' in which) return Prisma.sql`webhook_id = ${which.webhookId}::uuid`
  const { since, until, state } = which
  const before = until ? Prisma.sql`AND at < ${until}` : Prisma.empty
  const states = state ? [state] : ENDED
  return Prisma.sql`at >= ${since} ${before} AND ${Prisma.raw(STATE_OF_EVENT)} = ANY (${states}::text[])`
}
