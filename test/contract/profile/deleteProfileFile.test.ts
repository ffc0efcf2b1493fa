import { commonCases, tokenCases } from '../../support/cases/common-cases.ts'
import { contract } from '../../support/cases/contract.ts'
import { giveFile, image, PDF, storedKeys } from '../../support/files/files.ts'

const path = { kind: 'cv_file' }
const common = commonCases(
  'deleteProfileFile',
  async (world) => ({ path, token: await (await world.person()).token() }),
  'store',
)

contract(
  'deleteProfileFile',
  {
    200: {
      'deletes a file, and succeeds again without it': async (send, world, t) => {
        const { id, token } = await world.person()
        await giveFile(world, id, 'logo', await image())
        const before = await storedKeys(world)
        await giveFile(world, id, 'cv_file', PDF)
        const own = { token: await token() }
        t.equal((await send(own)).status, 200)
        t.same((await storedKeys(world)).sort(), before.sort(), 'only its bytes are deleted')
        const { prisma } = world.service.database
        t.same(await prisma.file.findMany({ where: { accountId: id }, select: { kind: true } }), [{ kind: 'logo' }])
        t.equal(await prisma.auditEvent.count({ where: { accountId: id, event: 'file_deleted' } }), 1)
        t.match(await prisma.event.findMany({ where: { accountId: id } }), [
          { type: 'profile.updated', data: { account_id: id, account_type: 'client', review_status: null } },
        ])
        return send(own)
      },
      'does not delete the file of another user': async (send, world, t) => {
        const other = await world.person()
        await giveFile(world, other.id, 'cv_file', PDF)
        const received = await send({ token: await (await world.person()).token() })
        t.equal(await world.service.database.prisma.file.count({ where: { accountId: other.id } }), 1)
        return received
      },
    },
    400: common[400],
    422: {
      'rejects a required kind of file': async (send, world, t) => {
        const token = await (await world.person()).token()
        for (const kind of ['national_id_image', 'degree_certificate', 'company_license_file'])
          t.same((await send({ path: { kind }, token })).body.data.codes, { kind: ['not_allowed'] })
        return send({ path: { kind: 'anything' }, token })
      },
    },
    ...tokenCases(),
    500: common[500],
    503: common[503],
  },
  { path },
)
