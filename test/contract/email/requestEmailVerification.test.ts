import { commonCases, optionalBodyCases, tokenCases, withToken } from '../../support/cases/common-cases.ts'
import { contract } from '../../support/cases/contract.ts'
import { newAddress, pendingChange, SUBJECTS, verificationTo } from '../../support/accounts/emails.ts'
import { mailsTo } from '../../support/accounts/resets.ts'

const MINUTE_MS = 60_000

const common = commonCases(
  'requestEmailVerification',
  async (world) => ({ token: await (await world.person({ isEmailVerified: false })).token() }),
  'store',
)

const body = optionalBodyCases({ email: 'anything@example.org' })

contract('requestEmailVerification', {
  200: {
    'sends a link and a code to an unverified address': async (send, world, t) => {
      const person = await world.person({ isEmailVerified: false })
      const received = await send({ token: await person.token() })
      const [mail, ...others] = await mailsTo(world, person.email)
      t.equal(mail?.subject, SUBJECTS.verify)
      t.match(mail?.text, /If you did not create this account, ignore this message/)
      t.match(await verificationTo(world, person.email), { token: /^[\w-]{43}$/, code: /^\d{6}$/ })
      t.same(others, [])
      const { prisma } = world.service.database
      const [event] = await prisma.auditEvent.findMany({
        where: { accountId: person.id, event: 'email_verification_requested' },
      })
      t.equal(event?.subject, 'p***@example.org')
      return received
    },
    'sends the message in Arabic': async (send, world, t) => {
      const person = await world.person({ isEmailVerified: false })
      const received = await send({ token: await person.token(), language: 'ar' })
      t.equal((await mailsTo(world, person.email))[0]?.subject, 'تأكيد بريدك الإلكتروني')
      return received
    },
    'sends nothing while a change is pending that the request does not name': async (send, world, t) => {
      const { person, bearer, email } = await pendingChange(world)
      const sent = async (): Promise<number> =>
        (await mailsTo(world, person.email)).length + (await mailsTo(world, email)).length
      const before = await sent()
      world.wait(MINUTE_MS)
      for (const json of [undefined, {}, { email: person.email }, { email: newAddress() }])
        t.equal((await send({ token: bearer, json })).status, 200)
      t.equal(await sent(), before)
      return send({ token: bearer })
    },
    'verifies the current address while a change is pending': async (send, world, t) => {
      const { person, bearer } = await pendingChange(world)
      await world.service.database.prisma.account.update({
        where: { id: person.id },
        data: { emailRecoversFrom: null },
      })
      world.wait(MINUTE_MS)
      const received = await send({ token: bearer })
      t.match(await verificationTo(world, person.email), { token: /^[\w-]{43}$/ })
      return received
    },
    'sends the pending address another message with the same code': async (send, world, t) => {
      const { person, bearer, email, verification } = await pendingChange(world)
      const before = (await mailsTo(world, person.email)).length
      world.wait(MINUTE_MS)
      const received = await send({ token: bearer, json: { email: ` ${email.toUpperCase()}` } })
      const again = await verificationTo(world, email)
      t.equal(again.code, verification.code)
      t.not(again.token, verification.token)
      t.equal((await mailsTo(world, person.email)).length, before)
      return received
    },
    'sends nothing if the address is verified': async (send, world, t) => {
      const person = await world.person({ isEmailVerified: true })
      const received = await send({ token: await person.token() })
      t.same(await mailsTo(world, person.email), [])
      return received
    },
  },
  400: { ...common[400], ...withToken(body[400]) },
  401: tokenCases()[401],
  413: withToken(body[413]),
  415: withToken(body[415]),
  422: {
    'rejects an address with a wrong format': async (send, world, t) => {
      const received = await send({ token: await (await world.person()).token(), json: { email: 'nothing' } })
      t.same(received.body.data.codes, { email: ['wrong_format'] })
      return received
    },
  },
  429: {
    ...tokenCases()[429],
    'rejects a second message within a minute and records it once': async (send, world, t) => {
      const person = await world.person({ isEmailVerified: false })
      const token = await person.token()
      t.equal((await send({ token })).status, 200)
      t.equal((await send({ token })).status, 429)
      const received = await send({ token })
      t.ok(Number(received.headers['retry-after']) <= 60)
      t.equal((await mailsTo(world, person.email)).length, 1)
      const { prisma } = world.service.database
      const where = { accountId: person.id, event: 'email_verification_limited' }
      t.equal(await prisma.auditEvent.count({ where }), 1)
      world.wait(MINUTE_MS)
      t.equal((await send({ token })).status, 200)
      return send({ token })
    },
    'rejects a sixth message within an hour': async (send, world, t) => {
      const token = await (await world.person({ isEmailVerified: false })).token()
      for (let sent = 0; sent < 5; sent++) {
        t.equal((await send({ token })).status, 200)
        world.wait(2 * MINUTE_MS)
      }
      return send({ token })
    },
    'rejects an eleventh message within a day': async (send, world, t) => {
      const person = await world.person({ isEmailVerified: false })
      for (let sent = 0; sent < 10; sent++) {
        t.equal((await send({ token: await person.token() })).status, 200)
        world.wait(61 * MINUTE_MS)
      }
      return send({ token: await person.token() })
    },
  },
  500: common[500],
  503: {
    ...common[503],
    'reports that no mail server is configured': async (send, world, t) => {
      const { context } = world.service.app
      const { mail } = context
      const token = await (await world.person({ isEmailVerified: false })).token()
      context.mail = { ...mail, isOffered: false }
      const received = await send({ token })
      context.mail = mail
      t.equal(received.headers['error-code'], 'mail_unavailable')
      return received
    },
  },
})
