import { commonStories, tokenStories } from '../support/common-stories.ts'
import { contract } from '../support/contract.ts'
import { PASSWORD } from '../support/world.ts'

const common = commonStories(
  'cancelAccountDeletion',
  async (world) => ({ token: await (await world.person()).token() }),
  'store',
)

contract('cancelAccountDeletion', {
  200: {
    'a deletion that was asked for': async (send, world, t) => {
      const person = await world.person()
      const json = { password: PASSWORD }
      await world.send('requestAccountDeletion')({ json, token: await person.token() })
      const token = await person.token()
      const received = await send({ token })
      const { body } = await world.send('getProfile')({ token })
      t.equal(body.data.user.deletion_due_at, null)
      await send({ token })
      const { prisma } = world.service.database
      const where = { accountId: person.id, event: 'deletion_cancelled' }
      t.equal(await prisma.auditEvent.count({ where }), 1, 'what changes nothing is not recorded')
      return received
    },
    'no deletion': async (send, world) => send({ token: await (await world.person()).token() }),
  },
  400: common[400],
  ...tokenStories(),
  500: common[500],
  503: common[503],
})
