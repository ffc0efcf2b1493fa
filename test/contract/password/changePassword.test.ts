import { protectedPerson } from '../../support/accounts/second-factors.ts'
import { bodyCases, commonCases, tokenCases, withToken } from '../../support/cases/common-cases.ts'
import { contract } from '../../support/cases/contract.ts'
import { LONG_PASSWORD, PASSWORD, tokensIn } from '../../support/service/world.ts'

const json = { current_password: PASSWORD, new_password: 'olive3kayak' }
const common = commonCases(
  'changePassword',
  async (world) => ({ json, token: await (await world.person()).token() }),
  'store',
)
const body = bodyCases(json)
const codes = { current_password: ['password_wrong'], new_password: ['password_common'] }

contract('changePassword', {
  200: {
    'changes the password and replaces all sessions with a new one': async (send, world, t) => {
      const person = await world.person()
      const other = await person.logIn()
      const { token, refresh } = await person.logIn()
      const received = await send({ json, token })
      for (const old of [{ token, refresh }, other]) {
        t.equal((await world.send('checkToken')({ token: old.token })).headers['error-code'], 'token_revoked')
        t.equal((await world.send('refreshToken')({ json: { refresh_token: old.refresh } })).status, 401)
      }
      const replacement = tokensIn(received)
      t.equal((await world.send('checkToken')({ token: replacement.token })).status, 200)
      t.equal((await world.send('refreshToken')({ json: { refresh_token: replacement.refresh } })).status, 200)
      const logIn = world.send('login')
      const { email, id } = person
      t.equal((await logIn({ json: { email, password: PASSWORD } })).status, 401)
      t.equal((await logIn({ json: { email, password: json.new_password } })).status, 200)
      const { prisma } = world.service.database
      t.equal(await prisma.auditEvent.count({ where: { accountId: id, event: 'password_changed' } }), 1)
      return received
    },
    'accepts a password of more than 72 bytes and compares all of it': async (send, world, t) => {
      const person = await world.person()
      const received = await send({ json: { ...json, new_password: LONG_PASSWORD }, token: await person.token() })
      const logIn = async (password: string): Promise<number> =>
        (await world.send('login')({ json: { email: person.email, password } })).status
      t.same([await logIn(LONG_PASSWORD), await logIn(`${LONG_PASSWORD} `), await logIn(PASSWORD)], [200, 401, 401])
      return received
    },
    'accepts the current password in another Unicode normalization form': async (send, world) => {
      const first = await (await world.person()).token()
      const { token } = tokensIn(await send({ json: { ...json, new_password: 'ﬁne Å passphrase' }, token: first }))
      return send({ json: { current_password: 'fine A\u030a passphrase', new_password: PASSWORD }, token })
    },
  },
  401: tokenCases(() => ({ json }))[401],
  400: { ...common[400], ...withToken(body[400]) },
  403: {
    'requires recent authentication of an account with a second factor': async (send, world, t) => {
      const { token } = await protectedPerson(world)
      world.wait(20 * 60_000)
      const received = await send({ json, token })
      t.equal(received.headers['error-code'], 'reauthentication_required')
      return received
    },
  },
  413: withToken(body[413]),
  415: withToken(body[415]),
  422: {
    'reports a wrong current and an unacceptable new password together': async (send, world, t) => {
      const token = await (await world.person()).token()
      const received = await send({ json: { current_password: 'wrong', new_password: 'password' }, token })
      t.same(received.body.data.codes, codes)
      return received
    },
    'rejects an unacceptable new password without changing anything': async (send, world, t) => {
      const person = await world.person()
      const token = await person.token()
      const codesOf = async (new_password: string): Promise<unknown> =>
        (await send({ json: { ...json, new_password }, token })).body.data.codes
      t.same(await codesOf('short'), { new_password: ['too_short'] })
      t.same(await codesOf(person.email), { new_password: ['password_is_email'] })
      t.same(await codesOf('ﷺ'.repeat(20)), { new_password: ['password_too_long'] })
      t.same(await codesOf('x'.repeat(257)), { new_password: ['too_long'] })
      const guessable = ['Welcome@123', 'السلامعليكم', 'سارةالعتيبي', `0${person.phone.slice(1)}`, 'Tawthiq@2026']
      for (const password of guessable)
        t.same(await codesOf(password), { new_password: ['password_guessable'] }, password)
      const { context } = world.service.app
      const { breachedPasswords } = context
      context.breachedPasswords = { has: (password) => Promise.resolve(password === json.new_password) }
      t.same(await codesOf(json.new_password), { new_password: ['password_breached'] })
      context.breachedPasswords = breachedPasswords
      const received = await send({ json: { ...json, new_password: 'password' }, token })
      t.equal((await send({ json, token })).status, 200, 'the old password is still valid')
      return received
    },
  },
  429: {
    ...tokenCases(() => ({ json }))[429],
    'rejects the right password after ten wrong ones': async (send, world, t) => {
      const token = await (await world.person()).token()
      const guesses = Array.from({ length: 30 }, () => send({ json: { ...json, current_password: 'wrong' }, token }))
      const statuses = (await Promise.all(guesses)).map(({ status }) => status)
      t.equal(statuses.filter((status) => status === 422).length, 10)
      return send({ json, token })
    },
  },
  500: common[500],
  503: common[503],
})
