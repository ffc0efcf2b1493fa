import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { FileKind } from '../../../src/domain/files/file.ts'
import { commonCases, tokenCases } from '../../support/cases/common-cases.ts'
import { contract, type Case } from '../../support/cases/contract.ts'
import { giveFile, image, PDF, storedKeys } from '../../support/files/files.ts'
import type { Sent } from '../../support/service/sender.ts'
import type { World } from '../../support/service/world.ts'

const MINUTE_MS = 60_000
const at = (file_id: string): Sent => ({ path: { file_id } })

/** Returns a request for a file by its signed link, as in a profile. */
function linked(
  { service }: World,
  id: string,
  kind: FileKind,
): { path: { file_id: string }; query: Record<string, string> } {
  const link = service.app.context.fileLinks.linkTo({ id, kind })
  return { path: { file_id: id }, query: Object.fromEntries(new URL(link, 'http://x').searchParams) }
}

const common = commonCases(
  'getFile',
  async (world) => {
    const { id, token } = await world.person()
    return { ...at(await giveFile(world, id, 'logo', await image())), token: await token() }
  },
  'files',
)

const sends =
  (sentFor: (world: World) => Promise<Sent>): Case =>
  async (send, world) =>
    send(await sentFor(world))

contract(
  'getFile',
  {
    200: {
      'returns an image by its link in a profile': async (send, world, t) => {
        const { id, token } = await world.person()
        await giveFile(world, id, 'profile_photo', await image('png'))
        const profile = await world.send('getProfile')({ token: await token() })
        const { pathname, searchParams } = new URL(String(profile.body.data.user.profile_photo), 'http://x')
        const received = await send({
          path: { file_id: pathname.split('/').at(-1) ?? '' },
          query: Object.fromEntries(searchParams),
        })
        t.match(received.headers, {
          'content-type': 'image/png',
          'content-disposition': 'inline; filename="profile_photo.png"',
          'cache-control': 'private, max-age=300',
          'x-content-type-options': 'nosniff',
        })
        return received
      },
      'returns a document by the token of its owner': async (send, world, t) => {
        const { id, token } = await world.person()
        const file = await giveFile(world, id, 'cv_file', PDF)
        const received = await send({ ...at(file), token: await token() })
        t.same(received.body, PDF)
        t.match(received.headers, {
          'content-type': 'application/pdf',
          'content-disposition': 'attachment; filename="cv_file.pdf"',
        })
        return received
      },
      'returns and records each read of a national ID image': async (send, world, t) => {
        const owner = await world.person()
        const admin = await world.person({ isAdmin: true })
        const file = await giveFile(world, owner.id, 'national_id_image', await image('webp'))
        const first = await send({ ...at(file), token: await owner.token() })
        const received = await send({ ...at(file), token: await admin.token() })
        t.equal(first.status, 200)
        t.equal(received.headers['cache-control'], 'no-store')
        const events = await world.service.database.prisma.auditEvent.findMany({
          where: { event: 'document_read', accountId: owner.id, subject: 'national_id_image' },
          orderBy: { id: 'asc' },
        })
        t.same(
          events.map(({ actorId }) => actorId),
          [null, admin.id],
        )
        return received
      },
      'accepts a link for several minutes': async (send, world) => {
        const { id } = await world.person()
        const sent = linked(world, await giveFile(world, id, 'logo', await image()), 'logo')
        world.wait(9 * MINUTE_MS)
        return send(sent)
      },
    },
    400: common[400],
    ...tokenCases(async (world, { id }) => at(await giveFile(world, id, 'logo', await image()))),
    404: {
      'rejects an unknown file ID': sends(async (world) => ({
        ...at(randomUUID()),
        token: await (await world.person()).token(),
      })),
      'rejects an expired link': async (send, world) => {
        const { id } = await world.person()
        const sent = linked(world, await giveFile(world, id, 'logo', await image()), 'logo')
        world.wait(16 * MINUTE_MS)
        return send(sent)
      },
      'rejects a link with a changed expiry': sends(async (world) => {
        const { id } = await world.person()
        const { path, query } = linked(world, await giveFile(world, id, 'logo', await image()), 'logo')
        return { path, query: { ...query, expires: Number(query['expires']) + 1 } }
      }),
      'rejects the link of another file': sends(async (world) => {
        const { id } = await world.person()
        const { query } = linked(world, await giveFile(world, id, 'logo', await image()), 'logo')
        return { path: { file_id: await giveFile(world, id, 'profile_photo', await image()) }, query }
      }),
      'rejects a file of another user': sends(async (world) => {
        const { id } = await world.person()
        const file = await giveFile(world, id, 'cv_file', PDF)
        return { ...at(file), token: await (await world.person()).token() }
      }),
      'rejects a link to a national ID image': sends(async (world) => {
        const { id } = await world.person()
        return linked(world, await giveFile(world, id, 'national_id_image', await image()), 'logo')
      }),
      'rejects a link to a national ID image with the token of another user': sends(async (world) => {
        const { id } = await world.person()
        const sent = linked(world, await giveFile(world, id, 'national_id_image', await image()), 'logo')
        return { ...sent, token: await (await world.person()).token() }
      }),
      'rejects a replaced file': async (send, world, t) => {
        const { id } = await world.person()
        const sent = linked(world, await giveFile(world, id, 'logo', await image()), 'logo')
        t.equal((await send(sent)).status, 200)
        await giveFile(world, id, 'logo', await image())
        return send(sent)
      },
      'rejects a file that the storage has lost': async (send, world) => {
        const { id } = await world.person()
        const before = new Set(await storedKeys(world))
        const sent = linked(world, await giveFile(world, id, 'logo', await image()), 'logo')
        const { files } = world.service.config
        for (const key of await storedKeys(world))
          if (!before.has(key) && 'directory' in files) rmSync(join(files.directory, key))
        return send(sent)
      },
    },
    422: {
      'rejects an invalid file ID': async (send, world, t) => {
        const received = await send({ ...at('1'), token: await (await world.person()).token() })
        t.same(received.body.data.codes, { file_id: ['wrong_format'] })
        return received
      },
    },
    500: common[500],
    503: common[503],
  },
  at(randomUUID()),
)
