import { commonCases, tokenCases } from '../../support/cases/common-cases.ts'
import { contract } from '../../support/cases/contract.ts'

const common = commonCases('checkAdmin', async (world) => ({ token: await (await world.person()).token() }), 'store')

contract('checkAdmin', {
  200: {
    'returns true for an administrator': async (send, world, t) => {
      const received = await send({ token: await (await world.person({ isAdmin: true })).token() })
      t.same(received.body.data, { is_admin: true })
      return received
    },
    'returns false for another user': async (send, world, t) => {
      const received = await send({ token: await (await world.person()).token() })
      t.same(received.body.data, { is_admin: false })
      return received
    },
    'returns false as soon as the administrator role is revoked': async (send, world, t) => {
      const { id, token } = await world.person({ isAdmin: true })
      const old = await token()
      await world.service.database.prisma.account.update({ where: { id }, data: { isAdmin: false } })
      const received = await send({ token: old })
      t.same(received.body.data, { is_admin: false })
      return received
    },
  },
  400: common[400],
  ...tokenCases(),
  500: common[500],
  503: common[503],
})
