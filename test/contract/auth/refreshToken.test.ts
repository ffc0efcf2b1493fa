import { bodyCases, commonCases } from '../../support/cases/common-cases.ts'
import { contract } from '../../support/cases/contract.ts'
import { settled } from '../../support/accounts/resets.ts'
import { tokensIn } from '../../support/service/world.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

const common = commonCases(
  'refreshToken',
  async (world) => ({ json: { refresh_token: (await (await world.person()).logIn()).refresh } }),
  'refreshTokens',
)
const body = bodyCases({ refresh_token: 'x' })

contract('refreshToken', {
  200: {
    'returns new tokens that work': async (send, world, t) => {
      const person = await world.person()
      const { refresh } = await person.logIn()
      world.wait(2 * 60 * MINUTE_MS)
      const received = await send({ json: { refresh_token: refresh } })
      const tokens = tokensIn(received)
      t.not(tokens.refresh, refresh)
      t.equal((await world.send('checkToken')({ token: tokens.token })).body.data.account.id, person.id)
      return send({ json: { refresh_token: tokens.refresh } })
    },
    'returns an access token that does not outlive the 90 days of its session': async (send, world, t) => {
      const { id } = await world.person()
      const { context } = world.service.app
      const createdAt = new Date(context.clock.nowMs() - 90 * DAY_MS + 10 * MINUTE_MS)
      const { prisma } = world.service.database
      const { id: sessionId } = await prisma.session.create({ data: { accountId: id, address: '::1', createdAt } })
      const json = { refresh_token: context.refreshTokens.issue({ sessionId, generation: 0 }) }
      const received = await send({ json })
      const { expires_in: seconds } = received.body.data.session as { expires_in: number }
      t.ok(seconds <= 600 && seconds > 480, String(seconds))
      const { token, refresh } = tokensIn(received)
      world.wait(9 * MINUTE_MS - 30_000)
      t.equal((await world.send('checkToken')({ token })).status, 200)
      world.wait(2 * MINUTE_MS)
      t.equal((await world.send('checkToken')({ token })).status, 401)
      t.equal((await send({ json: { refresh_token: refresh } })).status, 401)
      return received
    },
    'returns the same successor within the grace period': async (send, world, t) => {
      const { refresh } = await (await world.person()).logIn()
      const next = tokensIn(await send({ json: { refresh_token: refresh } })).refresh
      world.wait(10_000)
      const received = await send({ json: { refresh_token: refresh } })
      t.equal(tokensIn(received).refresh, next)
      return received
    },
    'returns another successor after the grace period while the first one is unused': async (send, world, t) => {
      const { refresh } = await (await world.person()).logIn()
      const lost = tokensIn(await send({ json: { refresh_token: refresh } })).refresh
      world.wait(36_000)
      const received = await send({ json: { refresh_token: refresh } })
      t.not(tokensIn(received).refresh, lost)
      return received
    },
    'extends a session that is used within 30 days': async (send, world) => {
      let { refresh } = await (await world.person()).logIn()
      for (let months = 0; months < 3; months++) {
        world.wait(29.9 * DAY_MS)
        refresh = tokensIn(await send({ json: { refresh_token: refresh } })).refresh
      }
      return send({ json: { refresh_token: refresh } })
    },
  },
  400: { ...common[400], ...body[400] },
  401: {
    'rejects text that is not a token': async (send, _world, t) => {
      const received = await send({ json: { refresh_token: 'anything' } })
      t.equal(received.headers['error-code'], 'refresh_token_invalid')
      return received
    },
    'rejects a changed token': async (send, world) => {
      const { refresh } = await (await world.person()).logIn()
      const changed = Buffer.from(refresh, 'base64url')
      changed[19] = 1 // the generation
      return send({ json: { refresh_token: changed.toString('base64url') } })
    },
    'revokes the session on reuse of an old token': async (send, world, t) => {
      const person = await world.person()
      const { refresh } = await person.logIn()
      const owner = tokensIn(await send({ json: { refresh_token: refresh } }))
      t.equal((await world.send('checkToken')({ token: owner.token })).status, 200)
      await settled(world)
      world.wait(31_000)
      const received = await send({ json: { refresh_token: refresh } })
      t.equal((await send({ json: { refresh_token: owner.refresh } })).status, 401)
      t.equal((await world.send('checkToken')({ token: owner.token })).headers['error-code'], 'token_revoked')
      const { prisma } = world.service.database
      t.equal(await prisma.auditEvent.count({ where: { accountId: person.id, event: 'refresh_token_reused' } }), 1)
      return received
    },
    'rejects a token that is two exchanges old, even within the grace period': async (send, world) => {
      const { refresh } = await (await world.person()).logIn()
      const next = tokensIn(await send({ json: { refresh_token: refresh } })).refresh
      await send({ json: { refresh_token: next } })
      return send({ json: { refresh_token: refresh } })
    },
    'rejects a session that was not used for 30 days': async (send, world) => {
      const { refresh } = await (await world.person()).logIn()
      world.wait(30 * DAY_MS)
      return send({ json: { refresh_token: refresh } })
    },
    'rejects a session past its maximum age, however often it was used': async (send, world, t) => {
      let { refresh } = await (await world.person()).logIn()
      for (let months = 0; months < 3; months++) {
        world.wait(29.9 * DAY_MS)
        refresh = tokensIn(await send({ json: { refresh_token: refresh } })).refresh
      }
      world.wait(DAY_MS)
      const received = await send({ json: { refresh_token: refresh } })
      t.equal(received.headers['error-code'], 'refresh_token_invalid')
      return received
    },
    'rejects a session that was logged out': async (send, world) => {
      const { refresh, token } = await (await world.person()).logIn()
      await world.send('logout')({ token })
      return send({ json: { refresh_token: refresh } })
    },
    'rejects a suspended account': async (send, world) => {
      const person = await world.person()
      const { refresh } = await person.logIn()
      const { prisma } = world.service.database
      await prisma.account.update({ where: { id: person.id }, data: { status: 'suspended' } })
      return send({ json: { refresh_token: refresh } })
    },
  },
  413: body[413],
  415: body[415],
  422: {
    'rejects a missing refresh token': async (send, _world, t) => {
      t.same((await send({ json: {} })).body.data.codes, { refresh_token: ['required'] })
      return send({ json: { refresh_token: 7, more: 1 } })
    },
  },
  429: {
    'limits invalid tokens per client address, but not valid ones': async (send, world, t) => {
      for (let batch = 0; batch < 30; batch++)
        await Promise.all(Array.from({ length: 20 }, () => send({ json: { refresh_token: 'anything' } })))
      const { refresh } = await (await world.person()).logIn()
      t.equal((await send({ json: { refresh_token: refresh } })).status, 200, 'a valid token is still accepted')
      return send({ json: { refresh_token: 'anything' } })
    },
  },
  500: common[500],
  503: common[503],
})
