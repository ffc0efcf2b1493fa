import {
  adminBodyStories,
  adminStories,
  adminToken,
  eventsOf,
  of,
  reasonStories,
  unknownUserStories,
} from '../support/administration.ts'
import { contract } from '../support/contract.ts'

const json = { reason: 'انتحال صفة محامٍ آخر.' }
const common = adminStories('adminRestoreUser', async (world) => ({ ...of(await world.person()), json }))
const unknown = unknownUserStories({ json })
const body = adminBodyStories(json)
const reasons = reasonStories(json)

contract(
  'adminRestoreUser',
  {
    200: {
      'an account, which logs in again': async (send, world, t) => {
        const admin = await world.person({ isAdmin: true })
        const token = await admin.token()
        const person = await world.person()
        const old = await person.token()
        await world.send('adminSuspendUser')({ ...of(person), json, token })
        const received = await send({ ...of(person), json: { reason: 'a mistake' }, token })
        t.match(received.body.data.account, { status: 'active', suspended_at: null, suspension_reason: null })
        t.equal((await world.send('getProfile')({ token: old })).status, 401, 'the old token stays what it is')
        t.equal((await world.send('getProfile')({ token: await person.token() })).status, 200)
        t.match((await eventsOf(world, person.id)).at(-2), {
          event: 'user_restored',
          actorId: admin.id,
          reason: 'a mistake',
        })
        return received
      },
      'one that is not suspended, which stays as it is': async (send, world, t) => {
        const person = await world.person()
        const token = await person.token()
        const received = await send({ ...of(person), json, token: await adminToken(world) })
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
    413: body[413],
    415: body[415],
    422: {
      ...unknown[422],
      ...reasons[422],
    },
    429: common[429],
    500: common[500],
    503: common[503],
  },
  of({ id: 1 }),
)
