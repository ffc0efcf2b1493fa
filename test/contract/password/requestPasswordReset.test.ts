import { bodyCases, commonCases } from '../../support/cases/common-cases.ts'
import { contract } from '../../support/cases/contract.ts'
import { idempotencyCases, outcomeUnknownCases } from '../../support/cases/idempotency-cases.ts'
import { withChallenge } from '../../support/service/challenges.ts'
import { codeFor, mailsTo, settled } from '../../support/accounts/resets.ts'

const json = { by: 'email', email: 'nobody@example.org' }
const common = commonCases('requestPasswordReset', () => ({ json }), 'mailSeal')
const body = bodyCases(json)
const once = idempotencyCases(async () => ({
  sent: { json },
  other: { json: { by: 'email', email: 'a@example.org' } },
}))
const unknown = outcomeUnknownCases(async (world) => {
  const sent = { json: { by: 'phone', phone: world.newPhone(), phone_code: '966' } }
  return { sent, other: sent }
})

contract('requestPasswordReset', {
  202: {
    ...once.success,
    'sends a token by e-mail in the language of the request': async (send, world, t) => {
      const { email } = await world.person()
      const received = await send({ json: { by: 'email', email: ` ${email.toUpperCase()} ` }, language: 'ar' })
      const [mail] = await mailsTo(world, email)
      t.equal(mail?.subject, 'تعيين كلمة مرور جديدة')
      t.match(mail?.text, /\n[\w-]{43}\n/)
      const { prisma } = world.service.database
      const resets = await prisma.passwordReset.findMany({ where: { account: { email } } })
      t.equal(resets.length, 1)
      return received
    },
    'sends a code by SMS': async (send, world, t) => {
      const { phone } = await world.person()
      const received = await send({ json: { by: 'phone', phone, phone_code: '966' }, language: 'ar' })
      t.match(await codeFor(world, phone), /^\d{6}$/)
      t.match(world.textsTo(phone)[0], /كلمة مرور جديدة.*لا تشاركه/)
      return received
    },
    'returns the same response for an unknown address or number and sends nothing': async (send, world, t) => {
      const { email } = await world.person()
      const known = await send({ json: { by: 'email', email } })
      const received = await send({ json })
      t.same(received.body, known.body)
      t.same(Object.keys(received.headers), Object.keys(known.headers))
      t.same(await mailsTo(world, json.email), [])
      const phone = world.newPhone()
      t.same((await send({ json: { by: 'phone', phone, phone_code: '966' } })).body, known.body)
      t.equal(await codeFor(world, phone), '')
      return received
    },
    'sends nothing to a suspended account or an unverified number': async (send, world, t) => {
      const { email, id, phone } = await world.person({ status: 'suspended' })
      const other = await world.person()
      const { prisma } = world.service.database
      await prisma.account.update({ where: { id: other.id }, data: { phoneVerifiedAt: null, phoneRecoversFrom: null } })
      await send({ json: { by: 'phone', phone, phone_code: '966' } })
      await send({ json: { by: 'phone', phone: other.phone, phone_code: '966' } })
      t.equal(`${await codeFor(world, phone)}${await codeFor(world, other.phone)}`, '')
      const received = await send({ json: { by: 'email', email } })
      t.same(await mailsTo(world, email), [])
      t.equal(await prisma.passwordReset.count({ where: { accountId: id } }), 0)
      return received
    },
    'sends an unverified address a message with its options': async (send, world, t) => {
      const { email } = await world.person({ isEmailVerified: false })
      const received = await send({ json: { by: 'email', email }, language: 'ar' })
      const [mail] = await mailsTo(world, email)
      t.equal(mail?.subject, 'هل هذا حسابك؟')
      t.match(mail?.text, /\n[\w-]{43}\n/)
      return received
    },
    'limits e-mails per address without changing the response': async (send, world, t) => {
      const { email } = await world.person()
      for (let requests = 0; requests < 6; requests++) {
        await send({ json: { by: 'email', email } })
        await settled(world)
      }
      t.equal((await mailsTo(world, email)).length, 3, 'the others are reserved')
      return send({ json: { by: 'email', email } })
    },
  },
  400: { ...common[400], ...body[400] },
  409: { ...once.conflict, ...unknown },
  413: body[413],
  415: body[415],
  422: {
    ...once.invalid,
    'rejects an unknown method, and missing or invalid fields of a method': async (send, _world, t) => {
      t.same((await send({ json: { by: 'phone', phone: '0512345678' } })).body.data.codes, { phone_code: ['required'] })
      t.same((await send({ json: { by: 'email', email: 'x' } })).body.data.codes, { email: ['wrong_format'] })
      t.same((await send({ json: { by: 'post' } })).body.data.codes, { by: ['not_allowed'] })
      return send({ json: { email: 'x@example.org' } })
    },
    'rejects a channel that is not offered, and one for e-mail': async (send, world, t) => {
      const { context } = world.service.app
      const { offeredChannels } = context
      context.offeredChannels = () => ['sms']
      const received = await send({
        json: { by: 'phone', phone: world.newPhone(), phone_code: '966', channel: 'whatsapp' },
      })
      context.offeredChannels = offeredChannels
      t.same(received.body.data.codes, { channel: ['channel_not_offered'] })
      t.same((await send({ json: { ...json, channel: 'sms' } })).body.data.codes, { channel: ['unknown_field'] })
      return received
    },
    'rejects a call, which a voicemail can record': async (send, world, t) => {
      const received = await send({
        json: { by: 'phone', phone: world.newPhone(), phone_code: '966', channel: 'voice' },
      })
      t.same(received.body.data.codes, { channel: ['not_allowed'] })
      return received
    },
    'rejects an invalid phone number': (send) =>
      send({ json: { by: 'phone', phone: '0112345678', phone_code: '966' } }),
  },
  429: {
    'limits requests per client address': async (send) => {
      for (let requests = 0; requests < 10; requests++) await send({ json })
      return send({ json })
    },
    'requires the same challenge for accounts that exist and others': async (send, world, t) => {
      withChallenge(world, t)
      const { email, phone } = await world.person()
      for (let requests = 0; requests < 24; requests++) {
        t.equal((await send({ json })).status, 202)
        world.wait(10_000)
      }
      const received = await send({ json })
      t.equal(received.headers['error-code'], 'challenge_required')
      t.same((await send({ json: { by: 'email', email } })).body, received.body)
      t.same((await send({ json: { by: 'phone', phone, phone_code: '966' } })).body, received.body)
      const solved = await send({ json: { by: 'phone', phone, phone_code: '966', challenge_response: 'right' } })
      t.equal(solved.status, 202)
      t.match(await codeFor(world, phone), /^\d{6}$/)
      return received
    },
  },
  500: common[500],
  503: {
    ...common[503],
    'reports that resets by SMS are disabled': async (send, world, t) => {
      const { context } = world.service.app
      const { phone } = await world.person()
      context.smsReset = 'no'
      const received = await send({ json: { by: 'phone', phone, phone_code: '966' } })
      context.smsReset = 'yes'
      t.equal(received.headers['error-code'], 'sms_unavailable')
      t.equal(await codeFor(world, phone), '')
      return received
    },
    'reports that no mail server is configured': async (send, { service }, t) => {
      const { context } = service.app
      const { mail } = context
      context.mail = { ...mail, isOffered: false }
      const received = await send({ json })
      context.mail = mail
      t.equal(received.headers['error-code'], 'mail_unavailable')
      return received
    },
  },
})
