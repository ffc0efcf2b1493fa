import {
  adminBodyCases,
  adminCases,
  adminToken,
  eventsOf,
  reasonCases,
  unknownUserCases,
  userPath,
} from '../../support/cases/administration.ts'
import { contract } from '../../support/cases/contract.ts'
import { adminIdempotencyCases } from '../../support/cases/idempotency-cases.ts'
import { HOUR_MS, loginError, pendingReset, storedReset } from '../../support/accounts/factor-resets.ts'
import { mailsTo, settled, tokenFor } from '../../support/accounts/resets.ts'
import { protect, protectedPerson } from '../../support/accounts/second-factors.ts'
import type { Person, World } from '../../support/service/world.ts'

const NOTICE = 'Your second factors will be removed'
const json = { reason: 'Lost the phone, identity checked in a video call.' }

async function newUser(world: World): Promise<Person> {
  const person = await world.person()
  await protect(world, person)
  return person
}

const common = adminCases('adminResetFactors', async (world) => ({ ...userPath(await newUser(world)), json }))
const unknown = unknownUserCases({ json })
const body = adminBodyCases(json)
const reasons = reasonCases(json, newUser)

const once = adminIdempotencyCases(async (world) => {
  const user = userPath(await newUser(world))
  return { sent: { ...user, json }, other: { ...user, json: { reason: 'another' } } }
})

contract(
  'adminResetFactors',
  {
    202: {
      ...once.success,
      'schedules the reset in 24 hours, and notifies the owner on both channels': async (send, world, t) => {
        const admin = await world.person({ isAdmin: true })
        const { person } = await protectedPerson(world)
        const nowMs = world.service.clock.nowMs()
        const received = await send({ ...userPath(person), json, token: await admin.token() })
        const { reset_at: resetAt } = received.body.data as { reset_at: string }
        t.ok(Math.abs(Date.parse(resetAt) - nowMs - 24 * HOUR_MS) < 60_000)
        const [mail] = await mailsTo(world, person.email)
        t.equal(mail?.subject, NOTICE)
        await settled(world)
        t.match(world.textsTo(person.phone)[0], /will be removed after 24 hours/)
        t.same(await mailsTo(world, admin.email), [], 'other administrators are not notified of a user')
        const expected = { event: 'factor_reset_scheduled', actorId: admin.id, reason: json.reason }
        t.match((await eventsOf(world, person.id)).at(-1), expected)
        const cancelled = await world.send('cancelFactorReset')({
          json: { token: await tokenFor(world, person.email) },
        })
        t.equal(cancelled.status, 200)
        t.equal(await storedReset(world, person), undefined)
        return received
      },
      'takes effect after 24 hours, also for an account with one verified identifier or none': async (
        send,
        world,
        t,
      ) => {
        const unverified = { isEmailVerified: false, isPhoneVerified: false }
        const person = await world.person(unverified)
        await protect(world, person)
        const received = await send({ ...userPath(person), json, token: await adminToken(world) })
        world.wait(24 * HOUR_MS - 60_000)
        t.equal(await loginError(world, person), 'mfa_required')
        world.wait(60_000)
        t.equal(await loginError(world, person), undefined)
        return received
      },
      'shortens a reset that the owner has confirmed, and not the other way round': async (send, world, t) => {
        const { person, resetAt } = await pendingReset(world)
        const countNotices = async (): Promise<number> =>
          (await mailsTo(world, person.email)).filter(({ subject }) => subject === NOTICE).length
        const before = await countNotices() // none, if the token of the first one was replaced before it was sent
        const token = await adminToken(world)
        const received = await send({ ...userPath(person), json, token })
        const { reset_at: sooner } = received.body.data as { reset_at: string }
        t.ok(Date.parse(sooner) < Date.parse(resetAt))
        world.wait(60_000)
        const again = await send({ ...userPath(person), json, token })
        t.same(again.body.data, received.body.data)
        const scheduled = (await eventsOf(world, person.id)).filter(({ event }) => event === 'factor_reset_scheduled')
        t.equal(scheduled.length, 1, 'a repeated request that changes nothing is not recorded')
        t.equal(await countNotices(), before + 1)
        return received
      },
      'can be cancelled with the link of a reset that it has shortened': async (send, world, t) => {
        const { person, cancelToken } = await pendingReset(world)
        const received = await send({ ...userPath(person), json, token: await adminToken(world) })
        t.equal((await world.send('cancelFactorReset')({ json: { token: cancelToken } })).status, 200)
        t.equal(await storedReset(world, person), undefined)
        return received
      },
      'notifies all active administrators of a reset of one of them': async (send, world, t) => {
        const admin = await world.person({ isAdmin: true })
        const third = await world.person({ isAdmin: true })
        const suspended = await world.person({ isAdmin: true })
        const { account } = world.service.database.prisma
        await account.update({ where: { id: suspended.id }, data: { status: 'suspended' } })
        const { person } = await protectedPerson(world, await world.person({ isAdmin: true }))
        const received = await send({ ...userPath(person), json, token: await admin.token() })
        for (const { email } of [admin, third]) {
          const [mail] = await mailsTo(world, email)
          t.equal(mail?.subject, 'The second factors of an administrator will be removed')
          t.match(mail?.text, person.email)
        }
        t.same(await mailsTo(world, suspended.email), [])
        const [own] = await mailsTo(world, person.email)
        t.equal(own?.subject, NOTICE)
        return received
      },
    },
    400: { ...common[400], ...body[400] },
    401: common[401],
    403: common[403],
    404: unknown[404],
    409: {
      ...once.conflict,
      'rejects an account without a second factor': async (send, world, t) => {
        const person = await world.person()
        const received = await send({ ...userPath(person), json, token: await adminToken(world) })
        t.equal(received.headers['error-code'], 'second_factor_missing')
        return received
      },
    },
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
