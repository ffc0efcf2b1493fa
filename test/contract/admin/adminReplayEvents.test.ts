import { randomUUID } from 'node:crypto'
import { LIMITS } from '../../../generated/limits.ts'
import { adminBodyCases, adminCases, adminToken, asAdmin } from '../../support/cases/administration.ts'
import { contract } from '../../support/cases/contract.ts'
import { adminIdempotencyCases } from '../../support/cases/idempotency-cases.ts'
import { SECRET } from '../../support/servers/receiver.ts'
import { openService } from '../../support/service/service.ts'
import { openWorld, type World } from '../../support/service/world.ts'

const json = { by: 'time', since: '2026-11-20T00:00:00.000Z', state: 'failed' }
const common = adminCases('adminReplayEvents', async () => ({ json }))
const body = adminBodyCases(json)
const once = adminIdempotencyCases(async () => ({ sent: { json }, other: { json: { ...json, state: 'delivered' } } }))

/** No server listens on this port, so posted events wait for the next attempt. */
const events = { url: 'http://127.0.0.1:1/', secrets: [SECRET] }

const FAILED = { attempts: 10, lastFailure: 'status 500' }
const HOUR_MS = 3_600_000
const hoursAgo = (hours: number): Date => new Date(Date.now() - hours * HOUR_MS)

/** Creates events of a new account. Returns their IDs. */
async function createEvents(world: World, rows: object[]): Promise<string[]> {
  const { id: accountId } = await world.person()
  const common = { accountId, type: 'account.suspended', data: { account_id: accountId } }
  const ids: string[] = []
  for (const row of rows) {
    const { webhookId } = await world.service.database.prisma.event.create({ data: { ...common, ...row } })
    ids.push(webhookId)
  }
  return ids
}

contract(
  'adminReplayEvents',
  {
    200: {
      ...once.success,
      ...asAdmin({
        'replays one event with its original ID': async (send, world, t) => {
          const [id] = await createEvents(world, [{ at: hoursAgo(1), ...FAILED }])
          const received = await send({ json: { by: 'event', id } })
          t.same(received.body.data, { replayed: 1, next_since: null })
          const { prisma } = world.service.database
          t.match(await prisma.event.findUnique({ where: { webhookId: id ?? '' } }), { nextAttemptAt: Date })
          const event = await prisma.auditEvent.findFirst({ where: { event: 'events_replayed', subject: id ?? '' } })
          t.match(event, { actorId: Number, accountId: null })
          return received
        },
        'replays the events of a time range, except those waiting for an attempt': async (send, world, t) => {
          const [before, at, after] = [hoursAgo(41), hoursAgo(40), hoursAgo(39)]
          const ids = await createEvents(world, [
            { at: before, ...FAILED },
            { at, ...FAILED },
            { at, attempts: 1, deliveredAt: at },
            { at, attempts: 1, nextAttemptAt: new Date(Date.now() + 86_400_000) },
            { at: after, ...FAILED },
          ])
          const times = { since: at.toISOString(), until: after.toISOString() }
          const received = await send({ json: { by: 'time', ...times } })
          t.same(received.body.data, { replayed: 2, next_since: null })
          const where = { webhookId: { in: ids }, attempts: 10 }
          const others = await world.service.database.prisma.event.findMany({ where, orderBy: { id: 'asc' } })
          t.same(
            others.map(({ webhookId }) => webhookId),
            [ids[0], ids[4]],
            'events outside the time range are unchanged',
          )
          return received
        },
        'replays a large range in batches that continue at next_since': async (send, world, t) => {
          const since = hoursAgo(100)
          await world.service.database.pool.query(
            `INSERT INTO events (type, account_id, data, at, attempts)
         SELECT 'account.deleted', 1, '{"account_id": 1}', $1::timestamptz + n * interval '1 millisecond', 10
         FROM generate_series(0, ${LIMITS.events.replay_max}) n`,
            [since],
          )
          const json = { by: 'time', until: hoursAgo(99).toISOString(), state: 'failed' }
          const received = await send({ json: { ...json, since: since.toISOString() } })
          const next_since = new Date(since.getTime() + LIMITS.events.replay_max).toISOString()
          t.same(received.body.data, { replayed: LIMITS.events.replay_max, next_since })
          const rest = await send({ json: { ...json, since: next_since } })
          t.same(rest.body.data, { replayed: 1, next_since: null })
          return rest
        },
        'replays the events in one state': async (send, world, t) => {
          const [at, after] = [hoursAgo(60), hoursAgo(59)]
          await createEvents(world, [{ at, ...FAILED }, { at, attempts: 1, deliveredAt: at }, { at }])
          const times = { since: at.toISOString(), until: after.toISOString() }
          const replay = async (state: string): Promise<unknown> =>
            (await send({ json: { by: 'time', ...times, state } })).body.data
          t.match(await replay('unsent'), { replayed: 1 })
          t.match(await replay('failed'), { replayed: 1 })
          t.match(await replay('delivered'), { replayed: 1 })
          return send({ json: { by: 'time', ...times, state: 'delivered' } })
        },
      }),
    },
    400: { ...common[400], ...body[400] },
    401: common[401],
    403: common[403],
    404: {
      ...asAdmin({ 'rejects an unknown event ID': (send) => send({ json: { by: 'event', id: randomUUID() } }) }),
    },
    409: once.conflict,
    413: body[413],
    415: body[415],
    422: {
      ...once.invalid,
      ...asAdmin({
        'rejects a request without an event or a time range': async (send, _world, t) => {
          t.same((await send({ json: {} })).body.data.codes, { by: ['required'] })
          t.same((await send({ json: { by: 'event' } })).body.data.codes, { id: ['required'] })
          t.same((await send({ json: { by: 'event', id: 'x', since: 'y' } })).body.data.codes, {
            id: ['wrong_format'],
            since: ['unknown_field'],
          })
          const received = await send({ json: { by: 'time', since: 'yesterday', until: 'today', state: 'waiting' } })
          t.same(received.body.data.codes, {
            since: ['wrong_format'],
            until: ['wrong_format'],
            state: ['not_allowed'],
          })
          return received
        },
        'rejects a leap second': async (send, _world, t) => {
          const received = await send({ json: { by: 'time', since: '2016-12-31T23:59:60Z' } })
          t.same(received.body.data.codes, { since: ['wrong_format'] })
          return received
        },
      }),
    },
    429: common[429],
    500: common[500],
    503: {
      ...common[503],
      'reports that no webhook is configured': async (_send, _world, t) => {
        const service = await openService()
        t.teardown(() => service.close())
        const world = await openWorld(service)
        const received = await world.send('adminReplayEvents')({ token: await adminToken(world), json })
        t.equal(received.headers['error-code'], 'events_unavailable')
        return received
      },
    },
  },
  {},
  { events },
)
