import { bodyCases, commonCases } from '../../support/cases/common-cases.ts'
import { contract } from '../../support/cases/contract.ts'
import { codeFor, mailsTo, resetTokenFor } from '../../support/accounts/resets.ts'
import { LONG_PASSWORD, PASSWORD, type Person, type World } from '../../support/service/world.ts'

const password = 'olive3kayak'
const json = { by: 'email', token: 'anything', password }
const common = commonCases('resetPassword', () => ({ json }), 'resetTokens')
const body = bodyCases(json)

async function byEmail(world: World, { email }: Person): Promise<{ by: string; token: string; password: string }> {
  await world.send('requestPasswordReset')({ json: { by: 'email', email } })
  return { by: 'email', token: await resetTokenFor(world, email), password }
}

async function byPhone(world: World, { phone }: Person): Promise<Record<string, string>> {
  const phoneNumber = { by: 'phone', phone, phone_code: '966' }
  await world.send('requestPasswordReset')({ json: phoneNumber })
  return { ...phoneNumber, otp: await codeFor(world, phone), password }
}

contract('resetPassword', {
  200: {
    'resets the password by e-mail and ends all sessions': async (send, world, t) => {
      const person = await world.person()
      const { token, refresh } = await person.logIn()
      const received = await send({ json: await byEmail(world, person) })
      const { email, id } = person
      t.equal((await world.send('checkToken')({ token })).headers['error-code'], 'token_revoked')
      t.equal((await world.send('refreshToken')({ json: { refresh_token: refresh } })).status, 401)
      t.equal((await world.send('login')({ json: { email, password: PASSWORD } })).status, 401)
      t.equal((await world.send('login')({ json: { email, password } })).status, 200)
      t.equal((await mailsTo(world, email))[0]?.subject, 'Your password was changed')
      const { prisma } = world.service.database
      t.equal(await prisma.auditEvent.count({ where: { accountId: id, event: 'password_reset' } }), 1)
      return received
    },
    'resets the password by SMS code': async (send, world, t) => {
      const person = await world.person()
      const form = await byPhone(world, person)
      const received = await send({ json: form })
      t.equal((await world.send('login')({ json: { email: person.email, password } })).status, 200)
      t.same((await send({ json: form })).body.data.codes, { otp: ['otp_wrong'] }, 'the code works once')
      return received
    },
    'accepts a password of more than 72 bytes': async (send, world, t) => {
      const person = await world.person()
      const received = await send({ json: { ...(await byEmail(world, person)), password: LONG_PASSWORD } })
      const login = await world.send('login')({ json: { email: person.email, password: LONG_PASSWORD } })
      t.equal(login.status, 200)
      return received
    },
    'resets by an unverified e-mail address plus an SMS code, even if resets by SMS are disabled': async (
      send,
      world,
      t,
    ) => {
      const { context } = world.service.app
      const person = await world.person({ isEmailVerified: false })
      context.smsReset = 'no'
      const form = await byEmail(world, person)
      t.same((await send({ json: { ...form, password: 'password' } })).body.data.codes, {
        password: ['password_common'],
      })
      t.same(world.textsTo(person.phone), [], 'no code is sent for an unacceptable password')
      t.same((await send({ json: form })).body.data.codes, { otp: ['required'] })
      const received = await send({ json: { ...form, otp: await codeFor(world, person.phone) } })
      context.smsReset = 'yes'
      t.equal((await world.send('login')({ json: { email: person.email, password } })).status, 200)
      return received
    },
    'accepts a token after an attempt with an unacceptable password': async (send, world, t) => {
      const form = await byEmail(world, await world.person())
      t.same((await send({ json: { ...form, password: 'password' } })).body.data.codes, {
        password: ['password_common'],
      })
      return send({ json: form })
    },
  },
  400: { ...common[400], ...body[400] },
  413: body[413],
  415: body[415],
  422: {
    'reports an unknown token and an unacceptable password together': async (send, _world, t) => {
      const received = await send({ json: { ...json, password: 'password' } })
      t.same(received.body.data.codes, { token: ['reset_token_wrong'], password: ['password_common'] })
      return received
    },
    'rejects a password that is guessable for the account': async (send, world, t) => {
      const person = await world.person()
      const [mail, sms] = [await byEmail(world, person), await byPhone(world, person)]
      for (const form of [mail, sms]) {
        for (const guessable of ['P@ssw0rd123', 'ضصثقفغعه', 'سارةالعتيبي', 'Ahmed@2025']) {
          const { body } = await send({ json: { ...form, password: guessable } })
          t.same(body.data.codes, { password: ['password_guessable'] }, guessable)
        }
      }
      return send({ json: { ...mail, password: person.phone } })
    },
    'does not reveal the name of the account with a wrong code': async (send, world, t) => {
      const form = await byPhone(world, await world.person())
      const otp = form['otp'] === '000000' ? '111111' : '000000'
      const received = await send({ json: { ...form, otp, password: 'سارةالعتيبي4815' } })
      t.same(received.body.data.codes, { otp: ['otp_wrong'] })
      return received
    },
    'does not reveal the name of the account behind an unverified address without the code': async (send, world, t) => {
      const person = await world.person({ isEmailVerified: false })
      const form = { ...(await byEmail(world, person)), password: 'سارةالعتيبي4815' }
      const received = await send({ json: form })
      t.same(received.body.data.codes, { otp: ['required'] })
      const otp = await codeFor(world, person.phone)
      const wrong = await send({ json: { ...form, otp: otp === '000000' ? '111111' : '000000' } })
      t.same(wrong.body.data.codes, { otp: ['otp_wrong'] })
      t.same((await send({ json: { ...form, otp } })).body.data.codes, { password: ['password_guessable'] })
      return received
    },
    'rejects a used token and all other tokens of the account': async (send, world, t) => {
      const person = await world.person()
      const [first, second] = [await byEmail(world, person), await byEmail(world, person)]
      t.equal((await send({ json: second })).status, 200)
      t.same((await send({ json: first })).body.data.codes, { token: ['reset_token_wrong'] })
      return send({ json: second })
    },
    'rejects a token that is 15 minutes old': async (send, world) => {
      const form = await byEmail(world, await world.person())
      world.wait(15 * 60_000)
      return send({ json: form })
    },
    'rejects a token of a suspended account': async (send, world) => {
      const person = await world.person()
      const form = await byEmail(world, person)
      const { prisma } = world.service.database
      await prisma.account.update({ where: { id: person.id }, data: { status: 'suspended' } })
      return send({ json: form })
    },
    'accepts only one of many parallel requests with one token': async (send, world, t) => {
      const form = await byEmail(world, await world.person())
      const responses = await Promise.all(Array.from({ length: 16 }, () => send({ json: form })))
      const [winner, ...losers] = responses.sort((a, b) => a.status - b.status)
      t.equal(winner?.status, 200)
      t.ok(losers.every(({ status }) => status === 422))
      return send({ json: form })
    },
    'reports an unknown method together with other invalid fields': async (send, _world, t) => {
      const received = await send({ json: { by: 'post', password: 5, token: 5, x: 1 } })
      t.same(received.body.data.codes, { by: ['not_allowed'], password: ['wrong_type'], x: ['unknown_field'] })
      return received
    },
    'rejects a wrong code': async (send, world, t) => {
      const form = await byPhone(world, await world.person())
      const otp = form['otp'] === '000000' ? '111111' : '000000'
      const received = await send({ json: { ...form, otp } })
      t.same(received.body.data.codes, { otp: ['otp_wrong'] })
      return received
    },
    'rejects what is known about the owner in place of the code': async (send, world, t) => {
      const person = await world.person()
      const form = await byPhone(world, person)
      const digits = person.phone.slice(1)
      const received = await send({ json: { ...form, otp: digits.slice(0, 6) } })
      for (const otp of [digits.slice(-6), String(person.id).padStart(6, '0')])
        t.match((await send({ json: { ...form, otp } })).body.data, { codes: { otp: ['otp_wrong'] } }, otp)
      return received
    },
    'rejects an unknown phone number': (send, world) =>
      send({ json: { by: 'phone', phone: world.newPhone(), phone_code: '966', otp: '123456', password } }),
  },
  429: {
    'rejects an immediate request for a second code': async (send, world, t) => {
      const form = await byEmail(world, await world.person({ isEmailVerified: false }))
      t.equal((await send({ json: form })).status, 422)
      const received = await send({ json: form })
      t.equal(received.headers['error-code'], 'otp_cooldown')
      return received
    },
    'rejects the right code after five wrong ones': async (send, world, t) => {
      const form = await byPhone(world, await world.person())
      const otp = form['otp'] === '000000' ? '111111' : '000000'
      for (let tries = 0; tries < 5; tries++) await send({ json: { ...form, otp } })
      const received = await send({ json: form })
      t.equal(received.headers['error-code'], 'otp_tries_exhausted')
      return received
    },
  },
  500: common[500],
  503: {
    ...common[503],
    'reports that resets by SMS are disabled': async (send, world, t) => {
      const { context } = world.service.app
      const form = await byPhone(world, await world.person())
      context.smsReset = 'no'
      const received = await send({ json: form })
      context.smsReset = 'yes'
      t.equal(received.headers['error-code'], 'sms_unavailable')
      return received
    },
    'reports that the SMS code of an unverified address cannot be sent': async (send, world, t) => {
      const { context } = world.service.app
      const form = await byEmail(world, await world.person({ isEmailVerified: false }))
      const { sms } = context
      context.sms = { send: async () => ({ outcome: 'refused' }) }
      const received = await send({ json: form })
      context.sms = sms
      t.equal(received.headers['error-code'], 'sms_unavailable')
      t.same((await send({ json: form })).body.data.codes, { otp: ['required'] }, 'the attempt was not counted')
      return received
    },
  },
})
