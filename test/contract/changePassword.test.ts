import { bodyStories, commonStories, tokenStories, withToken } from '../support/common-stories.ts'
import { contract } from '../support/contract.ts'
import { LONG_PASSWORD, PASSWORD, tokensIn } from '../support/world.ts'

const json = { current_password: PASSWORD, new_password: 'another horse battery' }
const common = commonStories(
  'changePassword',
  async (world) => ({ json, token: await (await world.person()).token() }),
  'store',
)
const body = bodyStories(json)
const codes = { current_password: ['password_wrong'], new_password: ['password_common'] }

contract('changePassword', {
  200: {
    'the new password logs in, the old one does not, and a new session replaces all others': async (send, world, t) => {
      const person = await world.person()
      const there = await person.logIn()
      const { token, refresh } = await person.logIn()
      const received = await send({ json, token })
      for (const old of [{ token, refresh }, there]) {
        t.equal((await world.send('checkToken')({ token: old.token })).headers['error-code'], 'token_revoked')
        t.equal((await world.send('refreshToken')({ json: { refresh_token: old.refresh } })).status, 401)
      }
      const begun = tokensIn(received)
      t.equal((await world.send('checkToken')({ token: begun.token })).status, 200)
      t.equal((await world.send('refreshToken')({ json: { refresh_token: begun.refresh } })).status, 200)
      const logIn = world.send('login')
      const { email, id } = person
      t.equal((await logIn({ json: { email, password: PASSWORD } })).status, 401)
      t.equal((await logIn({ json: { email, password: json.new_password } })).status, 200)
      const { prisma } = world.service.database
      t.equal(await prisma.auditEvent.count({ where: { accountId: id, event: 'password_changed' } }), 1)
      return received
    },
    'a password of 37 Arabic letters, which has more than 72 bytes': async (send, world, t) => {
      const person = await world.person()
      const received = await send({ json: { ...json, new_password: LONG_PASSWORD }, token: await person.token() })
      const logIn = async (password: string): Promise<number> =>
        (await world.send('login')({ json: { email: person.email, password } })).status
      t.same([await logIn(LONG_PASSWORD), await logIn(`${LONG_PASSWORD} `), await logIn(PASSWORD)], [200, 401, 401])
      return received
    },
    'the same characters from another keyboard': async (send, world) => {
      const first = await (await world.person()).token()
      const { token } = tokensIn(await send({ json: { ...json, new_password: 'ﬁne Å passphrase' }, token: first }))
      return send({ json: { current_password: 'fine A\u030a passphrase', new_password: PASSWORD }, token })
    },
  },
  401: tokenStories(() => ({ json }))[401],
  400: { ...common[400], ...withToken(body[400]) },
  413: withToken(body[413]),
  415: withToken(body[415]),
  422: {
    'both wrong': async (send, world, t) => {
      const token = await (await world.person()).token()
      const received = await send({ json: { current_password: 'wrong', new_password: 'password' }, token })
      t.same(received.body.data.codes, codes)
      return received
    },
    'a new one that may not be': async (send, world, t) => {
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
      t.equal((await send({ json, token })).status, 200, 'nothing has changed')
      return received
    },
  },
  429: {
    ...tokenStories(() => ({ json }))[429],
    'ten wrong passwords': async (send, world, t) => {
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
