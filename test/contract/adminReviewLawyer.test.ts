import {
  adminBodyStories,
  adminStories,
  adminToken,
  asAdmin,
  eventsOf,
  newLawyer,
  of,
  unknownUserStories,
} from '../support/administration.ts'
import { exportIn } from '../support/archives.ts'
import { contract } from '../support/contract.ts'
import { lawyerForm } from '../support/profile-forms.ts'

const json = { decision: 'approved', review_version: 0 } // that of a new lawyer
const rejection = { decision: 'rejected', review_version: 0, reason: 'صورة الهوية غير واضحة.' }
const common = adminStories('adminReviewLawyer', async (world) => ({ ...of(await newLawyer(world)), json }))
const unknown = unknownUserStories({ json })
const body = adminBodyStories(json)

contract(
  'adminReviewLawyer',
  {
    200: {
      'a rejection, whose reason the lawyer sees': async (send, world, t) => {
        const admin = await world.person({ isAdmin: true })
        const lawyer = await newLawyer(world)
        const received = await send({ ...of(lawyer), json: rejection, token: await admin.token() })
        t.same(received.body.data, { id: lawyer.id, review_status: 'rejected', review_reason: rejection.reason })
        const { body: seen } = await world.send('getProfile')({ token: await lawyer.token() })
        t.match(seen.data.user, { review_status: 'rejected', review_reason: rejection.reason })
        const [event] = await eventsOf(world, lawyer.id)
        t.match(event, { event: 'lawyer_rejected', actorId: admin.id, reason: rejection.reason, subject: null })
        return received
      },
      'an approval after it, with a note that the lawyer does not see': async (send, world, t) => {
        const token = await adminToken(world)
        const lawyer = await newLawyer(world)
        await send({ ...of(lawyer), json: rejection, token })
        const received = await send({ ...of(lawyer), json: { ...json, reason: 'seen in person' }, token })
        const { body: seen } = await world.send('getProfile')({ token: await lawyer.token() })
        t.match(seen.data.user, { review_status: 'approved', review_reason: null })
        t.match((await eventsOf(world, lawyer.id))[1], { event: 'lawyer_approved', reason: 'seen in person' })
        return received
      },
      'of what the administrator has seen': async (send, world, t) => {
        const token = await adminToken(world)
        const lawyer = await newLawyer(world)
        const seen = await world.send('adminGetUser')({ ...of(lawyer), token })
        const review_version = seen.body.data.review_version as number
        const received = await send({ ...of(lawyer), json: { ...json, review_version }, token })
        t.equal(received.body.data.review_status, 'approved')
        return received
      },
      'a decision on implausible and duplicate credentials, which is recorded for administrators only': async (
        send,
        world,
        t,
      ) => {
        const token = await adminToken(world)
        const lawyer = await newLawyer(world, { nationalId: '1012345678', licences: { 101: '78/1' } })
        const other = await newLawyer(world, { nationalId: '1012345678' })
        const third = await newLawyer(world, { licences: { 101: '78/1' } })
        const received = await send({ ...of(lawyer), json, token })
        await send({ ...of(third), json: rejection, token })
        const subjectOf = async ({ id }: { id: number }): Promise<unknown> => (await eventsOf(world, id))[0]?.subject
        t.equal(await subjectOf(lawyer), `national_id_check=implausible duplicate_of=${other.id},${third.id}`)
        t.equal(await subjectOf(third), `duplicate_of=${lawyer.id}`)
        const listed = await world.send('adminListAudit')({ query: { account_id: String(third.id) }, token })
        t.match(listed.body.data.events, [{ event: 'lawyer_rejected', subject: `duplicate_of=${lawyer.id}` }])
        const { account } = await exportIn(await world.send('exportAccount')({ token: await third.token() }))
        const reviewed = account.events.filter(({ event }) => event === 'lawyer_rejected')
        t.match(reviewed, [{ subject: null, by_administrator: true }], 'not in the export of the lawyer')
        return received
      },
      'the same decision once more, which is not recorded': async (send, world, t) => {
        const token = await adminToken(world)
        const lawyer = await newLawyer(world)
        await send({ ...of(lawyer), json: rejection, token })
        const received = await send({ ...of(lawyer), json: rejection, token })
        t.equal((await eventsOf(world, lawyer.id)).length, 1)
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
      ...asAdmin({
        'a client': async (send, world, t) => {
          const received = await send({ ...of(await world.person()), json })
          t.same(received.body.data.codes, { user_id: ['not_a_lawyer'] })
          return received
        },
        'a lawyer whose profile is not complete': async (send, world, t) => {
          const received = await send({ ...of(await world.person({ accountType: 'lawyer' })), json })
          t.same(received.body.data.codes, { user_id: ['profile_incomplete'] })
          return received
        },
        'what the lawyer has changed since it was seen': async (send, world, t) => {
          const token = await adminToken(world)
          const lawyer = await newLawyer(world)
          const seen = async (): Promise<unknown> =>
            (await world.send('adminGetUser')({ ...of(lawyer), token })).body.data.review_version
          const review_version = await seen()
          const form = lawyerForm(lawyer, { national_id: '1087654321' })
          t.equal((await world.send('updateProfile')({ token: await lawyer.token(), form })).status, 200)
          const received = await send({ ...of(lawyer), json: { ...json, review_version } })
          t.same(received.body.data.codes, { review_version: ['outdated'] })
          t.equal((await send({ ...of(lawyer), json: { ...json, review_version: await seen() } })).status, 200)
          return received
        },
        'a decision without the version that it is based on': async (send, world, t) => {
          const lawyer = of(await newLawyer(world))
          const { review_version: _, ...unseen } = rejection
          for (const decision of [{ decision: 'approved' }, unseen]) {
            t.same((await send({ ...lawyer, json: decision })).body.data.codes, { review_version: ['required'] })
          }
          return send({ ...lawyer, json: { ...json, review_version: null } })
        },
        'a version that there has never been': async (send, world, t) => {
          const received = await send({ ...of(await newLawyer(world)), json: { ...json, review_version: 1 } })
          t.same(received.body.data.codes, { review_version: ['outdated'] })
          return received
        },
        'a rejection without a reason': async (send, world, t) => {
          const without = { decision: 'rejected', review_version: 0 }
          const received = await send({ ...of(await newLawyer(world)), json: without })
          t.same(received.body.data.codes, { reason: ['required'] })
          return received
        },
        'another decision, and none': async (send, world, t) => {
          const lawyer = of(await newLawyer(world))
          const none = await send({ ...lawyer, json: { review_version: 0 } })
          const other = await send({ ...lawyer, json: { ...json, decision: 'pending' } })
          t.same(
            [none, other].map(({ body: { data } }) => data.codes as object),
            [{ decision: ['required'] }, { decision: ['not_allowed'] }],
          )
          return other
        },
      }),
      'the lawyer themself': async (send, world, t) => {
        const lawyer = await newLawyer(world)
        await world.service.database.prisma.account.update({ where: { id: lawyer.id }, data: { isAdmin: true } })
        const received = await send({ ...of(lawyer), json, token: await lawyer.token() })
        t.same(received.body.data.codes, { user_id: ['own_account'] })
        return received
      },
    },
    429: common[429],
    500: common[500],
    503: common[503],
  },
  of({ id: 1 }),
)
