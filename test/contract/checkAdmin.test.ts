import { commonStories, tokenStories } from '../support/common-stories.ts'
import { contract } from '../support/contract.ts'

const common = commonStories('checkAdmin', async (world) => ({ token: await (await world.person()).token() }), 'store')

contract('checkAdmin', {
  200: {
    'an administrator': async (send, world, t) => {
      const received = await send({ token: await (await world.person({ isAdmin: true })).token() })
      t.same(received.body.data, { is_admin: true })
      return received
    },
    'somebody else': async (send, world, t) => {
      const received = await send({ token: await (await world.person()).token() })
      t.same(received.body.data, { is_admin: false })
      return received
    },
    'somebody who was one a moment ago': async (send, world, t) => {
      const { id, token } = await world.person({ isAdmin: true })
      const old = await token()
      await world.service.database.prisma.account.update({ where: { id }, data: { isAdmin: false } })
      const received = await send({ token: old })
      t.same(received.body.data, { is_admin: false })
      return received
    },
  },
  400: common[400],
  ...tokenStories(),
  500: common[500],
  503: common[503],
})
