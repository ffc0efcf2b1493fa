import { eventsOf } from '../support/administration.ts'
import { bodyStories, commonStories, tokenStories, withToken } from '../support/common-stories.ts'
import { contract } from '../support/contract.ts'
import { PASSWORD, tokensIn } from '../support/world.ts'

const json = { method: 'password', password: PASSWORD }
const common = commonStories(
  'reauthenticate',
  async (world) => ({ json, token: await (await world.person()).token() }),
  'store',
)
const token = tokenStories(() => ({ json }))
const body = bodyStories(json)

contract('reauthenticate', {
  200: {
    'a new session replaces the old one, and others continue': async (send, world, t) => {
      const person = await world.person()
      const there = await person.logIn()
      const old = await person.logIn()
      const received = await send({ json, token: old.token })
      const begun = tokensIn(received)
      t.match(received.body.data.account, { email: person.email })
      t.equal((await world.send('checkToken')({ token: old.token })).headers['error-code'], 'token_revoked')
      t.equal((await world.send('refreshToken')({ json: { refresh_token: old.refresh } })).status, 401)
      t.equal((await world.send('checkToken')({ token: there.token })).status, 200)
      t.equal((await world.send('checkToken')({ token: begun.token })).status, 200)
      t.equal((await world.send('refreshToken')({ json: { refresh_token: begun.refresh } })).status, 200)
      const events = (await eventsOf(world, person.id)).map(({ event }) => event)
      t.same(events, ['login', 'login', 'reauthenticated'])
      return received
    },
  },
  400: { ...common[400], ...withToken(body[400]) },
  401: token[401],
  413: withToken(body[413]),
  415: withToken(body[415]),
  422: {
    'a wrong password, after which the session continues': async (send, world, t) => {
      const person = await world.person()
      const here = await person.token()
      const received = await send({ json: { ...json, password: 'wrong' }, token: here })
      t.same(received.body.data.codes, { password: ['password_wrong'] })
      t.equal((await world.send('checkToken')({ token: here })).status, 200)
      t.match(await eventsOf(world, person.id), [{ event: 'login' }, { event: 'reauthentication_failed' }])
      return received
    },
    'another method, and no password': async (send, world, t) => {
      const received = await send({ json: { method: 'sms' }, token: await (await world.person()).token() })
      t.same(received.body.data.codes, { method: ['not_allowed'], password: ['required'] })
      return received
    },
  },
  429: {
    ...token[429],
    'ten wrong passwords, whatever the operation': async (send, world, t) => {
      const person = await world.person()
      const here = await person.token()
      const wrong = { ...json, password: 'wrong' }
      const guesses = await Promise.all(Array.from({ length: 30 }, () => send({ json: wrong, token: here })))
      t.equal(guesses.filter(({ status }) => status === 422).length, 10)
      const change = { current_password: PASSWORD, new_password: 'another horse battery' }
      t.equal((await world.send('changePassword')({ json: change, token: here })).status, 429)
      const events = (await eventsOf(world, person.id)).map(({ event }) => event)
      t.equal(events.filter((event) => event === 'reauthentication_limited').length, 1)
      return send({ json, token: await person.token() })
    },
  },
  500: common[500],
  503: common[503],
})
