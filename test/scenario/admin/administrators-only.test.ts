// Operations of administrators reject all other users, regardless of other errors in a request.
import { request } from 'node:http'
import { once } from 'node:events'
import t from 'tap'
import { bindings } from '../../../generated/operations.ts'
import type { OperationId } from '../../../src/contract/operation.ts'
import { eventsOf, newLawyer, userPath } from '../../support/cases/administration.ts'
import type { Sent } from '../../support/service/sender.ts'
import { openWorld, type World } from '../../support/service/world.ts'

const IDS = Object.keys(bindings) as OperationId[] // Object.keys loses the type of the keys
const OF_ADMINISTRATORS = IDS.filter((id) => bindings[id].requiresAdministrator)

const GARBAGE: Readonly<Record<string, Sent>> = {
  'malformed JSON': { raw: '{"reason":', type: 'application/json' },
  'JSON over the limit': { raw: `{"a":"${'x'.repeat(70_000)}"}`, type: 'application/json' },
  'another media type': { raw: 'reason=x', type: 'text/plain' },
  'no media type': { raw: 'reason=x' },
  'an encoded body': { raw: '{}', type: 'application/json', headers: { 'content-encoding': 'gzip' } },
  'no body': {},
  'wrong fields': { json: { decision: 5, reason: '', nonsense: true } },
  'an invalid user id': { path: { user_id: 'me' }, json: { reason: 'because' } },
  'an unknown user': { path: { user_id: '2000000000' }, json: { reason: 'because' } },
  'a wrong query': { query: { limit: 'many', cursor: '#' } },
}

void t.test('marks every operation of administrators except checkAdmin', (t) => {
  const below = IDS.filter((id) => bindings[id].path.startsWith('/api/v1/admin/') && id !== 'checkAdmin')
  t.same(OF_ADMINISTRATORS, below)
  t.end()
})

void t.test('returns 403 to clients for any request', async (t) => {
  const world = await openWorld()
  const client = await world.person()
  const token = await client.token()
  for (const id of OF_ADMINISTRATORS) {
    for (const [what, sent] of Object.entries(GARBAGE)) {
      const path = bindings[id].path.includes('{') ? userPath({ id: 1 }) : {}
      if (bindings[id].media.length === 0 && (sent.raw ?? sent.json) !== undefined) continue
      const { status, headers } = await world.send(id)({ ...path, ...sent, token })
      t.same([status, headers['error-code']], [403, 'admin_required'], `${id}: ${what}`)
    }
  }
  const refusals = (await eventsOf(world, client.id)).filter(({ event }) => event === 'admin_refused')
  t.equal(refusals.length, 1, 'repeated rejections are recorded once')
})

void t.test('returns 403 to clients before the body arrives', async (t) => {
  const world = await openWorld()
  const token = await (await world.person()).token()
  const sent = begin(world, 'adminReplayEvents', token)
  t.equal(await sent.status, 403)
  sent.destroy()
})

void t.test('rejects requests if privileges are revoked while the body arrives', async (t) => {
  const world = await openWorld()
  const lawyer = await newLawyer(world)
  const bodies: Partial<Record<OperationId, object>> = {
    adminSuspendUser: { reason: 'because' },
    adminRestoreUser: { reason: 'because' },
    adminResetFactors: { reason: 'because' },
    adminReviewLawyer: { decision: 'approved', review_version: 0 },
    adminReplayEvents: { by: 'time', since: '2026-11-20T00:00:00.000Z' },
  }
  t.same(Object.keys(bodies).sort(), OF_ADMINISTRATORS.filter((id) => bindings[id].media.length > 0).sort())
  const { prisma } = world.service.database
  for (const [id, body] of Object.entries(bodies) as [OperationId, object][]) {
    const admin = await world.person({ isAdmin: true })
    const sent = begin(world, id, await admin.token(), lawyer.id)
    await sent.isGoingOn
    await prisma.account.update({ where: { id: admin.id }, data: { isAdmin: false } })
    sent.end(JSON.stringify(body))
    t.equal(await sent.status, 403, id)
    t.equal(await prisma.auditEvent.count({ where: { actorId: admin.id } }), 0, id)
  }
})

type Begun = { status: Promise<number>; isGoingOn: Promise<unknown>; end(body: string): void; destroy(): void }

/** Sends the head of a request; its body can follow. */
function begin({ service, address }: World, id: OperationId, token: string, userId = 1): Begun {
  const { method, path } = bindings[id]
  const sent = request(service.origin + path.replace('{user_id}', String(userId)), {
    method,
    headers: {
      'x-forwarded-for': address,
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'transfer-encoding': 'chunked',
      expect: '100-continue',
    },
  })
  sent.flushHeaders()
  const status = once(sent, 'response').then(([response]: { statusCode: number }[]) => Number(response?.statusCode))
  return {
    status,
    isGoingOn: once(sent, 'continue'),
    end: (body) => sent.end(body),
    destroy: () => sent.destroy(),
  }
}
