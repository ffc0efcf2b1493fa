import { commonCases, tokenCases } from '../../support/cases/common-cases.ts'
import { contract } from '../../support/cases/contract.ts'
import { begin, protectedPerson } from '../../support/accounts/second-factors.ts'

const common = commonCases('getFactors', async (world) => ({ token: await (await world.person()).token() }), 'store')

contract('getFactors', {
  200: {
    'lists an authenticator app and the number of recovery codes': async (send, world, t) => {
      const { token } = await protectedPerson(world)
      const received = await send({ token })
      t.match(received.body.data, { totp_added_at: /^20/, recovery_codes_left: 10 })
      return received
    },
    'lists no app that is not confirmed': async (send, world, t) => {
      const token = await (await world.person()).token()
      await begin(world, token)
      const received = await send({ token })
      t.same(received.body.data, { passkeys: [], totp_added_at: null, recovery_codes_left: 0, reset_at: null })
      return received
    },
  },
  400: common[400],
  ...tokenCases(),
  500: common[500],
  503: common[503],
})
