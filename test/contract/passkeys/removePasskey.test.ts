import { bodyCases, commonCases, tokenCases, withToken } from '../../support/cases/common-cases.ts'
import { passkeyRequest } from '../../support/accounts/recent-requests.ts'
import { contract } from '../../support/cases/contract.ts'
import { proofCases } from '../../support/cases/proof-cases.ts'
import { eventsOf } from '../../support/cases/administration.ts'
import { loginAssertion, newPasskey, passkeyOwner } from '../../support/accounts/authenticator.ts'
import { BY_PASSWORD } from '../../support/accounts/second-factors.ts'
import { mailsTo } from '../../support/accounts/resets.ts'
import { PASSWORD, type World } from '../../support/service/world.ts'

const path = { passkey_id: '4f1d2c3b-5a69-4788-9b0c-1d2e3f405162' }
const token = tokenCases(() => ({ path, ...BY_PASSWORD }))
const body = bodyCases(BY_PASSWORD.json)
const proof = proofCases(async (world, { token: current }) => {
  const { body: listed } = await world.send('getFactors')({ token: current })
  const { passkeys } = listed.data as { passkeys: { id: string }[] }
  return { path: { passkey_id: passkeys[0]?.id ?? '' } }
})

async function valid(world: World): Promise<{ token: string; path: { passkey_id: string }; json: object }> {
  const owner = await passkeyOwner(world)
  return { token: owner.token, path: { passkey_id: owner.id }, ...BY_PASSWORD }
}
const common = commonCases('removePasskey', valid, 'store')

contract(
  'removePasskey',
  {
    200: {
      'ends the protection of the account with the last factor': async (send, world, t) => {
        const { token: current, id, passkey, email, accountId } = await passkeyOwner(world)
        const json = await loginAssertion(world, passkey)
        const received = await send({ token: current, path: { passkey_id: id }, ...BY_PASSWORD })
        t.same(received.body.data, { rpId: 'localhost', credentialId: passkey.credentialId })
        const none = { passkeys: [], totp_added_at: null, recovery_codes_left: 0, reset_at: null }
        t.same((await world.send('getFactors')({ token: current })).body.data, none)
        t.equal((await world.send('loginWithPasskey')({ json })).status, 401)
        t.equal((await world.send('login')({ json: { email, password: PASSWORD } })).status, 200)
        t.match(
          (await eventsOf(world, accountId)).map(({ event }) => event),
          ['login', 'passkey_added', 'passkey_removed'],
        )
        t.equal((await mailsTo(world, email)).length, 2, 'notices of the addition and the removal')
        return received
      },
      'leaves the account protected by another factor': async (send, world, t) => {
        const { token: current, id, email } = await passkeyOwner(world)
        const { passkey, json } = await newPasskey(world, current)
        await world.send('addPasskey')({ token: current, json })
        const received = await send({ token: current, path: { passkey_id: id }, ...BY_PASSWORD })
        t.match((await world.send('getFactors')({ token: current })).body.data, { recovery_codes_left: 10 })
        t.equal((await world.send('login')({ json: { email, password: PASSWORD } })).status, 403)
        const assertion = await loginAssertion(world, passkey)
        t.equal((await world.send('loginWithPasskey')({ json: assertion })).status, 200)
        return received
      },
    },
    400: { ...common[400], ...withToken(body[400]) },
    401: token[401],
    403: {
      ...proof[403],
      'requires recent authentication': async (send, world) => {
        const sent = await valid(world)
        world.wait(16 * 60_000)
        return send(sent)
      },
    },
    404: {
      'rejects the passkey of another account': async (send, world, t) => {
        const [sent, other] = [await valid(world), await valid(world)]
        const received = await send({ ...sent, path: other.path })
        t.equal(received.headers['error-code'], 'passkey_unknown')
        const { body } = await world.send('getFactors')({ token: other.token })
        t.match(body.data, { passkeys: [{ name: 'MacBook' }] })
        return received
      },
    },
    413: withToken(body[413]),
    415: withToken(body[415]),
    422: {
      ...proof[422],
      'rejects an invalid id': async (send, world, t) => {
        const { token: current } = await valid(world)
        const received = await send({ token: current, path: { passkey_id: 'x' }, ...BY_PASSWORD })
        t.same(received.body.data.codes, { passkey_id: ['wrong_format'] })
        return received
      },
    },
    429: tokenCases(passkeyRequest)[429],
    500: common[500],
    503: common[503],
  },
  { path },
)
