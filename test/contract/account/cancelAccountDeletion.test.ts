import { commonCases, tokenCases } from '../../support/cases/common-cases.ts'
import { contract } from '../../support/cases/contract.ts'
import { PASSWORD } from '../../support/service/world.ts'

const common = commonCases(
  'cancelAccountDeletion',
  async (world) => ({ token: await (await world.person()).token() }),
  'store',
)

contract('cancelAccountDeletion', {
  200: {
    'cancels a requested deletion and records it once': async (send, world, t) => {
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
      t.equal(await prisma.auditEvent.count({ where }), 1, 'a request without effect is not recorded')
      return received
    },
    'succeeds without a requested deletion': async (send, world) =>
      send({ token: await (await world.person()).token() }),
  },
  400: common[400],
  ...tokenCases(),
  500: common[500],
  503: common[503],
})
