import { commonCases, tokenCases } from '../../support/cases/common-cases.ts'
import { contract } from '../../support/cases/contract.ts'
import { unconfigured } from '../../support/accounts/authenticator.ts'

const token = tokenCases()
const common = commonCases(
  'beginPasskeyReauthentication',
  async (world) => ({ token: await (await world.person()).token() }),
  'passkeys',
)

contract('beginPasskeyReauthentication', {
  200: {
    'returns a challenge': async (send, world, t) => {
      const received = await send({ token: await (await world.person()).token() })
      t.match(received.body.data, { challenge: /^[\w-]{100,400}$/, rpId: 'localhost', userVerification: 'required' })
      return received
    },
  },
  400: common[400],
  401: token[401],
  429: {
    ...token[429],
    'limits the challenges of an account': async (send, world, t) => {
      const current = await (await world.person()).token()
      const statuses = await Promise.all(
        Array.from({ length: 70 }, async () => (await send({ token: current })).status),
      )
      t.equal(statuses.filter((status) => status === 200).length, 60)
      return send({ token: current })
    },
  },
  500: common[500],
  503: { ...common[503], 'returns 503 without a configured domain': unconfigured() },
})
