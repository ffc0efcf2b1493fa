import type { Received } from '../../support/service/responses.ts'
import { PASSWORD, type Person, type World } from '../../support/service/world.ts'
import { bodyCases, commonCases, unknownTokenCases, wrongTokenLimitCases } from '../../support/cases/common-cases.ts'
import { contract } from '../../support/cases/contract.ts'
import { HOUR_MS, loginError, requestReset, storedReset } from '../../support/accounts/factor-resets.ts'
import { codeFor, mailsTo, settled, tokenFor } from '../../support/accounts/resets.ts'
import { protectedPerson } from '../../support/accounts/second-factors.ts'

const json = { token: 'anything', otp: '493027' }
const common = commonCases('confirmFactorReset', () => ({ json }), 'resetTokens')
const body = bodyCases(json)

const later = ({ service }: World): Date => new Date(service.clock.nowMs() + HOUR_MS)

async function update({ service }: World, { id }: Person, data: object): Promise<void> {
  await service.database.prisma.account.update({ where: { id }, data })
}

/** Whether a reset takes effect after a number of hours. */
function isIn({ service }: World, { body }: Received, hours: number): boolean {
  const { reset_at: resetAt } = body.data as { reset_at: string }
  return Math.abs(Date.parse(resetAt) - service.clock.nowMs() - hours * HOUR_MS) < 60_000
}

