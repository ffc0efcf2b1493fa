import { Prisma } from '../../../generated/prisma/client.ts'
import { LIMITS } from '../../../generated/limits.ts'
import type { EventState } from '../../domain/event.ts'
import { Failure } from '../../domain/failure.ts'
import type { Bearer } from '../../domain/accounts/account.ts'
import type { Completion } from '../../domain/idempotency.ts'
import type { AuditContext } from '../../domain/audit/audit-context.ts'
import type { StoreParts } from '../changes.ts'
import { complete } from '../idempotency/index.ts'
import { column, queryOnlyRow, select } from '../../database/sql.ts'
import { EVENT_STATE } from './outbox.ts'
import { lockAndAuthorizeAdministrator } from '../admin/lock-target.ts'

type Ended = Exclude<EventState, 'waiting'>

/** The events to replay */
export type Replay =
  Readonly<{ webhookId: string }> | Readonly<{ since: Date; until: Date | undefined; state: Ended | undefined }>

/** The number of replayed events, and the time of the first event beyond the limit; null if there is none */
export type Replayed = { replayed: number; nextSince: Date | null }

export type Replays = {
  /**
   * Schedules events for immediate delivery with a new series of attempts, and records the administrator.
   *
   * @throws Failure 401 `token_revoked`, 403 `admin_required`, `mfa_enrollment_required` or
   * `reauthentication_required`, 404 `event_unknown`, 503 `events_unavailable` if no webhook is configured
   */
  begin(
    which: Replay,
    by: { bearer: Bearer; auditContext: AuditContext },
    completion?: Completion<Replayed>,
  ): Promise<Replayed>
}

const MAX = LIMITS.events.replay_max
const ENDED: readonly Ended[] = ['delivered', 'failed', 'unsent']

const OUTCOME = select<Replayed>({
  replayed: column('(SELECT count(*)::int FROM again)'),
  nextSince: column(`(SELECT at FROM chosen WHERE place > ${MAX})`),
})

export function replays({ outbox, inChange }: StoreParts): Replays {
  return {
    async begin(which, { bearer, auditContext }, completion) {
      const replayed = await inChange(async (change) => {
        await lockAndAuthorizeAdministrator(change, bearer)
        if (!outbox.hasWebhook) throw new Failure('events_unavailable')
        const { text, values } = replaySql(which)
        const outcome = await queryOnlyRow(change.transaction, { text, read: OUTCOME.read }, ...values)
        if ('webhookId' in which && outcome.replayed === 0) throw new Failure('event_unknown')
        await change.write(null, {
          auditEvents: [{ event: 'events_replayed', actorId: bearer.accountId, ...auditContext }],
        })
        if (completion) await complete(change.transaction, completion, outcome)
        return outcome
      })
      outbox.onCommit('events')
      return replayed
    },
  }
}

/** Resets `last_attempt_at`, so that the result of a running attempt is ignored. */
function replaySql(which: Replay): Prisma.Sql {
  return Prisma.sql`
    WITH chosen AS MATERIALIZED (
      SELECT id, at, row_number() OVER (ORDER BY at, id) AS place FROM events
      WHERE ${replayCondition(which)} ORDER BY at, id LIMIT ${MAX + 1}),
    again AS (
      UPDATE events SET attempts = 0, last_attempt_at = NULL, delivered_at = NULL, last_failure = NULL,
        next_attempt_at = service_now()
      WHERE id = ANY (ARRAY(SELECT id FROM chosen WHERE place <= ${MAX})) RETURNING 1)
    SELECT ${Prisma.raw(OUTCOME.list)}`
}

function replayCondition(which: Replay): Prisma.Sql {
  if ('webhookId' in which) return Prisma.sql`webhook_id = ${which.webhookId}::uuid`
  const { since, until, state } = which
  const before = until ? Prisma.sql`AND at < ${until}` : Prisma.empty
  const states = state ? [state] : ENDED
  return Prisma.sql`at >= ${since} ${before} AND ${Prisma.raw(EVENT_STATE)} = ANY (${states}::text[])`
}
