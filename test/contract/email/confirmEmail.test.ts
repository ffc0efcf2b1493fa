import { bodyCases, commonCases, tokenCases, unknownTokenCases } from '../../support/cases/common-cases.ts'
import { contract } from '../../support/cases/contract.ts'
import {
  confirmedChange,
  newAddress,
  pendingChange,
  putEmail,
  storedEmail,
  SUBJECTS,
  verificationTo,
} from '../../support/accounts/emails.ts'
import { mailsTo } from '../../support/accounts/resets.ts'
import { clientRegistration } from '../../support/accounts/registrations.ts'
import type { Sent } from '../../support/service/sender.ts'
import { tokensIn, type Person, type World } from '../../support/service/world.ts'

const HOUR_MS = 3_600_000
const json = { by: 'token', token: 'anything' }
const common = commonCases('confirmEmail', () => ({ json }), 'emailTokens')
const body = bodyCases(json)

/** Logs a person in and requests a verification message. */
async function withMessage(
  world: World,
  given?: Person,
): Promise<{ person: Person; bearer: string; token: string; code: string }> {
  const person = given ?? (await world.person())
  const data = { emailVerifiedAt: null, emailRecoversFrom: null }
  await world.service.database.prisma.account.update({ where: { id: person.id }, data })
  const bearer = await person.token()
  await world.send('requestEmailVerification')({ token: bearer })
  return { person, bearer, ...(await verificationTo(world, person.email)) }
}

async function byCode(world: World, person: Person): Promise<Sent> {
  const { bearer, code } = await withMessage(world, person)
  return { token: bearer, json: { by: 'code', code } }
}

function wrongCode(code: string): string {
  return code === '000000' ? '111111' : '000000'
}

const rejected = tokenCases(() => ({ json: { by: 'code', code: '123456' } }))

