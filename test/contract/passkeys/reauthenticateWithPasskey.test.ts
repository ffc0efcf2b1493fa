import { bodyCases, commonCases, tokenCases, withToken } from '../../support/cases/common-cases.ts'
import { contract } from '../../support/cases/contract.ts'
import { eventsOf } from '../../support/cases/administration.ts'
import { passkeyOwner, reauthenticationAssertion, unconfigured, UNKNOWN } from '../../support/accounts/authenticator.ts'
import { tokensIn, type World } from '../../support/service/world.ts'

const json = { credential: UNKNOWN }
const body = bodyCases(json)
const token = tokenCases(() => ({ json }))

async function valid(world: World): Promise<{ token: string; json: object }> {
  const owner = await passkeyOwner(world)
  return { token: owner.token, json: await reauthenticationAssertion(world, owner) }
}
const common = commonCases('reauthenticateWithPasskey', valid, 'store')

contract('reauthenticateWithPasskey', {
  200: {
    'replaces a session without recent authentication': async (send, world, t) => {
      const owner = await passkeyOwner(world)
      world.wait(16 * 60_000)
      t.equal((await world.send('exportAccount')({ token: owner.token })).status, 403)
      const received = await send({ token: owner.token, json: await reauthenticationAssertion(world, owner) })
      t.equal((await world.send('exportAccount')({ token: tokensIn(received).token })).status, 200)
      t.equal((await world.send('checkToken')({ token: owner.token })).status, 401, 'the previous session has ended')
      t.match(
        (await eventsOf(world, owner.accountId)).map(({ event }) => event),
        /reauthenticated/,
      )
      return received
    },
  },
  400: { ...common[400], ...withToken(body[400]) },
  401: token[401],
  413: withToken(body[413]),
  415: withToken(body[415]),
  422: {
    'rejects the passkey of another account, and a challenge of another session': async (send, world, t) => {
      const [one, other] = [await passkeyOwner(world), await passkeyOwner(world)]
      const foreign = await reauthenticationAssertion(world, { passkey: other.passkey, token: one.token })
      const ofAnother = await reauthenticationAssertion(world, { passkey: one.passkey, token: other.token })
      for (const each of [foreign, ofAnother]) {
        const received = await send({ token: one.token, json: each })
        t.same(received.body.data.codes, { credential: ['passkey_wrong'] })
      }
      const events = (await eventsOf(world, one.accountId)).map(({ event }) => event)
      t.same(events.slice(-2), ['passkey_failed', 'passkey_failed'])
      return send({ token: one.token, json })
    },
  },
  429: {
    'counts wrong passkeys like wrong passwords of the account': async (send, world, t) => {
      const owner = await passkeyOwner(world)
      for (let at = 0; at < 10; at++) t.equal((await send({ token: owner.token, json })).status, 422)
      return send({ token: owner.token, json: await reauthenticationAssertion(world, owner) })
    },
  },
  500: common[500],
  503: { ...common[503], 'returns 503 without a configured domain': unconfigured({ json }) },
})
