import { eventsOf } from '../../support/cases/administration.ts'
import { bodyCases, commonCases, tokenCases, withToken } from '../../support/cases/common-cases.ts'
import { contract } from '../../support/cases/contract.ts'
import { protectedPerson } from '../../support/accounts/second-factors.ts'
import { PASSWORD, tokensIn } from '../../support/service/world.ts'

const json = { method: 'password', password: PASSWORD }
const common = commonCases(
  'reauthenticate',
  async (world) => ({ json, token: await (await world.person()).token() }),
  'store',
)
const token = tokenCases(() => ({ json }))
const body = bodyCases(json)

contract('reauthenticate', {
  200: {
    'replaces the current session and leaves others unchanged': async (send, world, t) => {
      const person = await world.person()
      const other = await person.logIn()
      const old = await person.logIn()
      const received = await send({ json, token: old.token })
      const replacement = tokensIn(received)
      t.match(received.body.data.account, { email: person.email })
      t.equal((await world.send('checkToken')({ token: old.token })).headers['error-code'], 'token_revoked')
      t.equal((await world.send('refreshToken')({ json: { refresh_token: old.refresh } })).status, 401)
      t.equal((await world.send('checkToken')({ token: other.token })).status, 200)
      t.equal((await world.send('checkToken')({ token: replacement.token })).status, 200)
      t.equal((await world.send('refreshToken')({ json: { refresh_token: replacement.refresh } })).status, 200)
      const events = (await eventsOf(world, person.id)).map(({ event }) => event)
      t.same(events, ['login', 'login', 'reauthenticated'])
      return received
    },
  },
  403: {
    'asks an account with a second factor for a code': async (send, world, t) => {
      const { token: current } = await protectedPerson(world)
      const received = await send({ json, token: current })
      t.equal(received.headers['mfa-methods'], 'totp, recovery_code')
      return received
    },
  },
  400: { ...common[400], ...withToken(body[400]) },
  401: token[401],
  413: withToken(body[413]),
  415: withToken(body[415]),
  422: {
    'rejects a wrong password without ending the session': async (send, world, t) => {
      const person = await world.person()
      const current = await person.token()
      const received = await send({ json: { ...json, password: 'wrong' }, token: current })
      t.same(received.body.data.codes, { password: ['password_wrong'] })
      t.equal((await world.send('checkToken')({ token: current })).status, 200)
      t.match(await eventsOf(world, person.id), [{ event: 'login' }, { event: 'reauthentication_failed' }])
      return received
    },
    'rejects a wrong code and a used one without ending the session': async (send, world, t) => {
      const { token: current, nextCode } = await protectedPerson(world)
      const code = nextCode()
      const proven = tokensIn(await send({ json: { ...json, code }, token: current }))
      const received = await send({ json: { ...json, code }, token: proven.token })
      t.same(received.body.data.codes, { code: ['code_wrong'] })
      t.equal((await world.send('checkToken')({ token: proven.token })).status, 200)
      return received
    },
    'rejects an unknown method and a missing password': async (send, world, t) => {
      const received = await send({ json: { method: 'sms' }, token: await (await world.person()).token() })
      t.same(received.body.data.codes, { method: ['not_allowed'], password: ['required'] })
      return received
    },
  },
  429: {
    ...token[429],
    'rejects the right password after ten wrong ones across operations': async (send, world, t) => {
      const person = await world.person()
      const current = await person.token()
      const wrong = { ...json, password: 'wrong' }
      const guesses = await Promise.all(Array.from({ length: 30 }, () => send({ json: wrong, token: current })))
      t.equal(guesses.filter(({ status }) => status === 422).length, 10)
      const change = { current_password: PASSWORD, new_password: 'olive3kayak' }
      t.equal((await world.send('changePassword')({ json: change, token: current })).status, 429)
      const events = (await eventsOf(world, person.id)).map(({ event }) => event)
      t.equal(events.filter((event) => event === 'reauthentication_limited').length, 1)
      return send({ json, token: await person.token() })
    },
  },
  500: common[500],
  503: common[503],
})
