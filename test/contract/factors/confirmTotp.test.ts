import { eventsOf } from '../../support/cases/administration.ts'
import { bodyCases, commonCases, tokenCases, withToken } from '../../support/cases/common-cases.ts'
import { contract } from '../../support/cases/contract.ts'
import { confirmedChange, newAddress, putEmail, verificationTo } from '../../support/accounts/emails.ts'
import { mailsTo } from '../../support/accounts/resets.ts'
import { begin, codeAt, pendingRequest, protectedPerson } from '../../support/accounts/second-factors.ts'
import type { World } from '../../support/service/world.ts'

const json = { code: '000000' }
const token = tokenCases(pendingRequest)
const body = bodyCases(json)

/** A session that has begun to add an app, and the code that the app displays */
async function begun(world: World): Promise<{ token: string; json: { code: string } }> {
  const current = await (await world.person()).token()
  const { secret } = await begin(world, current)
  return { token: current, json: { code: codeAt(secret, world.service.clock.nowMs()) } }
}
const common = commonCases('confirmTotp', begun, 'store')

contract('confirmTotp', {
  200: {
    'returns recovery codes with the first app, and ends the other sessions': async (send, world, t) => {
      const person = await world.person()
      const other = await person.logIn()
      const current = await person.token()
      const { secret } = await begin(world, current)
      const received = await send({ token: current, json: { code: codeAt(secret, world.service.clock.nowMs()) } })
      const { recovery_codes: codes } = received.body.data as { recovery_codes: string[] }
      t.equal(new Set(codes).size, 10)
      t.equal((await world.send('checkToken')({ token: other.token })).status, 401)
      t.equal((await world.send('refreshToken')({ json: { refresh_token: other.refresh } })).status, 401)
      t.equal((await world.send('checkToken')({ token: current })).status, 200)
      t.match(await eventsOf(world, person.id), [{ event: 'login' }, { event: 'login' }, { event: 'totp_added' }])
      return received
    },
    'replaces an app, and keeps the recovery codes': async (send, world, t) => {
      const { token: current, recoveryCodes, person } = await protectedPerson(world)
      const { secret } = await begin(world, current)
      const received = await send({ token: current, json: { code: codeAt(secret, world.service.clock.nowMs()) } })
      t.same(received.body.data, { recovery_codes: null })
      const login = { email: person.email, password: 'correct horse battery', code: recoveryCodes[0] }
      t.equal((await world.send('login')({ json: login })).status, 200)
      return received
    },
    'is announced to the address and to the one that can undo its change, not to a pending one': async (
      send,
      world,
      t,
    ) => {
      const { person, bearer, email } = await confirmedChange(world)
      const pending = newAddress()
      t.equal((await putEmail(world, person, bearer, pending)).status, 200)
      t.match(await verificationTo(world, pending), { code: /[0-9]/ }, 'the pending address has a token')
      const { secret } = await begin(world, bearer)
      const received = await send({ token: bearer, json: { code: codeAt(secret, world.service.clock.nowMs()) } })
      const announced = async (address: string): Promise<boolean> =>
        (await mailsTo(world, address)).some(({ subject }) => subject === 'An authenticator app was added')
      t.same(await Promise.all([email, person.email, pending].map(announced)), [true, true, false])
      return received
    },
    'accepts Arabic digits': async (send, world) => {
      const { token: current, json } = await begun(world)
      const code = json.code.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)))
      return send({ token: current, json: { code } })
    },
  },
  400: { ...common[400], ...withToken(body[400]) },
  401: token[401],
  403: {
    'requires recent authentication': async (send, world) => {
      const sent = await begun(world)
      world.wait(20 * 60_000)
      return send(sent)
    },
  },
  409: {
    'rejects a code without a secret to confirm': async (send, world, t) => {
      const received = await send({ json, token: await (await world.person()).token() })
      t.equal(received.headers['error-code'], 'totp_not_begun')
      return received
    },
  },
  413: withToken(body[413]),
  415: withToken(body[415]),
  422: {
    'rejects a wrong code, and adds no app': async (send, world, t) => {
      const sent = await begun(world)
      const wrong = String((Number(sent.json.code) + 1) % 1_000_000).padStart(6, '0')
      const received = await send({ ...sent, json: { code: wrong } })
      t.same(received.body.data.codes, { code: ['code_wrong'] })
      t.match((await world.send('getFactors')({ token: sent.token })).body.data, { totp_added_at: null })
      return received
    },
  },
  429: token[429],
  500: common[500],
  503: common[503],
})
