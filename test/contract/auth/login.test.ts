import bcrypt from 'bcryptjs'
import { bodyCases, commonCases } from '../../support/cases/common-cases.ts'
import { contract } from '../../support/cases/contract.ts'
import { protectedPerson } from '../../support/accounts/second-factors.ts'
import { LONG_PASSWORD, PASSWORD } from '../../support/service/world.ts'

const common = commonCases(
  'login',
  async (world) => ({ json: { email: (await world.person()).email, password: PASSWORD } }),
  'store',
)
const body = bodyCases({ email: 'nobody@example.org', password: PASSWORD })

contract('login', {
  200: {
    'logs in with the right password': async (send, world, t) => {
      const { email } = await world.person()
      const received = await send({ json: { email, password: PASSWORD } })
      t.match(received.body.data, { account: { email }, session: { expires_in: 3600 } })
      t.equal(received.headers['cache-control'], 'no-store')
      t.match(received.headers['ratelimit-policy'], /"login-address";q=30;w=300, "login-account";q=10;w=900/)
      return received
    },
    'accepts a code of an authenticator app, and a recovery code in any form': async (send, world, t) => {
      const { person, nextCode, recoveryCodes } = await protectedPerson(world)
      const login = { email: person.email, password: PASSWORD }
      const [recovery = ''] = recoveryCodes
      const received = await send({ json: { ...login, code: nextCode() } })
      const spaced = await send({ json: { ...login, code: recovery.toLowerCase().replaceAll('-', ' ') } })
      t.equal(spaced.status, 200)
      return received
    },
    'ignores a code that the account does not need': async (send, world) =>
      send({ json: { email: (await world.person()).email, password: PASSWORD, code: '000000' } }),
    'ignores the case of the e-mail address and spaces around it': async (send, world) => {
      const { email } = await world.person()
      return send({ json: { email: ` ${email.toUpperCase()} `, password: PASSWORD } })
    },
    'accepts a password in another Unicode normalization form': async (send, world) => {
      const { email } = await world.person({ passwordHash: await bcrypt.hash('caf\u00e9 society', 4) })
      return send({ json: { email, password: 'cafe\u0301 society' } })
    },
    'accepts a password hash created by PHP': async (send, world) => {
      const { email } = await world.person({ passwordHash: (await bcrypt.hash(PASSWORD, 4)).replace('$2b$', '$2y$') })
      return send({ json: { email, password: PASSWORD } })
    },
    'accepts the right password while another login renews the hash': async (send, world, t) => {
      const { passwords } = world.service.app.context
      const person = await world.person()
      const created = await world.service.database.prisma.account.findUnique({ where: { id: person.id } })
      const needsRehash = passwords.needsRehash
      passwords.needsRehash = (hash) => hash === created?.passwordHash // a renewed hash needs no renewal
      const json = { email: person.email, password: PASSWORD }
      const [first, ...others] = await Promise.all([1, 2, 3].map(() => send({ json })))
      passwords.needsRehash = needsRehash
      t.same(
        others.map(({ status }) => status),
        [200, 200],
      )
      return first ?? send({ json })
    },
    'renews an outdated password hash': async (send, world, t) => {
      const { passwords } = world.service.app.context
      const { id, email } = await world.person()
      const needsRehash = passwords.needsRehash
      passwords.needsRehash = () => true
      const before = await world.service.database.prisma.account.findUnique({ where: { id } })
      const received = await send({ json: { email, password: PASSWORD } })
      passwords.needsRehash = needsRehash
      const after = await world.service.database.prisma.account.findUnique({ where: { id } })
      t.not(after?.passwordHash, before?.passwordHash)
      t.ok(await bcrypt.compare(PASSWORD, after?.passwordHash ?? ''))
      return received
    },
    'renews an outdated hash of a password of more than 72 bytes': async (send, world, t) => {
      const { context } = world.service.app
      const { passwords } = context
      const hash = await passwords.hash(LONG_PASSWORD, { owner: 'test' })
      const { id, email } = await world.person({ passwordHash: hash })
      const needsRehash = passwords.needsRehash
      passwords.needsRehash = () => true
      const received = await send({ json: { email, password: LONG_PASSWORD } })
      passwords.needsRehash = needsRehash
      const after = await world.service.database.prisma.account.findUnique({ where: { id } })
      t.match(after?.passwordHash, /^\$tw1\$\$2b\$/)
      t.not(after?.passwordHash, hash)
      t.equal((await send({ json: { email, password: LONG_PASSWORD } })).status, 200)
      return received
    },
    'renews a hash from a password in another Unicode normalization form': async (send, world, t) => {
      const { passwords } = world.service.app.context
      const { email } = await world.person({ passwordHash: await bcrypt.hash('caf\u00e9 society', 4) })
      const needsRehash = passwords.needsRehash
      passwords.needsRehash = () => true
      t.equal((await send({ json: { email, password: 'cafe\u0301 society' } })).status, 200)
      passwords.needsRehash = needsRehash
      t.equal((await send({ json: { email, password: 'cafe\u0301 society' } })).status, 200)
      return send({ json: { email, password: 'caf\u00e9 society' } })
    },
    'does not count successful logins towards the limit': async (send, world, t) => {
      const { email } = await world.person()
      const responses = await Promise.all(
        Array.from({ length: 40 }, () => send({ json: { email, password: PASSWORD } })),
      )
      t.same([...new Set(responses.map(({ status }) => status))], [200])
      return send({ json: { email, password: PASSWORD } })
    },
  },
  400: { ...common[400], ...body[400] },
  401: {
    'rejects a wrong password': async (send, world, t) => {
      const { email } = await world.person()
      const received = await send({ json: { email, password: 'wrong' } })
      t.equal(received.headers['error-code'], 'credentials_wrong')
      return received
    },
    'rejects a wrong code, and one that was used': async (send, world, t) => {
      const { person, nextCode, recoveryCodes } = await protectedPerson(world)
      const login = { email: person.email, password: PASSWORD }
      const code = nextCode()
      const [recovery] = recoveryCodes
      const wrong = ['ABCD-2345-EFGH-67AB-IJKL-MNOP', '12345', 'x']
      for (const each of [code, recovery]) t.equal((await send({ json: { ...login, code: each } })).status, 200)
      for (const each of [code, recovery, ...wrong])
        t.equal((await send({ json: { ...login, code: each } })).headers['error-code'], 'mfa_code_wrong', String(each))
      return send({ json: { ...login, code } })
    },
    'rejects a wrong password with a right code, which stays valid': async (send, world, t) => {
      const { person, nextCode } = await protectedPerson(world)
      const code = nextCode()
      const received = await send({ json: { email: person.email, password: 'wrong', code } })
      t.equal(received.headers['error-code'], 'credentials_wrong')
      t.equal((await send({ json: { email: person.email, password: PASSWORD, code } })).status, 200)
      return received
    },
    'records failed logins, with the account if it exists': async (send, world, t) => {
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
    'returns the same body for an unknown e-mail address': async (send, world, t) => {
      const { email } = await world.person()
      const known = await send({ json: { email, password: 'wrong' } })
      const unknown = await send({ json: { email: 'nobody@example.org', password: 'wrong' } })
      t.same(unknown.body, known.body)
      return unknown
    },
    'rejects a password that differs only after 72 bytes': async (send, world) => {
      const long = 'x'.repeat(72)
      const { email } = await world.person({ passwordHash: await bcrypt.hash(long, 4) })
      return send({ json: { email, password: `${long}y` } })
    },
    'rejects a wrong password for a suspended account like any other': async (send, world) => {
      const { email } = await world.person({ status: 'suspended' })
      return send({ json: { email, password: 'wrong' } })
    },
  },
  403: {
    'asks for a code, and names the second factors': async (send, world, t) => {
      const { person } = await protectedPerson(world)
      const received = await send({ json: { email: person.email, password: PASSWORD } })
      t.equal(received.headers['error-code'], 'mfa_required')
      t.equal(received.headers['mfa-methods'], 'totp, recovery_code')
      t.equal(received.body.data, null)
      return received
    },
    'rejects the right password of a suspended account': async (send, world) => {
      const { email } = await world.person({ status: 'suspended' })
      return send({ json: { email, password: PASSWORD } })
    },
  },
  413: body[413],
  415: {
    ...body[415],
    'rejects a form': (send) => send({ form: { email: 'nobody@example.org', password: PASSWORD } }),
  },
  422: {
    'reports all invalid fields at once in English': async (send, _world, t) => {
      const received = await send({ json: { email: 'no address', token: 1 } })
      t.same(received.body.data, {
        errors: {
          email: ['This value has the wrong format. For example: client@demo.test'],
          password: ['This field is required.'],
          token: ['This field is unknown.'],
        },
        codes: { email: ['wrong_format'], password: ['required'], token: ['unknown_field'] },
      })
      return received
    },
    'reports all invalid fields at once in Arabic': async (send, _world, t) => {
      const received = await send({ json: {}, language: 'ar-SA,ar;q=0.9,en;q=0.8' })
      t.same(received.body.data.errors, { email: ['هذا الحقل مطلوب.'], password: ['هذا الحقل مطلوب.'] })
      t.equal(received.headers['content-language'], 'ar')
      return received
    },
    'rejects values of the wrong type': async (send, _world, t) => {
      const received = await send({ json: { email: ['nobody@example.org'], password: null } })
      t.same(received.body.data.codes, { email: ['wrong_type'], password: ['wrong_type'] })
      return received
    },
    'rejects an empty password': async (send, _world, t) => {
      const received = await send({ json: { email: 'nobody@example.org', password: '' } })
      t.same(received.body.data.codes, { password: ['required'] })
      return received
    },
    'rejects an unpaired surrogate': async (send, _world, t) => {
      const received = await send({
        raw: String.raw`{"email":"nobody@example.org","password":"\ud800"}`,
        type: 'application/json',
      })
      t.same(received.body.data.codes, { password: ['wrong_format'] })
      return received
    },
    'rejects a body that is not an object': async (send, _world, t) => {
      const received = await send({ json: [] })
      t.same(received.body.data.codes, { body: ['wrong_type'] })
      return received
    },
  },
  429: {
    'rejects the right password after ten wrong ones': async (send, world, t) => {
      const { email } = await world.person()
      const guesses = await Promise.all(Array.from({ length: 60 }, () => send({ json: { email, password: 'wrong' } })))
      t.equal(guesses.filter(({ status }) => status === 401).length, 10, 'ten guesses were checked')
      t.equal(guesses.filter(({ status }) => status === 429).length, 50)
      return send({ json: { email, password: PASSWORD } })
    },
    'counts wrong codes like wrong passwords, and not a code that is left out': async (send, world, t) => {
      const { person, nextCode } = await protectedPerson(world)
      const login = { email: person.email, password: PASSWORD }
      for (let at = 0; at < 12; at++) t.equal((await send({ json: login })).status, 403)
      for (let at = 0; at < 10; at++) t.equal((await send({ json: { ...login, code: '000000' } })).status, 401)
      return send({ json: { ...login, code: nextCode() } })
    },
    'limits wrong passwords per client address across accounts': async (send, _world, t) => {
      const emails = Array.from({ length: 40 }, (_, at) => `nobody-${at}@example.org`)
      const guesses = await Promise.all(emails.map((email) => send({ json: { email, password: 'wrong' } })))
      t.equal(guesses.filter(({ status }) => status === 401).length, 30, 'thirty guesses were checked')
      return send({ json: { email: 'nobody@example.org', password: 'wrong' } })
    },
  },
  500: common[500],
  503: common[503],
})
