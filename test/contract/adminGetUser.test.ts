import { adminStories, asAdmin, eventsOf, newLawyer, of, unknownUserStories } from '../support/administration.ts'
import { contract } from '../support/contract.ts'

const common = adminStories('adminGetUser', async (world) => of(await world.person()))
const unknown = unknownUserStories()

contract(
  'adminGetUser',
  {
    200: {
      'a client who is logged in on two devices': async (send, world, t) => {
        const admin = await world.person({ isAdmin: true })
        const person = await world.person()
        const token = await person.token()
        await person.logIn()
        const own = await world.send('getProfile')({ token })
        const received = await send({ ...of(person), token: await admin.token() })
        t.same(received.body.data.user, own.body.data.user)
        t.match(received.body.data.account, {
          id: person.id,
          status: 'active',
          is_admin: false,
          suspended_at: null,
          suspension_reason: null,
          sessions: 2,
        })
        t.match(await eventsOf(world, person.id), [{}, {}, { event: 'user_read', actorId: admin.id }])
        return received
      },
      ...asAdmin({
        'sessions that have expired do not count': async (send, world, t) => {
          const person = await world.person()
          await person.logIn()
          world.wait(31 * 24 * 3_600_000)
          const token = await (await world.person({ isAdmin: true })).token()
          const received = await send({ ...of(person), token })
          t.equal(received.body.data.account.sessions, 0)
          return received
        },
        'a lawyer': async (send, world, t) => {
          const received = await send(of(await newLawyer(world)))
          t.match(received.body.data.user, { account_type: 'lawyer', national_id: '1012345678', review_reason: null })
          return received
        },
        'a lawyer who has not said anything yet': async (send, world, t) => {
          const received = await send(of(await world.person({ accountType: 'lawyer' })))
          t.match(received.body.data.user, { account_type: 'lawyer', profile_complete: false, national_id: null })
          return received
        },
      }),
    },
    400: common[400],
    401: common[401],
    403: common[403],
    404: unknown[404],
    422: unknown[422],
    429: common[429],
    500: common[500],
    503: common[503],
  },
  of({ id: 1 }),
)
