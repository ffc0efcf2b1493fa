import {
  adminCases,
  asAdmin,
  eventsOf,
  newLawyer,
  userPath,
  unknownUserCases,
} from '../../support/cases/administration.ts'
import { contract } from '../../support/cases/contract.ts'
import { nationalIdOf, withCheckDigit } from '../../support/accounts/national-ids.ts'

const common = adminCases('adminGetUser', async (world) => userPath(await world.person()))
const unknown = unknownUserCases()

contract(
  'adminGetUser',
  {
    200: {
      'returns the profile and session count of a client, and records the read': async (send, world, t) => {
        const admin = await world.person({ isAdmin: true })
        const person = await world.person()
        const token = await person.token()
        await person.logIn()
        const own = await world.send('getProfile')({ token })
        const received = await send({ ...userPath(person), token: await admin.token() })
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
        'does not count expired sessions': async (send, world, t) => {
          const person = await world.person()
          await person.logIn()
          world.wait(31 * 24 * 3_600_000)
          const token = await (await world.person({ isAdmin: true })).token()
          const received = await send({ ...userPath(person), token })
          t.equal(received.body.data.account.sessions, 0)
          return received
        },
        'returns a lawyer with the result of the national ID check': async (send, world, t) => {
          const lawyer = await newLawyer(world)
          const received = await send(userPath(lawyer))
          const user = { account_type: 'lawyer', national_id: nationalIdOf(lawyer), review_reason: null }
          t.match(received.body.data, { user, national_id_check: 'plausible' })
          t.same(received.body.data.duplicate_of, [])
          return received
        },
        'flags an implausible national ID for administrators only': async (send, world, t) => {
          const lawyer = await newLawyer(world, { nationalId: '1012345678' })
          const received = await send(userPath(lawyer))
          t.equal(received.body.data.national_id_check, 'implausible')
          const own = await world.send('getProfile')({ token: await lawyer.token() })
          t.notMatch(JSON.stringify(own.body), /national_id_check|duplicate_of/)
          return received
        },
        'flags a national ID that belongs to another identity type': async (send, world, t) => {
          const nationalId = withCheckDigit('200000101')
          const resident = await send(userPath(await newLawyer(world, { nationalId, identityType: 3 })))
          t.equal(resident.body.data.national_id_check, 'plausible')
          const received = await send(userPath(await newLawyer(world, { nationalId, identityType: 1 })))
          t.equal(received.body.data.national_id_check, 'implausible')
          return received
        },
        'lists other accounts with the same national ID, ignoring its type and case': async (send, world, t) => {
          const first = await newLawyer(world, { nationalId: 'AX2026301', identityType: 2 })
          const second = await newLawyer(world, { nationalId: 'ax2026301', identityType: 1 })
          const former = await newLawyer(world, { nationalId: 'AX2026301', identityType: 2 })
          const where = { id: former.id }
          const data = { accountType: 'client', status: 'suspended' } as const
          await world.service.database.prisma.account.update({ where, data })
          const received = await send(userPath(first))
          t.match(received.body.data, { national_id_check: 'plausible', duplicate_of: [second.id, former.id] })
          t.same((await send(userPath(second))).body.data.duplicate_of, [first.id, former.id])
          t.same((await send(userPath(former))).body.data.duplicate_of, [], 'clients have no duplicates')
          return received
        },
        'lists other accounts with the same licence number in the same section': async (send, world, t) => {
          const lawyer = await newLawyer(world, { licences: { 101: '77/4001', 102: '77/4002' } })
          const [same, spaced] = [
            await newLawyer(world, { licences: { 102: '77/4002' } }),
            await newLawyer(world, { licences: { 101: '٧٧ / ٤٠٠١' } }),
          ]
          await newLawyer(world, { licences: { 102: '77/4001' } }) // another section
          const received = await send(userPath(lawyer))
          t.same(received.body.data.duplicate_of, [same.id, spaced.id])
          return received
        },
        'lists at most ten duplicates': async (send, world, t) => {
          const [nationalId, licences] = [withCheckDigit('109900011'), { 101: '77/4011' }]
          const lawyer = await newLawyer(world, { nationalId, licences })
          const others: number[] = []
          for (let number = 0; number < 12; number++) {
            others.push((await newLawyer(world, number % 2 === 0 ? { nationalId } : { licences })).id)
          }
          const received = await send(userPath(lawyer))
          t.same(received.body.data.duplicate_of, others.slice(0, 10))
          return received
        },
        'returns a lawyer without lawyer data': async (send, world, t) => {
          const received = await send(userPath(await world.person({ accountType: 'lawyer' })))
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
  userPath({ id: 1 }),
)
