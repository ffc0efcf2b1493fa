import { bodyCases, commonCases, tokenCases, withToken } from '../../support/cases/common-cases.ts'
import { passkeyRequest } from '../../support/accounts/recent-requests.ts'
import { contract } from '../../support/cases/contract.ts'
import { passkeyOwner } from '../../support/accounts/authenticator.ts'
import type { World } from '../../support/service/world.ts'

const json = { name: 'Mobile' }
const path = { passkey_id: '4f1d2c3b-5a69-4788-9b0c-1d2e3f405162' }
const body = bodyCases(json)
const token = tokenCases(() => ({ path, json }))

async function valid(world: World): Promise<{ token: string; path: { passkey_id: string }; json: object }> {
  const owner = await passkeyOwner(world)
  return { token: owner.token, path: { passkey_id: owner.id }, json }
}
const common = commonCases('renamePasskey', valid, 'store')

contract(
  'renamePasskey',
  {
    200: {
      'changes the name': async (send, world, t) => {
        const sent = await valid(world)
        const received = await send({ ...sent, json: { name: ' جوالي ' } })
        t.match(received.body.data, { id: sent.path.passkey_id, name: 'جوالي' })
        const { body } = await world.send('getFactors')({ token: sent.token })
        t.match(body.data, { passkeys: [{ name: 'جوالي' }] })
        return received
      },
    },
    400: { ...common[400], ...withToken(body[400]) },
    401: token[401],
    403: {
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
      'rejects an invalid id and a name that is too long': async (send, world, t) => {
        const { token: current } = await valid(world)
        const received = await send({ token: current, path: { passkey_id: 'x' }, json: { name: 'x'.repeat(61) } })
        t.same(received.body.data.codes, { passkey_id: ['wrong_format'], name: ['too_long'] })
        return received
      },
    },
    429: tokenCases(async (world, person) => ({ ...(await passkeyRequest(world, person)), json }))[429],
    500: common[500],
    503: common[503],
  },
  { path },
)
