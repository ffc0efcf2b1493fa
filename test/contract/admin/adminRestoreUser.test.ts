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

const json = { reason: 'انتحال صفة محامٍ آخر.' }
const common = adminCases('adminRestoreUser', async (world) => ({ ...userPath(await world.person()), json }))
const unknown = unknownUserCases({ json })
const body = adminBodyCases(json)
const reasons = reasonCases(json)

const once = adminIdempotencyCases(async (world) => {
  const user = userPath(await world.person())
  return { sent: { ...user, json }, other: { ...user, json: { reason: 'another' } } }
})

contract(
  'adminRestoreUser',
  {
    200: {
      ...once.success,
      'restores a suspended account, which can log in again': async (send, world, t) => {
        const admin = await world.person({ isAdmin: true })
        const token = await admin.token()
        const person = await world.person()
        const old = await person.token()
        await world.send('adminSuspendUser')({ ...userPath(person), json, token })
        const received = await send({ ...userPath(person), json: { reason: 'a mistake' }, token })
        t.match(received.body.data.account, { status: 'active', suspended_at: null, suspension_reason: null })
        t.equal(
          (await world.send('getProfile')({ token: old })).status,
          401,
          'tokens from before the suspension stay revoked',
        )
        t.equal((await world.send('getProfile')({ token: await person.token() })).status, 200)
        t.match((await eventsOf(world, person.id)).at(-2), {
          event: 'user_restored',
          actorId: admin.id,
          reason: 'a mistake',
        })
        return received
      },
      'does not change an active account': async (send, world, t) => {
        const person = await world.person()
        const token = await person.token()
        const received = await send({ ...userPath(person), json, token: await adminToken(world) })
        t.equal(received.body.data.account.sessions, 1)
        t.equal((await world.send('getProfile')({ token })).status, 200)
        t.equal((await eventsOf(world, person.id)).length, 1)
        return received
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
