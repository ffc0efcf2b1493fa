import { adminStories, asAdmin, eventsOf, newLawyer, of, unknownUserStories } from '../support/administration.ts'
import { contract } from '../support/contract.ts'
import { nationalIdOf, withCheckDigit } from '../support/national-ids.ts'

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
        t.match(received.body.data, { national_id_check: null, duplicate_of: [] })
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
          const lawyer = await newLawyer(world)
          const received = await send(of(lawyer))
          const user = { account_type: 'lawyer', national_id: nationalIdOf(lawyer), review_reason: null }
          t.match(received.body.data, { user, national_id_check: 'plausible' })
          t.same(received.body.data.duplicate_of, [])
          return received
        },
        'an implausible national ID, which the lawyer does not see': async (send, world, t) => {
          const lawyer = await newLawyer(world, { nationalId: '1012345678' })
          const received = await send(of(lawyer))
          t.equal(received.body.data.national_id_check, 'implausible')
          const own = await world.send('getProfile')({ token: await lawyer.token() })
          t.notMatch(JSON.stringify(own.body), /national_id_check|duplicate_of/)
          return received
        },
        'a national ID that fits another type of document': async (send, world, t) => {
          const nationalId = withCheckDigit('200000101')
          const resident = await send(of(await newLawyer(world, { nationalId, identityType: 3 })))
          t.equal(resident.body.data.national_id_check, 'plausible')
          const received = await send(of(await newLawyer(world, { nationalId, identityType: 1 })))
          t.equal(received.body.data.national_id_check, 'implausible')
          return received
        },
        'other accounts with the same national ID, whatever its type, in whatever case': async (send, world, t) => {
          const first = await newLawyer(world, { nationalId: 'AX2026301', identityType: 2 })
          const second = await newLawyer(world, { nationalId: 'ax2026301', identityType: 1 })
          const former = await newLawyer(world, { nationalId: 'AX2026301', identityType: 2 })
          const where = { id: former.id }
          const data = { accountType: 'client', status: 'suspended' } as const
          await world.service.database.prisma.account.update({ where, data })
          const received = await send(of(first))
          t.match(received.body.data, { national_id_check: 'plausible', duplicate_of: [second.id, former.id] })
          t.same((await send(of(second))).body.data.duplicate_of, [first.id, former.id])
          t.same((await send(of(former))).body.data.duplicate_of, [], 'a client')
          return received
        },
        'other accounts with the same licence number in the same section': async (send, world, t) => {
          const lawyer = await newLawyer(world, { licences: { 101: '77/4001', 102: '77/4002' } })
          const [same, spaced] = [
            await newLawyer(world, { licences: { 102: '77/4002' } }),
            await newLawyer(world, { licences: { 101: '٧٧ / ٤٠٠١' } }),
          ]
          await newLawyer(world, { licences: { 102: '77/4001' } }) // another section
          const received = await send(of(lawyer))
          t.same(received.body.data.duplicate_of, [same.id, spaced.id])
          return received
        },
        'more duplicates than are listed': async (send, world, t) => {
          const [nationalId, licences] = [withCheckDigit('109900011'), { 101: '77/4011' }]
          const lawyer = await newLawyer(world, { nationalId, licences })
          const others: number[] = []
          for (let number = 0; number < 12; number++) {
            others.push((await newLawyer(world, number % 2 === 0 ? { nationalId } : { licences })).id)
          }
          const received = await send(of(lawyer))
          t.same(received.body.data.duplicate_of, others.slice(0, 10))
          return received
        },
        'a lawyer who has not said anything yet': async (send, world, t) => {
          const received = await send(of(await world.person({ accountType: 'lawyer' })))
          t.match(received.body.data.user, { account_type: 'lawyer', profile_complete: false, national_id: null })
          t.match(received.body.data, { national_id_check: null, duplicate_of: [] })
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
