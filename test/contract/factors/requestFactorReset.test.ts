import { bodyCases, commonCases } from '../../support/cases/common-cases.ts'
import { contract } from '../../support/cases/contract.ts'
import { requestReset } from '../../support/accounts/factor-resets.ts'
import { codeFor, mailsTo, settled, tokenFor } from '../../support/accounts/resets.ts'
import { protectedPerson } from '../../support/accounts/second-factors.ts'
import { PASSWORD, type Person, type World } from '../../support/service/world.ts'

const common = commonCases(
  'requestFactorReset',
  async (world) => sentBy((await protectedPerson(world)).person),
  'store',
)
const body = bodyCases({ email: 'nobody@example.org', password: PASSWORD })

function sentBy({ email }: { email: string }, password = PASSWORD): { json: object } {
  return { json: { email, password } }
}

/** Creates a person with an authenticator app, and changes the account afterwards. */
async function changed(world: World, data: object): Promise<Person> {
  const { person } = await protectedPerson(world)
  await world.service.database.prisma.account.update({ where: { id: person.id }, data })
  return person
}

contract('requestFactorReset', {
  202: {
    'sends a link to the e-mail address and a code to the phone number': async (send, world, t) => {
      const { person } = await protectedPerson(world)
      const received = await send({ ...sentBy(person), language: 'ar' })
      t.same(received.body.data, { token: null })
      const [mail] = await mailsTo(world, person.email)
      t.equal(mail?.subject, 'إعادة ضبط وسائل التحقق الإضافية')
      t.match(mail?.text, /\n[\w-]{43}\n/)
      t.match(world.textsTo(person.phone)[0], /\d{6} رمز إزالة التحقق الإضافي/)
      const { prisma } = world.service.database
      const event = { accountId: person.id, event: 'factor_reset_requested' } as const
      t.match(await prisma.auditEvent.findFirst({ where: event }), { subject: /^p\*\*\*@example.org$/ })
      const json = { token: await tokenFor(world, person.email), otp: await codeFor(world, person.phone) }
      t.equal((await world.send('confirmFactorReset')({ json })).status, 202)
      return received
    },
    'sends only a code to an account without a confirmed address': async (send, world, t) => {
      const person = await changed(world, { emailVerifiedAt: null, emailRecoversFrom: null })
      const received = await send(sentBy(person))
      t.match(received.body.data, { token: /^[\w-]{43}$/ })
      t.notMatch((await mailsTo(world, person.email))[0]?.subject, /reset/i)
      t.match(await codeFor(world, person.phone), /^\d{6}$/)
      return received
    },
    'sends only a link to an account without a confirmed number': async (send, world, t) => {
      const person = await changed(world, { phoneVerifiedAt: null, phoneRecoversFrom: null })
      const received = await send(sentBy(person))
      t.same(received.body.data, { token: null })
      t.equal(await codeFor(world, person.phone), '')
      const json = { token: await tokenFor(world, person.email) }
      t.equal((await world.send('confirmFactorReset')({ json })).status, 202)
      return received
    },
    'replaces the link of an earlier request': async (send, world, t) => {
      const { person } = await protectedPerson(world)
      const first = await requestReset(world, person)
      world.wait(61_000)
      const received = await send(sentBy(person))
      await settled(world)
      const confirmed = await world.send('confirmFactorReset')({ json: first })
      t.same(confirmed.body.data.codes, { token: ['token_wrong'] })
      return received
    },
  },
  400: { ...common[400], ...body[400] },
  401: {
    'rejects a wrong password and an unknown e-mail address alike, and sends nothing': async (send, world, t) => {
      const { person } = await protectedPerson(world)
      const received = await send(sentBy(person, 'wrong'))
      const unknown = await send({ json: { email: 'nobody@example.org', password: 'wrong' } })
      t.same(unknown.body, received.body)
      t.same(Object.keys(unknown.headers), Object.keys(received.headers))
      t.equal(await codeFor(world, person.phone), '')
      const { prisma } = world.service.database
      t.equal(await prisma.auditEvent.count({ where: { accountId: person.id, event: 'login_failed' } }), 1)
      return received
    },
    'rejects a password that changes while it is compared': async (send, world, t) => {
      const { person } = await protectedPerson(world)
      const { passwords } = world.service.app.context
      const { matches } = passwords
      passwords.matches = async (...given) => {
        const isRight = await matches(...given)
        await world.service.database.prisma.account.update({ where: { id: person.id }, data: { passwordHash: 'x' } })
        return isRight
      }
      const received = await send(sentBy(person))
      passwords.matches = matches
      const requested = { accountId: person.id, purpose: 'reset_factors' } as const
      t.equal(await world.service.database.prisma.emailToken.count({ where: requested }), 0)
      return received
    },
  },
  403: {
    'rejects a suspended account only with the right password': async (send, world, t) => {
      const person = await changed(world, { status: 'suspended' })
      t.equal((await send(sentBy(person, 'wrong'))).status, 401)
      const received = await send(sentBy(person))
      t.equal(received.headers['error-code'], 'account_suspended')
      return received
    },
  },
  409: {
    'rejects an account without a second factor': async (send, world, t) => {
      const person = await world.person()
      const received = await send(sentBy(person))
      t.equal(received.headers['error-code'], 'second_factor_missing')
      const { prisma } = world.service.database
      const event = { accountId: person.id, event: 'factor_reset_failed' } as const
      t.equal(await prisma.auditEvent.count({ where: event }), 1, 'the password was right, so its use is recorded')
      return received
    },
    'rejects an account without an identifier that recovers it': async (send, world, t) => {
      const later = new Date(world.service.clock.nowMs() + 60_000)
      const noNumber = { phoneVerifiedAt: null, phoneRecoversFrom: null }
      const states = {
        'none verified': { emailVerifiedAt: null, emailRecoversFrom: null, ...noNumber },
        'a new address': { emailRecoversFrom: later, ...noNumber },
        'a new number': { phoneRecoversFrom: later, emailVerifiedAt: null, emailRecoversFrom: null },
        'a suspended address': { emailRecoversFrom: null, ...noNumber },
        'an address by link alone': { emailByLink: true, ...noNumber },
        'a new number beside an address': { phoneRecoversFrom: later },
        'a new address beside a number': { emailRecoversFrom: later },
      }
      for (const [name, data] of Object.entries(states)) {
        const person = await changed(world, data)
        t.equal((await send(sentBy(person))).headers['error-code'], 'factor_reset_unavailable', name)
        t.equal(await codeFor(world, person.phone), '', name)
      }
      return send(sentBy(await changed(world, states['none verified'])))
    },
    'rejects an administrator, whom another one helps': async (send, world, t) => {
      const received = await send(sentBy(await changed(world, { isAdmin: true })))
      t.equal(received.headers['error-code'], 'factor_reset_unavailable')
      return received
    },
  },
  413: body[413],
  415: body[415],
  422: {
    'names the missing fields': async (send, _world, t) => {
      const received = await send({ json: {} })
      t.same(received.body.data.codes, { email: ['required'], password: ['required'] })
      return received
    },
  },
  429: {
    'limits requests per account and day': async (send, world, t) => {
      const { person } = await protectedPerson(world)
      for (let requests = 0; requests < 3; requests++) {
        t.equal((await send(sentBy(person))).status, 202)
        world.wait(400_000)
      }
      const received = await send(sentBy(person))
      t.equal(received.headers['error-code'], 'rate_limited')
      return received
    },
    'counts wrong passwords with those of logins': async (send, world, t) => {
      const { person } = await protectedPerson(world)
      for (let tries = 0; tries < 5; tries++) {
        await send(sentBy(person, 'wrong'))
        await world.send('login')(sentBy(person, 'wrong'))
      }
      t.equal((await world.send('login')(sentBy(person))).status, 429)
      return send(sentBy(person))
    },
    'sends no further code too soon': async (send, world, t) => {
      const { person } = await protectedPerson(world)
      await send(sentBy(person))
      const received = await send(sentBy(person))
      t.equal(received.headers['error-code'], 'otp_cooldown')
      return received
    },
  },
  500: common[500],
  503: {
    ...common[503],
    'rejects a request without a mail server, and sends no SMS': async (send, world, t) => {
      const { person } = await protectedPerson(world)
      const { context } = world.service.app
      const { mail } = context
      context.mail = { ...mail, isOffered: false }
      const received = await send(sentBy(person))
      context.mail = mail
      t.equal(received.headers['error-code'], 'mail_unavailable')
      t.equal(await codeFor(world, person.phone), '')
      return received
    },
    'does not count a request whose SMS is refused': async (send, world, t) => {
      const { person } = await protectedPerson(world)
      const { sms } = world.service.app.context
      const { send: sendSms } = sms
      sms.send = () => Promise.resolve({ outcome: 'refused' })
      let received = await send(sentBy(person))
      for (let requests = 0; requests < 3; requests++) received = await send(sentBy(person))
      sms.send = sendSms
      t.equal(received.headers['error-code'], 'sms_unavailable')
      t.same(await mailsTo(world, person.email).then((mails) => mails.map(({ subject }) => subject).slice(0, -1)), [])
      t.equal((await send(sentBy(person))).status, 202)
      return received
    },
  },
})
