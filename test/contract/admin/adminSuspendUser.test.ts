import {
  adminBodyCases,
  adminCases,
  adminToken,
  eventsOf,
  userPath,
  reasonCases,
  unknownUserCases,
} from '../../support/cases/administration.ts'
import { contract } from '../../support/cases/contract.ts'
import { adminIdempotencyCases } from '../../support/cases/idempotency-cases.ts'
import { PASSWORD } from '../../support/service/world.ts'

const json = { reason: 'انتحال صفة محامٍ آخر.' }
const common = adminCases('adminSuspendUser', async (world) => ({ ...userPath(await world.person()), json }))
const unknown = unknownUserCases({ json })
const body = adminBodyCases(json)
const reasons = reasonCases(json)

const once = adminIdempotencyCases(async (world) => {
  const user = userPath(await world.person())
  return { sent: { ...user, json }, other: { ...user, json: { reason: 'another' } } }
})

contract(
  'adminSuspendUser',
  {
    200: {
      ...once.success,
      'suspends an account and revokes its tokens at once': async (send, world, t) => {
        const admin = await world.person({ isAdmin: true })
        const person = await world.person()
        const { token, refresh } = await person.logIn()
        const received = await send({ ...userPath(person), json, token: await admin.token() })
        t.match(received.body.data.account, {
          id: person.id,
          status: 'suspended',
          suspended_at: /^2/,
          suspension_reason: json.reason,
          sessions: 0,
        })
        const { prisma } = world.service.database
        const where = { accountId: person.id, endedAt: null }
        t.equal(await prisma.session.count({ where }), 0, 'none continues after the suspension')
        const rejected = await world.send('getProfile')({ token })
        t.equal(rejected.headers['error-code'], 'token_revoked')
        t.equal((await world.send('refreshToken')({ json: { refresh_token: refresh } })).status, 401)
        const login = await world.send('login')({ json: { email: person.email, password: PASSWORD } })
        t.equal(login.headers['error-code'], 'account_suspended')
        t.match(await eventsOf(world, person.id), [
          { event: 'login' },
          { event: 'user_suspended', actorId: admin.id, reason: json.reason },
          { event: 'login_suspended', actorId: null },
        ])
        t.notMatch(world.service.log.join(''), json.reason, 'the log omits the reason')
        return received
      },
      'does not change an account that is already suspended': async (send, world, t) => {
        const token = await adminToken(world)
        const person = await world.person()
        const first = await send({ ...userPath(person), json, token })
        const received = await send({ ...userPath(person), json: { reason: 'another' }, token })
        t.same(received.body.data, first.body.data)
        t.equal((await eventsOf(world, person.id)).length, 1)
        return received
      },
      'lets only one of two administrators suspend the other': async (send, world, t) => {
        const both = [await world.person({ isAdmin: true }), await world.person({ isAdmin: true })] as const
        const tokens = [await both[0].token(), await both[1].token()]
        const responses = await Promise.all([
          send({ ...userPath(both[1]), json, token: tokens[0] }),
          send({ ...userPath(both[0]), json, token: tokens[1] }),
        ])
        t.same(responses.map(({ status }) => status).sort(), [200, 401])
        return responses.find(({ status }) => status === 200) ?? responses[0]
      },
    },
    400: { ...common[400], ...body[400] },
    401: common[401],
    403: common[403],
    404: unknown[404],
    409: once.conflict,
    413: body[413],
    415: body[415],
    422: {
      ...once.invalid,
      ...unknown[422],
      ...reasons[422],
    },
    429: common[429],
    500: common[500],
    503: common[503],
  },
  userPath({ id: 1 }),
)
