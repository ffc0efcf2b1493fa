import { bodyStories, commonStories } from '../support/common-stories.ts'
import { contract } from '../support/contract.ts'
import { codeFor, mailsTo, settled } from '../support/resets.ts'

const json = { by: 'email', email: 'nobody@example.org' }
const common = commonStories('requestPasswordReset', () => ({ json }), 'background')
const body = bodyStories(json)

contract('requestPasswordReset', {
  202: {
    'by e-mail, in the language of who asks': async (send, world, t) => {
      const { email } = await world.person()
      const received = await send({ json: { by: 'email', email: ` ${email.toUpperCase()} ` }, language: 'ar' })
      const [mail] = await mailsTo(world, email)
      t.equal(mail?.subject, 'تعيين كلمة مرور جديدة')
      t.match(mail?.text, /\n[\w-]{43}\n/)
      const { prisma } = world.service.database
      const kept = await prisma.passwordReset.findMany({ where: { account: { email } } })
      t.equal(kept.length, 1)
      return received
    },
    'by SMS': async (send, world, t) => {
      const { phone } = await world.person()
      const received = await send({ json: { by: 'phone', phone, phone_code: '966' }, language: 'ar' })
      t.match(await codeFor(world, phone), /^\d{6}$/)
      t.match(world.textsTo(phone)[0], /كلمة مرور جديدة.*لا تعطه/)
      return received
    },
    'nobody, with the same answer': async (send, world, t) => {
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
    'an account that is suspended, and a number that was never confirmed': async (send, world, t) => {
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
    'an address that was never verified: the mail says what it can do': async (send, world, t) => {
      const { email } = await world.person({ isEmailVerified: false })
      const received = await send({ json: { by: 'email', email }, language: 'ar' })
      const [mail] = await mailsTo(world, email)
      t.equal(mail?.subject, 'هل هذا حسابك؟')
      t.match(mail?.text, /\n[\w-]{43}\n/)
      return received
    },
    'no more e-mails than there may be': async (send, world, t) => {
      const { email } = await world.person()
      for (let asked = 0; asked < 6; asked++) {
        await send({ json: { by: 'email', email } })
        await settled(world)
      }
      t.equal((await mailsTo(world, email)).length, 5)
      return send({ json: { by: 'email', email } })
    },
  },
  400: { ...common[400], ...body[400] },
  413: body[413],
  415: body[415],
  422: {
    'no way, and what a way lacks': async (send, _world, t) => {
      t.same((await send({ json: { by: 'phone', phone: '0512345678' } })).body.data.codes, { phone_code: ['required'] })
      t.same((await send({ json: { by: 'email', email: 'x' } })).body.data.codes, { email: ['wrong_format'] })
      t.same((await send({ json: { by: 'post' } })).body.data.codes, { by: ['not_allowed'] })
      return send({ json: { email: 'x@example.org' } })
    },
    'a number that is none': (send) => send({ json: { by: 'phone', phone: '0112345678', phone_code: '966' } }),
  },
  429: {
    'more than an address may': async (send) => {
      for (let asked = 0; asked < 10; asked++) await send({ json })
      return send({ json })
    },
  },
  500: common[500],
  503: {
    ...common[503],
    'a service that resets no password by SMS': async (send, world, t) => {
      const { context } = world.service.app
      const { phone } = await world.person()
      context.allowsSmsReset = false
      const received = await send({ json: { by: 'phone', phone, phone_code: '966' } })
      context.allowsSmsReset = true
      t.equal(received.headers['error-code'], 'sms_unavailable')
      t.equal(await codeFor(world, phone), '')
      return received
    },
    'a service without a mail server': async (send, { service }, t) => {
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
