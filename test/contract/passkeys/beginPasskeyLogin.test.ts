import { commonCases } from '../../support/cases/common-cases.ts'
import { contract } from '../../support/cases/contract.ts'
import { unconfigured } from '../../support/accounts/authenticator.ts'

const common = commonCases('beginPasskeyLogin', () => ({}), 'passkeys')

contract('beginPasskeyLogin', {
  200: {
    'returns a new challenge each time, for any passkey of the domain': async (send, _world, t) => {
      const received = await send()
      const { challenge, ...options } = received.body.data as { challenge: string }
      t.same(options, { rpId: 'localhost', timeout: 300_000, userVerification: 'required', allowCredentials: [] })
      t.not((await send()).body.data, { challenge, ...options })
      return received
    },
  },
  400: common[400],
  429: {
    'limits the challenges of a network': async (send, _world, t) => {
      const statuses = await Promise.all(Array.from({ length: 70 }, async () => (await send()).status))
      t.equal(statuses.filter((status) => status === 200).length, 60)
      return send()
    },
  },
  500: common[500],
  503: { ...common[503], 'returns 503 without a configured domain': unconfigured() },
})