contract('confirmEmail', {
  200: {
    'confirms by code, in digits of any script': async (send, world, t) => {
      const { person, bearer, code } = await withMessage(world)
      const digits = code.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x0660 + Number(digit)))
      const received = await send({ token: bearer, json: { by: 'code', code: digits } })
      const { body } = await world.send('getProfile')({ token: bearer })
      t.match(body.data.user, { email: person.email, email_verified: true, pending_email: null })
      const { emailVerifiedAt, emailRecoversFrom } = await storedEmail(world, person.id)
      t.same(emailVerifiedAt, emailRecoversFrom)
      const { prisma } = world.service.database
      t.equal(await prisma.auditEvent.count({ where: { accountId: person.id, event: 'email_verified' } }), 1)
      return received
    },
    'confirms by registration link without an access token, effective from registration': async (send, world, t) => {
      const registration = clientRegistration()
      const { email = '' } = registration
      await world.send('register')({ json: registration })
      const { token } = await verificationTo(world, email)
      world.wait(HOUR_MS)
      const received = await send({ json: { by: 'token', token } })
      const { prisma } = world.service.database
      const { id, createdAt } = await prisma.account.findUniqueOrThrow({ where: { email } })
      const { emailVerifiedAt, emailRecoversFrom } = await storedEmail(world, id)
      t.same(emailVerifiedAt, createdAt, 'verifications since registration are more recent')
      t.ok(Number(emailRecoversFrom) - Number(createdAt) >= HOUR_MS)
      return received
    },
    'confirms by registration link with an access token, effective immediately': async (send, world, t) => {
      const registration = clientRegistration()
      const { token: bearer } = tokensIn(await world.send('register')({ json: registration }))
      const { email = '' } = registration
      const { token } = await verificationTo(world, email)
      world.wait(HOUR_MS / 2)
      const received = await send({ token: bearer, json: { by: 'token', token } })
      const { prisma } = world.service.database
      const { emailVerifiedAt, createdAt } = await prisma.account.findUniqueOrThrow({ where: { email } })
      t.ok(Number(emailVerifiedAt) > Number(createdAt))
      return received
    },
    'ignores an access token of another account': async (send, world, t) => {
      const { person, token } = await withMessage(world)
      const other = await (await world.person({ isEmailVerified: false })).token()
      const received = await send({ token: other, json: { by: 'token', token } })
      t.ok((await storedEmail(world, person.id)).emailVerifiedAt)
      return received
    },
    'replaces the old address with the pending one and notifies the old one': async (send, world, t) => {
      const { person, bearer, email, verification } = await pendingChange(world)
      await world.send('requestPasswordReset')({ json: { by: 'email', email: person.email } })
      await mailsTo(world, person.email)
      const received = await send({ json: { by: 'token', token: verification.token } })
      const { body } = await world.send('getProfile')({ token: bearer })
      t.match(body.data.user, { email, email_verified: true, pending_email: null }, 'the session continues')
      const stored = await storedEmail(world, person.id)
      t.same(stored.emailChangedAt, stored.emailVerifiedAt)
      t.equal(Number(stored.emailRecoversFrom) - Number(stored.emailVerifiedAt), 72 * HOUR_MS)
      const [mail] = await mailsTo(world, person.email)
      t.equal(mail?.subject, SUBJECTS.changed)
      t.match(mail?.text, 'c***@example.org')
      t.notMatch(mail?.text, email)
      t.match(world.textsTo(person.phone)[0], /The e-mail address of your Tawthiq account was changed/)
      const { prisma } = world.service.database
      t.equal(await prisma.passwordReset.count({ where: { accountId: person.id } }), 1, 'a session ends no reset links')
      return received
    },
    'allows recovery 72 hours after replacing an unverified address': async (send, world, t) => {
      const person = await world.person({ isEmailVerified: false })
      const [bearer, email] = [await person.token(), newAddress()]
      await putEmail(world, person, bearer, email)
      const { code } = await verificationTo(world, email)
      const received = await send({ token: bearer, json: { by: 'code', code } })
      const { emailVerifiedAt, emailRecoversFrom } = await storedEmail(world, person.id)
      t.equal(Number(emailRecoversFrom) - Number(emailVerifiedAt), 72 * HOUR_MS)
      return received
    },
    'allows recovery at once if the old address consents': async (send, world, t) => {
      const { person, consent } = await confirmedChange(world)
      const received = await send({ json: { by: 'token', token: consent } })
      t.ok(Number((await storedEmail(world, person.id)).emailRecoversFrom) <= Date.now())
      t.equal((await send({ json: { by: 'token', token: consent } })).status, 422, 'the token works once')
      const events = { accountId: person.id, event: 'email_recovery_allowed' }
      t.equal(await world.service.database.prisma.auditEvent.count({ where: events }), 1)
      return received
    },
  },
  400: { ...common[400], ...body[400] },
  401: {
    ...rejected[401],
    'rejects a request without a token': (send) => send({ json: { by: 'code', code: '123456' } }),
  },
  413: body[413],
  415: body[415],
  422: {
    ...unknownTokenCases(json, 'email_verification_failed'),
    'rejects a used token': async (send, world, t) => {
      const { token } = await withMessage(world)
      t.equal((await send({ json: { by: 'token', token } })).status, 200)
      return send({ json: { by: 'token', token } })
    },
    'rejects a token that is a day old': async (send, world) => {
      const { token } = await withMessage(world)
      world.wait(24 * HOUR_MS)
      return send({ json: { by: 'token', token } })
    },
    'rejects a cancellation token': async (send, world) => {
      const { cancel } = await pendingChange(world)
      return send({ json: { by: 'token', token: cancel } })
    },
    'rejects a token of a replaced pending address': async (send, world, t) => {
      const { person, bearer, verification } = await pendingChange(world)
      await putEmail(world, person, bearer, newAddress())
      const received = await send({ json: { by: 'token', token: verification.token } })
      t.equal((await storedEmail(world, person.id)).email, person.email)
      return received
    },
    'rejects a token of a suspended account': async (send, world) => {
      const { person, token } = await withMessage(world)
      const { prisma } = world.service.database
      await prisma.account.update({ where: { id: person.id }, data: { status: 'suspended' } })
      return send({ json: { by: 'token', token } })
    },
    'rejects an address that another account has taken': async (send, world, t) => {
      const { person, bearer, email, verification } = await pendingChange(world)
      await world.send('register')({ json: clientRegistration({ email }) })
      const byCode = await send({ token: bearer, json: { by: 'code', code: verification.code } })
      t.same(byCode.body.data.codes, { code: ['email_taken'] })
      const received = await send({ json: { by: 'token', token: verification.token } })
      t.same(received.body.data.codes, { token: ['email_taken'] })
      t.equal((await storedEmail(world, person.id)).email, person.email)
      return received
    },
    'rejects and records a wrong code': async (send, world, t) => {
      const { person, bearer, code } = await withMessage(world)
      const received = await send({ token: bearer, json: { by: 'code', code: wrongCode(code) } })
      t.same(received.body.data.codes, { code: ['otp_wrong'] })
      const { prisma } = world.service.database
      const where = { accountId: person.id, event: 'email_verification_failed' }
      t.equal(await prisma.auditEvent.count({ where }), 1)
      return received
    },
    'rejects a code that is 15 minutes old': async (send, world) => {
      const { bearer, code } = await withMessage(world)
      world.wait(HOUR_MS / 4)
      return send({ token: bearer, json: { by: 'code', code } })
    },
    'rejects a code of another account, and a used code': async (send, world, t) => {
      const { code } = await withMessage(world)
      const { bearer, ...own } = await withMessage(world)
      if (code !== own.code) t.equal((await send({ token: bearer, json: { by: 'code', code } })).status, 422)
      t.equal((await send({ token: bearer, json: { by: 'code', code: own.code } })).status, 200)
      return send({ token: bearer, json: { by: 'code', code: own.code } })
    },
    'rejects the code of a replaced pending address': async (send, world) => {
      const { person, bearer, verification } = await pendingChange(world)
      await putEmail(world, person, bearer, newAddress())
      return send({ token: bearer, json: { by: 'code', code: verification.code } })
    },
    'rejects an unknown method, and missing or invalid fields of a method': async (send, _world, t) => {
      t.same((await send({ json: { by: 'token' } })).body.data.codes, { token: ['required'] })
      t.same((await send({ json: { by: 'code', code: '12' } })).body.data.codes, {
        code: ['too_short', 'wrong_format'],
      })
      return send({ json: { by: 'post' } })
    },
  },
  429: {
    ...tokenCases(byCode)[429],
    'rejects the right code after five wrong ones, even in parallel; the link stays valid': async (send, world, t) => {
      const { person, bearer, code, token } = await withMessage(world)
      const guess = { token: bearer, json: { by: 'code', code: wrongCode(code) } }
      const responses = await Promise.all(Array.from({ length: 16 }, () => send(guess)))
      t.equal(responses.filter(({ status }) => status === 422).length, 5)
      const received = await send({ token: bearer, json: { by: 'code', code } })
      t.equal(received.headers['error-code'], 'email_tries_exhausted')
      t.equal((await storedEmail(world, person.id)).emailVerifiedAt, null)
      t.equal((await send({ json: { by: 'token', token } })).status, 200)
      return received
    },
    'rejects the right code after ten wrong ones in a day, across messages': async (send, world, t) => {
      const { person, bearer, code } = await withMessage(world)
      for (let tries = 0; tries < 5; tries++) {
        await send({ token: bearer, json: { by: 'code', code: wrongCode(code) } })
      }
      world.wait(HOUR_MS / 30)
      const second = await withMessage(world, person)
      t.not(second.code, code)
      const guess = { by: 'code', code: wrongCode(second.code) }
      for (let tries = 0; tries < 5; tries++) t.equal((await send({ token: bearer, json: guess })).status, 422)
      world.wait(HOUR_MS / 15)
      const third = await withMessage(world, person)
      return send({ token: bearer, json: { by: 'code', code: third.code } })
    },
  },
  500: common[500],
  503: common[503],
})
