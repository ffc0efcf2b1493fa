import bcrypt from 'bcryptjs'
import { bodyStories, commonStories } from '../support/common-stories.ts'
import { contract } from '../support/contract.ts'
import { LONG_PASSWORD, PASSWORD } from '../support/world.ts'

const common = commonStories(
  'login',
  async (world) => ({ json: { email: (await world.person()).email, password: PASSWORD } }),
  'store',
)
const body = bodyStories({ email: 'nobody@example.org', password: PASSWORD })

contract('login', {
  200: {
    'the right password': async (send, world, t) => {
      const { email } = await world.person()
      const received = await send({ json: { email, password: PASSWORD } })
      t.match(received.body.data, { account: { email }, session: { expires_in: 3600 } })
      t.equal(received.headers['cache-control'], 'no-store')
      t.match(received.headers['ratelimit-policy'], /"login-address";q=30;w=300, "login-account";q=10;w=900/)
      return received
    },
    'an address in other case, with spaces around it': async (send, world) => {
      const { email } = await world.person()
      return send({ json: { email: ` ${email.toUpperCase()} `, password: PASSWORD } })
    },
    'the same characters, composed otherwise': async (send, world) => {
      const { email } = await world.person({ passwordHash: await bcrypt.hash('caf\u00e9 society', 4) })
      return send({ json: { email, password: 'cafe\u0301 society' } })
    },
    'a hash that PHP made': async (send, world) => {
      const { email } = await world.person({ passwordHash: (await bcrypt.hash(PASSWORD, 4)).replace('$2b$', '$2y$') })
      return send({ json: { email, password: PASSWORD } })
    },
    'a hash that is cheaper than today, which is renewed': async (send, world, t) => {
      const { passwords } = world.service.app.context
      const { id, email } = await world.person()
      const isOutdated = passwords.isOutdated
      passwords.isOutdated = () => true
      const before = await world.service.database.prisma.account.findUnique({ where: { id } })
      const received = await send({ json: { email, password: PASSWORD } })
      passwords.isOutdated = isOutdated
      const after = await world.service.database.prisma.account.findUnique({ where: { id } })
      t.not(after?.passwordHash, before?.passwordHash)
      t.ok(await bcrypt.compare(PASSWORD, after?.passwordHash ?? ''))
      return received
    },
    'a cheaper hash of a password of more than 72 bytes, which is renewed': async (send, world, t) => {
      const { context } = world.service.app
      const { passwords } = context
      const hash = await passwords.hash(LONG_PASSWORD, { owner: 'test' })
      const { id, email } = await world.person({ passwordHash: hash })
      const isOutdated = passwords.isOutdated
      passwords.isOutdated = () => true
      const received = await send({ json: { email, password: LONG_PASSWORD } })
      passwords.isOutdated = isOutdated
      const after = await world.service.database.prisma.account.findUnique({ where: { id } })
      t.match(after?.passwordHash, /^\$tw1\$\$2b\$/)
      t.not(after?.passwordHash, hash)
      t.equal((await send({ json: { email, password: LONG_PASSWORD } })).status, 200)
      return received
    },
    'a hash that is renewed by characters composed otherwise': async (send, world, t) => {
      const { passwords } = world.service.app.context
      const { email } = await world.person({ passwordHash: await bcrypt.hash('caf\u00e9 society', 4) })
      const isOutdated = passwords.isOutdated
      passwords.isOutdated = () => true
      t.equal((await send({ json: { email, password: 'cafe\u0301 society' } })).status, 200)
      passwords.isOutdated = isOutdated
      t.equal((await send({ json: { email, password: 'cafe\u0301 society' } })).status, 200)
      return send({ json: { email, password: 'caf\u00e9 society' } })
    },
    'many tabs at once, more than may fail': async (send, world, t) => {
      const { email } = await world.person()
      const answers = await Promise.all(Array.from({ length: 40 }, () => send({ json: { email, password: PASSWORD } })))
      t.same([...new Set(answers.map(({ status }) => status))], [200])
      return send({ json: { email, password: PASSWORD } })
    },
  },
  400: { ...common[400], ...body[400] },
  401: {
    'the wrong password': async (send, world, t) => {
      const { email } = await world.person()
      const received = await send({ json: { email, password: 'wrong' } })
      t.equal(received.headers['error-code'], 'credentials_wrong')
      return received
    },
    'a wrong password, which is recorded for the account': async (send, world, t) => {
      const { id, email } = await world.person()
      const received = await send({ json: { email, password: 'wrong' } })
      await send({ json: { email: 'nobody@example.org', password: 'wrong' } })
      const events = await world.service.database.prisma.auditEvent.findMany({
        where: { address: world.address },
        orderBy: { id: 'asc' },
      })
      t.match(events, [
        { event: 'login_failed', accountId: id, subject: 'p***@example.org' },
        { event: 'login_failed', accountId: null, subject: 'n***@example.org' },
      ])
      return received
    },
    'an address that nobody has, in the same words': async (send, world, t) => {
      const { email } = await world.person()
      const known = await send({ json: { email, password: 'wrong' } })
      const unknown = await send({ json: { email: 'nobody@example.org', password: 'wrong' } })
      t.same(unknown.body, known.body)
      return unknown
    },
    'a password of which bcrypt would see only the beginning': async (send, world) => {
      const long = 'x'.repeat(72)
      const { email } = await world.person({ passwordHash: await bcrypt.hash(long, 4) })
      return send({ json: { email, password: `${long}y` } })
    },
    'a wrong password for an account that is suspended': async (send, world) => {
      const { email } = await world.person({ status: 'suspended' })
      return send({ json: { email, password: 'wrong' } })
    },
  },
  403: {
    'the right password of an account that is suspended': async (send, world) => {
      const { email } = await world.person({ status: 'suspended' })
      return send({ json: { email, password: PASSWORD } })
    },
  },
  413: body[413],
  415: {
    ...body[415],
    'a form': (send) => send({ form: { email: 'nobody@example.org', password: PASSWORD } }),
  },
  422: {
    'every wrong field at once, in English': async (send, _world, t) => {
      const received = await send({ json: { email: 'no address', token: 1 } })
      t.same(received.body.data, {
        errors: {
          email: ['This value has the wrong format.'],
          password: ['This field is required.'],
          token: ['This field is not known.'],
        },
        codes: { email: ['wrong_format'], password: ['required'], token: ['unknown_field'] },
      })
      return received
    },
    'every wrong field at once, in Arabic': async (send, _world, t) => {
      const received = await send({ json: {}, language: 'ar-SA,ar;q=0.9,en;q=0.8' })
      t.same(received.body.data.errors, { email: ['هذا الحقل مطلوب.'], password: ['هذا الحقل مطلوب.'] })
      t.equal(received.headers['content-language'], 'ar')
      return received
    },
    'values of other types': async (send, _world, t) => {
      const received = await send({ json: { email: ['nobody@example.org'], password: null } })
      t.same(received.body.data.codes, { email: ['wrong_type'], password: ['wrong_type'] })
      return received
    },
    'an empty password': async (send, _world, t) => {
      const received = await send({ json: { email: 'nobody@example.org', password: '' } })
      t.same(received.body.data.codes, { password: ['required'] })
      return received
    },
    'half a character': async (send, _world, t) => {
      const received = await send({
        raw: String.raw`{"email":"nobody@example.org","password":"\ud800"}`,
        type: 'application/json',
      })
      t.same(received.body.data.codes, { password: ['wrong_format'] })
      return received
    },
    'no object': async (send, _world, t) => {
      const received = await send({ json: [] })
      t.same(received.body.data.codes, { body: ['wrong_type'] })
      return received
    },
  },
  429: {
    'a password too many, though it be right': async (send, world, t) => {
      const { email } = await world.person()
      const guesses = await Promise.all(Array.from({ length: 60 }, () => send({ json: { email, password: 'wrong' } })))
      t.equal(guesses.filter(({ status }) => status === 401).length, 10, 'ten guesses were judged')
      t.equal(guesses.filter(({ status }) => status === 429).length, 50)
      return send({ json: { email, password: PASSWORD } })
    },
    'too many accounts from one address': async (send, _world, t) => {
      const emails = Array.from({ length: 40 }, (_, at) => `nobody-${at}@example.org`)
      const guesses = await Promise.all(emails.map((email) => send({ json: { email, password: 'wrong' } })))
      t.equal(guesses.filter(({ status }) => status === 401).length, 30, 'thirty guesses were judged')
      return send({ json: { email: 'nobody@example.org', password: 'wrong' } })
    },
  },
  500: common[500],
  503: common[503],
})
