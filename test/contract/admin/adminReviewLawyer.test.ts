import {
  adminBodyCases,
  adminCases,
  adminToken,
  asAdmin,
  eventsOf,
  newLawyer,
  userPath,
  unknownUserCases,
} from '../../support/cases/administration.ts'
import { exportIn } from '../../support/files/archives.ts'
import { contract } from '../../support/cases/contract.ts'
import { adminIdempotencyCases } from '../../support/cases/idempotency-cases.ts'
import { lawyerForm } from '../../support/accounts/profile-forms.ts'

const json = { decision: 'approved', review_version: 0 } // the version of a new lawyer
const rejection = { decision: 'rejected', review_version: 0, reason: 'صورة الهوية غير واضحة.' }
const common = adminCases('adminReviewLawyer', async (world) => ({ ...userPath(await newLawyer(world)), json }))
const unknown = unknownUserCases({ json })
const body = adminBodyCases(json)

const once = adminIdempotencyCases(async (world) => {
  const user = userPath(await newLawyer(world))
  return { sent: { ...user, json }, other: { ...user, json: rejection } }
})

contract(
  'adminReviewLawyer',
  {
    200: {
      ...once.success,
      'rejects a lawyer and shows them the reason': async (send, world, t) => {
        const admin = await world.person({ isAdmin: true })
        const lawyer = await newLawyer(world)
        const received = await send({ ...userPath(lawyer), json: rejection, token: await admin.token() })
        t.same(received.body.data, { id: lawyer.id, review_status: 'rejected', review_reason: rejection.reason })
        const { body: profile } = await world.send('getProfile')({ token: await lawyer.token() })
        t.match(profile.data.user, { review_status: 'rejected', review_reason: rejection.reason })
        const [event] = await eventsOf(world, lawyer.id)
        t.match(event, { event: 'lawyer_rejected', actorId: admin.id, reason: rejection.reason, subject: null })
        return received
      },
      'approves a rejected lawyer and hides the note from them': async (send, world, t) => {
        const token = await adminToken(world)
        const lawyer = await newLawyer(world)
        await send({ ...userPath(lawyer), json: rejection, token })
        const received = await send({ ...userPath(lawyer), json: { ...json, reason: 'seen in person' }, token })
        const { body: profile } = await world.send('getProfile')({ token: await lawyer.token() })
        t.match(profile.data.user, { review_status: 'approved', review_reason: null })
        t.match((await eventsOf(world, lawyer.id))[1], { event: 'lawyer_approved', reason: 'seen in person' })
        return received
      },
      'approves the version that the administrator has read': async (send, world, t) => {
        const token = await adminToken(world)
        const lawyer = await newLawyer(world)
        const current = await world.send('adminGetUser')({ ...userPath(lawyer), token })
        const review_version = current.body.data.review_version as number
        const received = await send({ ...userPath(lawyer), json: { ...json, review_version }, token })
        t.equal(received.body.data.review_status, 'approved')
        return received
      },
      'records implausible and duplicate credentials for administrators only': async (send, world, t) => {
        const token = await adminToken(world)
        const lawyer = await newLawyer(world, { nationalId: '1012345678', licences: { 101: '78/1' } })
        const other = await newLawyer(world, { nationalId: '1012345678' })
        const third = await newLawyer(world, { licences: { 101: '78/1' } })
        const received = await send({ ...userPath(lawyer), json, token })
        await send({ ...userPath(third), json: rejection, token })
        const subjectOf = async ({ id }: { id: number }): Promise<unknown> => (await eventsOf(world, id))[0]?.subject
        t.equal(await subjectOf(lawyer), `national_id_check=implausible duplicate_of=${other.id},${third.id}`)
        t.equal(await subjectOf(third), `duplicate_of=${lawyer.id}`)
        const listed = await world.send('adminListAudit')({ query: { account_id: String(third.id) }, token })
        t.match(listed.body.data.items, [{ event: 'lawyer_rejected', subject: `duplicate_of=${lawyer.id}` }])
        const { account } = await exportIn(await world.send('exportAccount')({ token: await third.token() }))
        const reviewed = account.events.filter(({ event }) => event === 'lawyer_rejected')
        t.match(reviewed, [{ subject: null, by_administrator: true }], 'the export of the lawyer omits it')
        return received
      },
      'does not record a repeated decision': async (send, world, t) => {
        const token = await adminToken(world)
        const lawyer = await newLawyer(world)
        await send({ ...userPath(lawyer), json: rejection, token })
        const received = await send({ ...userPath(lawyer), json: rejection, token })
        t.equal((await eventsOf(world, lawyer.id)).length, 1)
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
      ...asAdmin({
        'rejects a review of a client': async (send, world, t) => {
          const received = await send({ ...userPath(await world.person()), json })
          t.same(received.body.data.codes, { user_id: ['not_a_lawyer'] })
          return received
        },
        'rejects a review of an incomplete profile': async (send, world, t) => {
          const received = await send({ ...userPath(await world.person({ accountType: 'lawyer' })), json })
          t.same(received.body.data.codes, { user_id: ['profile_incomplete'] })
          return received
        },
        'rejects a decision on an outdated version': async (send, world, t) => {
          const token = await adminToken(world)
          const lawyer = await newLawyer(world)
          const readVersion = async (): Promise<unknown> =>
            (await world.send('adminGetUser')({ ...userPath(lawyer), token })).body.data.review_version
          const review_version = await readVersion()
          const form = lawyerForm(lawyer, { national_id: '1087654321' })
          t.equal((await world.send('updateProfile')({ token: await lawyer.token(), form })).status, 200)
          const received = await send({ ...userPath(lawyer), json: { ...json, review_version } })
          t.same(received.body.data.codes, { review_version: ['outdated'] })
          t.equal(
            (await send({ ...userPath(lawyer), json: { ...json, review_version: await readVersion() } })).status,
            200,
          )
          return received
        },
        'rejects a decision without a version': async (send, world, t) => {
          const lawyer = userPath(await newLawyer(world))
          const { review_version: _, ...withoutVersion } = rejection
          for (const decision of [{ decision: 'approved' }, withoutVersion]) {
            t.same((await send({ ...lawyer, json: decision })).body.data.codes, { review_version: ['required'] })
          }
          return send({ ...lawyer, json: { ...json, review_version: null } })
        },
        'rejects a version that never existed': async (send, world, t) => {
          const received = await send({ ...userPath(await newLawyer(world)), json: { ...json, review_version: 1 } })
          t.same(received.body.data.codes, { review_version: ['outdated'] })
          return received
        },
        'requires a reason for a rejection': async (send, world, t) => {
          const without = { decision: 'rejected', review_version: 0 }
          const received = await send({ ...userPath(await newLawyer(world)), json: without })
          t.same(received.body.data.codes, { reason: ['required'] })
          return received
        },
        'rejects an unknown and a missing decision': async (send, world, t) => {
          const lawyer = userPath(await newLawyer(world))
          const none = await send({ ...lawyer, json: { review_version: 0 } })
          const other = await send({ ...lawyer, json: { ...json, decision: 'pending' } })
          t.same(
            [none, other].map(({ body: { data } }) => data.codes as object),
            [{ decision: ['required'] }, { decision: ['not_allowed'] }],
          )
          return other
        },
      }),
      'rejects administrators who review themselves': async (send, world, t) => {
        const lawyer = await newLawyer(world)
        await world.service.database.prisma.account.update({ where: { id: lawyer.id }, data: { isAdmin: true } })
        const received = await send({ ...userPath(lawyer), json, token: await lawyer.token() })
        t.same(received.body.data.codes, { user_id: ['own_account'] })
        return received
      },
    },
    429: common[429],
    500: common[500],
    503: common[503],
  },
  userPath({ id: 1 }),
)
