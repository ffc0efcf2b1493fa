import { adminCases, adminToken, allPages, asAdmin, userPath } from '../../support/cases/administration.ts'
import { contract } from '../../support/cases/contract.ts'
import { eventsIn, type Listed } from '../../support/servers/receiver.ts'
import type { World } from '../../support/service/world.ts'

const common = adminCases('adminListEvents', async () => ({}))

/** Creates events of a new account, oldest first. Returns the account ID. */
async function createEvents(world: World, ...rows: object[]): Promise<number> {
  const { id: accountId } = await world.person()
  const common = { accountId, type: 'account.suspended', data: { account_id: accountId } }
  for (const row of rows) await world.service.database.prisma.event.create({ data: { ...common, ...row } })
  return accountId
}

contract('adminListEvents', {
  200: asAdmin({
    'lists the events of an account as unsent without a webhook': async (send, world, t) => {
      const token = await adminToken(world)
      const person = await world.person()
      await world.send('adminSuspendUser')({ ...userPath(person), token, json: { reason: 'why' } })
      await world.send('adminRestoreUser')({ ...userPath(person), token, json: { reason: 'because' } })
      const received = await send({ query: { account_id: person.id } })
      const unsent = { state: 'unsent', attempts: 0, last_attempt_at: null, next_attempt_at: null, delivered_at: null }
      t.match(received.body.data, {
        items: [
          { ...unsent, event: { type: 'account.restored', data: { account_id: person.id } } },
          { ...unsent, event: { type: 'account.suspended', data: { account_id: person.id } } },
        ],
        next_cursor: null,
      })
      return received
    },
    'filters by state': async (send, world, t) => {
      const at = new Date('2026-01-02T03:04:05.678Z')
      const rows = {
        waiting: { attempts: 1, lastAttemptAt: at, nextAttemptAt: at, lastFailure: 'status 500' },
        delivered: { attempts: 1, lastAttemptAt: at, deliveredAt: at },
        failed: { attempts: 10, lastAttemptAt: at, lastFailure: 'status 500' },
        unsent: {},
      }
      const accountId = await createEvents(world, ...Object.values(rows))
      for (const state of Object.keys(rows)) {
        const { body } = await send({ query: { account_id: accountId, state } })
        t.same(
          (body.data.items as Listed[]).map((event) => event.state),
          [state],
        )
      }
      const received = await send({ query: { account_id: accountId } })
      t.match(received.body.data.items, [
        { state: 'unsent' },
        { state: 'failed', last_failure: 'status 500', next_attempt_at: null },
        { state: 'delivered', last_failure: null, delivered_at: at.toISOString() },
        { state: 'waiting', attempts: 1, next_attempt_at: at.toISOString() },
      ])
      return received
    },
    'filters by type': async (send, world, t) => {
      const accountId = await createEvents(world, {}, { type: 'account.restored' })
      const received = await send({ query: { account_id: accountId, type: 'account.restored' } })
      t.match(received.body.data.items, [{ event: { type: 'account.restored' } }])
      t.equal((received.body.data.items as object[]).length, 1)
      return received
    },
    'returns each event once across pages': async (send, world, t) => {
      const accountId = await createEvents(world, {}, {}, {}, {}, {})
      const query = { account_id: accountId, limit: 2 }
      const listed = await allPages(send, query, ({ body }) => body.data.items as Listed[])
      const seen = listed.map(({ id }) => id)
      const whole = await eventsIn(world, await adminToken(world), { account_id: accountId })
      t.same(
        seen,
        whole.map(({ id }) => id),
      )
      t.equal(seen.length, 5)
      return send({ query: { account_id: accountId, limit: 5 } })
    },
  }),
  400: common[400],
  401: common[401],
  403: common[403],
  422: {
    'rejects invalid parameters': async (send, world, t) => {
      const query = { account_id: 'x', type: 'unknown', state: 'lost', limit: 0, cursor: '?' }
      const received = await send({ token: await adminToken(world), query })
      t.same(received.body.data.codes, {
        account_id: ['wrong_type'],
        type: ['not_allowed'],
        state: ['not_allowed'],
        limit: ['too_small'],
        cursor: ['wrong_format'],
      })
      return received
    },
    'rejects a cursor of another list': async (send, world, t) => {
      const cursor = Buffer.from('1.2').toString('base64url')
      const received = await send({ token: await adminToken(world), query: { cursor } })
      t.same(received.body.data.codes, { cursor: ['wrong_format'] })
      return received
    },
  },
  429: common[429],
  500: common[500],
  503: common[503],
})
