import type { Context } from '../../context.ts'
import type { Body, Operation } from '../../contract/operation.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import { changeOnce } from '../../services/administration/changes.ts'
import { parseTimestamp } from '../../serializers/timestamp.ts'

type Replayed = Awaited<ReturnType<Context['store']['replays']['begin']>>

export const adminReplayEvents: Operation<'adminReplayEvents'> = async (call, context) => {
  const { body, bearer, client, reply } = call
  const by = { bearer, auditContext: toAuditContext(client, describeScope(body)) }
  const data = await changeOnce(call, context, {
    run: (completion) => context.store.replays.begin(toScope(body), by, completion),
    serialize: ({ replayed, nextSince }: Replayed) => ({ replayed, next_since: nextSince?.toISOString() ?? null }),
  })

  return reply(data)
}

function toScope(body: Body<'adminReplayEvents'>): Parameters<Context['store']['replays']['begin']>[0] {
  if (body.by === 'event') return { webhookId: body.id }
  const { since, until, state } = body
  return { since: parseTimestamp('since', since), until: parseTimestamp('until', until), state }
}

/** Describes the replay for the audit trail. */
function describeScope(body: Body<'adminReplayEvents'>): string {
  if (body.by === 'event') return body.id
  return [body.since, '–', body.until ?? '', body.state ?? ''].join(' ').trim()
}
