import { LIMITS } from '../../../generated/limits.ts'
import { commonCases, tokenCases } from '../../support/cases/common-cases.ts'
import { contract } from '../../support/cases/contract.ts'

const common = commonCases('checkToken', async (world) => ({ token: await (await world.person()).token() }), 'store')
const tokens = tokenCases()
const PER_MINUTE = LIMITS.tokens.refused_per_minute

contract('checkToken', {
  200: {
    'returns the account of a token from login': async (send, world, t) => {
      const { id, email, token } = await world.person({ accountType: 'lawyer' })
      const received = await send({ token: await token() })
      t.same(received.body.data, { account: { id, email, account_type: 'lawyer' } })
      return received
    },
    'returns the current account type, not that of the token': async (send, world, t) => {
      const { id, token } = await world.person({ accountType: 'client' })
      const old = await token()
      await world.service.database.prisma.account.update({ where: { id }, data: { accountType: 'lawyer' } })
      const received = await send({ token: old })
      t.equal(received.body.data.account.account_type, 'lawyer')
      return received
    },
    'accepts the authorization scheme in lower case': async (send, world) => {
      const token = await (await world.person()).token()
      return send({ headers: { authorization: `bearer ${token}` } })
    },
  },
  400: common[400],
  ...tokens,
  429: {
    ...tokens[429],
    'accepts as many invalid tokens of an address in a minute as documented': async (send, _world, t) => {
      const statuses: number[] = []
      while (statuses.length < PER_MINUTE) {
        const batch = await Promise.all(Array.from({ length: 20 }, () => send({ token: 'a.b.c' })))
        statuses.push(...batch.map(({ status }) => status))
      }
      t.same(new Set(statuses), new Set([401]))
      return send({ token: 'a.b.c' })
    },
  },
  500: common[500],
  503: common[503],
})
