import { adminCases, adminToken, allPages, asAdmin, userPath } from '../../support/cases/administration.ts'
import type { Received } from '../../support/service/responses.ts'
import { contract } from '../../support/cases/contract.ts'

const common = adminCases('adminListAudit', async () => ({}))

type Event = { id: string; at: string; event: string; address: string }
const eventsIn = ({ body }: Received): Event[] => body.data.items as Event[]

contract('adminListAudit', {
  200: asAdmin({
    'lists the events of an account, newest first': async (send, world, t) => {
      const person = await world.person()
      await world.send('logout')({ token: await person.token() })
      await world.send('login')({ json: { email: person.email, password: 'wrong' } })
      const received = await send({ query: { account_id: person.id } })
      t.match(received.body.data, {
        items: [
          { event: 'login_failed', account_id: person.id, actor_id: null },
          { event: 'logout', account_id: person.id, actor_id: null, address: /^10\.\d+\.\d+\.\*$/, request_id: /-/ },
          { event: 'login', subject: /^p\*\*\*@example\.org$/, reason: null },
        ],
        next_cursor: null,
      })
      return received
    },
    'returns each event once across pages, even with equal times': async (send, world, t) => {
      const { id: accountId } = await world.person()
      const at = new Date('2026-01-02T03:04:05.678Z')
      const data = Array.from({ length: 5 }, () => ({ event: 'login', accountId, at, address: '10.1.2.3' }))
      await world.service.database.prisma.auditEvent.createMany({ data })
      const listed = await allPages(send, { account_id: accountId, limit: 2 }, eventsIn)
      const seen = listed.map(({ id }) => id)
      t.equal(seen.length, 5)
      t.same(
        seen,
        [...seen].sort((a, b) => Number(b) - Number(a)),
      )
      t.equal(new Set(seen).size, 5)
      return send({ query: { account_id: accountId, limit: 5 } })
    },
    'filters by event name and time range': async (send, world, t) => {
      const { id: accountId } = await world.person()
      const data = [1, 2, 3].map((day) => ({ event: 'logout', accountId, at: new Date(Date.UTC(2026, 0, day)) }))
      await world.service.database.prisma.auditEvent.createMany({ data: [...data, { event: 'login', accountId }] })
      const query = { event: 'logout', account_id: accountId }
      const received = await send({
        query: { ...query, since: '2026-01-02T00:00:00Z', until: '2026-01-03T03:00:00+03:00' },
      })
      t.same(
        eventsIn(received).map(({ at }) => at),
        ['2026-01-02T00:00:00.000Z'],
      )
      t.equal(eventsIn(await send({ query })).length, 3)
      return received
    },
    'filters by the administrator who acted': async (send, world, t) => {
      const admin = await world.person({ isAdmin: true })
      const token = await admin.token()
      const person = await world.person()
      await world.send('adminSuspendUser')({ ...userPath(person), token, json: { reason: 'why' } })
      const received = await send({ query: { actor_id: admin.id } })
      t.match(eventsIn(received), [{ event: 'user_suspended', account_id: person.id, actor_id: admin.id }])
      t.equal(eventsIn(received).length, 1)
      return received
    },
    'filters by request': async (send, world, t) => {
      const { id: accountId } = await world.person()
      const ids = [1, 2].map((index) => `request-${accountId}-${index}`)
      const data = ids.map((requestId) => ({ event: 'logout', accountId, requestId }))
      await world.service.database.prisma.auditEvent.createMany({ data })
      const received = await send({ query: { request_id: ids[1] ?? '' } })
      t.match(eventsIn(received), [{ account_id: accountId, request_id: ids[1] }])
      t.equal(eventsIn(received).length, 1)
      t.same(eventsIn(await send({ query: { request_id: 'unknown' } })), [])
      return received
    },
    'filters by the network of an address, which is recorded masked': async (send, world, t) => {
      const admin = await world.person({ isAdmin: true })
      const token = await admin.token()
      const addresses = ['203.0.113.7', '203.0.113.99', '203.0.114.7', '2001:db8:12:1::7', '2001:db8:13::7']
      const data = addresses.map((address) => ({ event: 'logout', accountId: admin.id, address }))
      await world.service.database.prisma.auditEvent.createMany({ data })
      const masked = async (address: string): Promise<string[]> => {
        const received = await send({ token, query: { account_id: admin.id, event: 'logout', address } })
        return eventsIn(received).map(({ address: found }) => found)
      }
      for (const address of ['203.0.113.1', '203.0.113.*', '::ffff:203.0.113.1'])
        t.same(await masked(address), ['203.0.113.*', '203.0.113.*'], address)
      for (const address of ['2001:0DB8:0012:ffff::1', '2001:db8:12:*'])
        t.same(await masked(address), ['2001:db8:12:*'], address)
      t.same(await masked('198.51.100.1'), [])
      const received = await send({ token, query: { actor_id: admin.id } })
      t.match(eventsIn(received)[1], { subject: `account_id=${admin.id} event=logout address=2001:db8:12:*` })
      return received
    },
    'records the request with its filters': async (send, world, t) => {
      const admin = await world.person({ isAdmin: true })
      const token = await admin.token()
      const received = await send({ token, query: { account_id: admin.id, event: 'login', limit: 5 } })
      const trail = await send({ token, query: { actor_id: admin.id } })
      const subject = `account_id=${admin.id} event=login limit=5`
      t.match(eventsIn(trail), [{ event: 'audit_listed', account_id: null, subject }])
      return received
    },
    'accepts the earliest and latest possible times': async (send, _world, t) => {
      t.same(eventsIn(await send({ query: { until: '0000-01-01T00:00:00Z' } })), [])
      return send({ query: { since: '9999-12-31T23:59:59Z' } })
    },
    'lists an event of the command line without an address': async (send, world, t) => {
      const { id: accountId } = await world.person()
      await world.service.database.prisma.auditEvent.create({
        data: { event: 'admin_granted', accountId, subject: 'command line' },
      })
      const received = await send({ query: { account_id: accountId } })
      t.match(eventsIn(received), [{ subject: 'command line', address: null, request_id: null, actor_id: null }])
      return received
    },
  }),
  400: common[400],
  401: common[401],
  403: common[403],
  422: {
    'rejects invalid parameters': async (send, world, t) => {
      const query = { account_id: 'x', event: 'unknown', since: 'yesterday', limit: 0, cursor: '?' }
      const received = await send({ token: await adminToken(world), query })
      t.same(received.body.data.codes, {
        account_id: ['wrong_type'],
        event: ['not_allowed'],
        since: ['wrong_format'],
        limit: ['too_small'],
        cursor: ['wrong_format'],
      })
      return received
    },
    'rejects an address that is none': async (send, world, t) => {
      const token = await adminToken(world)
      for (const address of ['203.0.113', '203.0.113.256', '203.*', '1:2:3:4:*', ':::'])
        t.same((await send({ token, query: { address } })).body.data.codes, { address: ['wrong_format'] }, address)
      return send({ token, query: { address: 'c0ffee' } })
    },
    'rejects a leap second': async (send, world, t) => {
      const received = await send({ token: await adminToken(world), query: { until: '2016-12-31T23:59:60Z' } })
      t.same(received.body.data.codes, { until: ['wrong_format'] })
      return received
    },
    'rejects a cursor of another list': async (send, world, t) => {
      const token = await adminToken(world)
      const received = await send({ token, query: { cursor: Buffer.from('42').toString('base64url') } })
      t.same(received.body.data.codes, { cursor: ['wrong_format'] })
      return received
    },
  },
  429: common[429],
  500: common[500],
  503: common[503],
})
