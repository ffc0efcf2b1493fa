import type { Context } from '../context.ts'
import type { Body, Operation } from '../contract.ts'
import { traceOf } from '../domain/trace.ts'
import { momentOf } from './shared/moment.ts'

export const adminReplayEvents: Operation<'adminReplayEvents'> = async (call, { store }) => {
  const { body, bearer, client, reply } = call
  const by = { bearer, trace: traceOf(client, subjectOf(body)) }
  const { replayed, nextSince } = await store.replays.begin(whichOf(body), by)

  return reply({ replayed, next_since: nextSince?.toISOString() ?? null })
}

function whichOf(body: Body<'adminReplayEvents'>): Parameters<Context['store']['replays']['begin']>[0] {
  if (body.by === 'event') return { webhookId: body.id }
  const { since, until, state } = body
  return { since: momentOf('since', since), until: momentOf('until', until), state }
}

/** What the audit trail says of it. */
function subjectOf(body: Body<'adminReplayEvents'>): string {
  if (body.by === 'event') return body.id
  return [body.since, '–', body.until ?? '', body.state ?? ''].join(' ').trim()
}