contract('confirmFactorReset', {
  202: {
    'schedules the reset, and notifies the owner on both channels': async (send, world, t) => {
      const { person, token } = await protectedPerson(world)
      const confirmation = await requestReset(world, person)
      const earliestMs = world.service.clock.nowMs()
      const received = await send({ json: confirmation })
      const { reset_at: resetAt } = received.body.data as { reset_at: string }
      t.ok(Math.abs(Date.parse(resetAt) - earliestMs - 72 * HOUR_MS) < 60_000)
      t.equal(await storedReset(world, person), Date.parse(resetAt))
      t.match((await world.send('getFactors')({ token })).body.data, { totp_added_at: /^2/, reset_at: resetAt })
      const [mail] = await mailsTo(world, person.email)
      t.equal(mail?.subject, 'Your second factors will be removed')
      t.match(mail?.text, /after 72 hours[^]*\n[\w-]{43}$/)
      await settled(world)
      t.match(world.textsTo(person.phone)[0], /will be removed after 72 hours/)
      t.equal(await loginError(world, person), 'mfa_required')
      const { prisma } = world.service.database
      const where = { accountId: person.id, event: 'factor_reset_confirmed' }
      t.match(await prisma.auditEvent.findFirst({ where }), { address: world.address })
      return received
    },
    'takes 7 days for an account without a number, by the link, which its address cannot cancel': async (
      send,
      world,
      t,
    ) => {
      const { person } = await protectedPerson(world)
      await update(world, person, { phoneVerifiedAt: null, phoneRecoversFrom: null })
      await world.send('requestFactorReset')({ json: { email: person.email, password: PASSWORD } })
      const received = await send({ json: { token: await tokenFor(world, person.email) } })
      t.ok(isIn(world, received, 7 * 24))
      const [mail] = await mailsTo(world, person.email)
      t.match(mail?.text, /only our support can cancel it/)
      return received
    },
    'takes 7 days for an account without an address, by the token of the response and the code': async (
      send,
      world,
      t,
    ) => {
      const { person } = await protectedPerson(world)
      await update(world, person, { emailVerifiedAt: null, emailRecoversFrom: null })
      await settled(world)
      const requested = await world.send('requestFactorReset')({ json: { email: person.email, password: PASSWORD } })
      const { token } = requested.body.data as { token: string }
      t.same((await send({ json: { token } })).body.data.codes, { otp: ['required'] })
      const received = await send({ json: { token, otp: await codeFor(world, person.phone) } })
      t.ok(isIn(world, received, 7 * 24))
      return received
    },
    'accepts digits of any script, and keeps the time of a pending reset': async (send, world, t) => {
      const { person } = await protectedPerson(world)
      const first = await send({ json: await requestReset(world, person) })
      world.wait(HOUR_MS)
      const { token, otp } = await requestReset(world, person)
      const arabic = otp.replaceAll(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'[Number(digit)] ?? '')
      const received = await send({ json: { token, otp: arabic } })
      t.same(received.body.data, first.body.data)
      const [mail] = await mailsTo(world, person.email)
      t.match(mail?.text, /after 71 hours/)
      return received
    },
  },
  400: { ...common[400], ...body[400] },
  413: body[413],
  415: body[415],
  422: {
    ...unknownTokenCases(json, 'factor_reset_failed', 'token_wrong'),
    'rejects a wrong code, and accepts the token with the right one': async (send, world, t) => {
      const { person } = await protectedPerson(world)
      const { token, otp } = await requestReset(world, person)
      const received = await send({ json: { token, otp: otp === '000000' ? '000001' : '000000' } })
      t.same(received.body.data.codes, { otp: ['otp_wrong'] })
      t.equal(await storedReset(world, person), undefined)
      t.equal((await send({ json: { token, otp } })).status, 202)
      return received
    },
    'rejects the code of another account': async (send, world, t) => {
      const { person } = await protectedPerson(world)
      const other = await requestReset(world, (await protectedPerson(world)).person)
      const { token } = await requestReset(world, person)
      const received = await send({ json: { token, otp: other.otp } })
      t.same(received.body.data.codes, { otp: ['otp_wrong'] })
      return received
    },
    'requires the code of an account with a number': async (send, world, t) => {
      const { person } = await protectedPerson(world)
      const { token } = await requestReset(world, person)
      const received = await send({ json: { token } })
      t.same(received.body.data.codes, { otp: ['required'] })
      t.equal(await storedReset(world, person), undefined)
      return received
    },
    'rejects the token of a response once the account has an address': async (send, world, t) => {
      const { person } = await protectedPerson(world)
      const { emailVerifiedAt, emailRecoversFrom } = await world.service.database.prisma.account.findUniqueOrThrow({
        where: { id: person.id },
      })
      await update(world, person, { emailVerifiedAt: null, emailRecoversFrom: null })
      const requested = await world.send('requestFactorReset')({ json: { email: person.email, password: PASSWORD } })
      await update(world, person, { emailVerifiedAt, emailRecoversFrom })
      const { token } = requested.body.data as { token: string }
      const received = await send({ json: { token, otp: await codeFor(world, person.phone) } })
      t.same(received.body.data.codes, { token: ['token_wrong'] })
      return received
    },
    'rejects a token that was used': async (send, world, t) => {
      const { person } = await protectedPerson(world)
      const confirmation = await requestReset(world, person)
      t.equal((await send({ json: confirmation })).status, 202)
      const received = await send({ json: confirmation })
      t.same(received.body.data.codes, { token: ['token_wrong'] })
      return received
    },
    'rejects a token that is 15 minutes old': async (send, world) => {
      const { person } = await protectedPerson(world)
      const confirmation = await requestReset(world, person)
      world.wait(15 * 60_000)
      return send({ json: confirmation })
    },
    'rejects a token after a change of an identifier': async (send, world, t) => {
      const changes = [
        { email: `new-${world.newPhone()}@example.org` },
        { phoneRecoversFrom: later(world) },
        { isAdmin: true },
      ]
      for (const data of changes) {
        const { person } = await protectedPerson(world)
        const confirmation = await requestReset(world, person)
        await world.service.database.prisma.account.update({ where: { id: person.id }, data })
        const { body } = await send({ json: confirmation })
        t.same(body.data.codes, { token: ['token_wrong'] }, JSON.stringify(data))
      }
      return send({ json })
    },
  },
  429: {
    ...wrongTokenLimitCases(json),
    'limits wrong codes per number': async (send, world, t) => {
      const { person } = await protectedPerson(world)
      const { token, otp } = await requestReset(world, person)
      const wrong = otp === '000000' ? '000001' : '000000'
      for (let tries = 0; tries < 5; tries++) t.equal((await send({ json: { token, otp: wrong } })).status, 422)
      const received = await send({ json: { token, otp } })
      t.equal(received.headers['error-code'], 'otp_tries_exhausted')
      return received
    },
  },
  500: common[500],
  503: common[503],
})
