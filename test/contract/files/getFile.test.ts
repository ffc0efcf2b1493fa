import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { FILE_KINDS, isConfidential, type FileKind } from '../../../src/domain/files/file.ts'
import { eventsOf, newLawyer, userPath } from '../../support/cases/administration.ts'
import { commonCases, tokenCases } from '../../support/cases/common-cases.ts'
import { contract, type Case } from '../../support/cases/contract.ts'
import { giveFile, image, PDF, storedKeys } from '../../support/files/files.ts'
import type { Sent } from '../../support/service/sender.ts'
import type { Person, World } from '../../support/service/world.ts'

const MINUTE_MS = 60_000
const KINDS = Object.keys(FILE_KINDS) as FileKind[]
const CONFIDENTIAL = KINDS.filter(isConfidential)
const at = (file_id: string): Sent => ({ path: { file_id } })

type Linked = { path: { file_id: string }; query: Record<string, string> }

/** Returns a request for a file by its signed link, as in a profile. */
function linked({ service }: World, id: string, kind: FileKind, sessionId: string = randomUUID()): Linked {
  return followed(service.app.context.fileLinks.linkTo({ id, kind }, sessionId))
}

function followed(link: unknown): Linked {
  const { pathname, searchParams } = new URL(String(link), 'http://x')
  return { path: { file_id: pathname.split('/').at(-1) ?? '' }, query: Object.fromEntries(searchParams) }
}

/** A lawyer with an image of a national ID, and the link to it that their session has received */
async function linkedDocument(world: World): Promise<{ owner: Person; token: string; file: string; sent: Linked }> {
  const owner = await newLawyer(world)
  const file = await giveFile(world, owner.id, 'national_id_image', await image())
  const token = await owner.token()
  const { body } = await world.send('getProfile')({ token })
  return { owner, token, file, sent: followed(body.data.user.national_id_image) }
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
        const received = await send(followed(profile.body.data.user.profile_photo))
        t.match(received.headers, {
          'content-type': 'image/png',
          'content-disposition': 'inline; filename="profile_photo.png"',
          'cache-control': 'private, max-age=300',
          'x-content-type-options': 'nosniff',
        })
        return received
      },
      'returns a public file by its link to any session, also an older one, and records no read': async (
        send,
        world,
        t,
      ) => {
        const [owner, other] = [await world.person(), await world.person()]
        const file = await giveFile(world, owner.id, 'profile_photo', await image())
        const token = await other.token()
        world.wait(20 * MINUTE_MS)
        const received = await send({ ...linked(world, file, 'profile_photo'), token })
        t.equal((await eventsOf(world, owner.id)).filter(({ event }) => event === 'document_read').length, 0)
        return received
      },
      'records a read of a public file by an administrator, but not by its owner': async (send, world, t) => {
        const [owner, admin] = [await world.person(), await world.person({ isAdmin: true })]
        const file = await giveFile(world, owner.id, 'profile_photo', await image())
        const reads = async (): Promise<unknown[]> =>
          (await eventsOf(world, owner.id)).filter(({ event }) => event === 'document_read')
        await send({ ...at(file), token: await owner.token() })
        t.same(await reads(), [])
        const received = await send({ ...at(file), token: await admin.token() })
        t.match(await reads(), [{ actorId: admin.id, subject: 'profile_photo' }])
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
      'returns a confidential image by the link of an active session, and records it': async (send, world, t) => {
        const { owner, sent } = await linkedDocument(world)
        const received = await send(sent)
        t.equal(received.headers['cache-control'], 'no-store')
        const reads = (await eventsOf(world, owner.id)).filter(({ event }) => event === 'document_read')
        t.match(reads, [{ actorId: null, subject: 'national_id_image' }])
        return received
      },
      'returns a confidential image by the link of an administrator': async (send, world, t) => {
        const { owner } = await linkedDocument(world)
        const admin = await world.person({ isAdmin: true })
        const { body } = await world.send('adminGetUser')({ token: await admin.token(), ...userPath(owner) })
        const received = await send(followed(body.data.user.national_id_image))
        const reads = (await eventsOf(world, owner.id)).filter(({ event }) => event === 'document_read')
        t.match(reads, [{ actorId: admin.id }])
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
    403: Object.fromEntries(
      KINDS.map((kind) => [
        `rejects an administrator without recent authentication who reads ${kind} of another user`,
        async (send, world, t) => {
          const { id } = await world.person()
          const admin = await world.person({ isAdmin: true })
          const token = await admin.token()
          const sent = { ...at(await giveFile(world, id, kind, await image())), token }
          world.wait(14 * MINUTE_MS)
          t.equal((await send(sent)).status, 200)
          world.wait(2 * MINUTE_MS)
          const received = await send(sent)
          t.equal(received.headers['error-code'], 'reauthentication_required')
          t.match(received.headers['www-authenticate'], 'max_age="900"')
          return received
        },
      ]),
    ),
    404: {
      'rejects the link to a confidential file after the end of its session': async (send, world, t) => {
        const { token, sent } = await linkedDocument(world)
        t.equal((await send(sent)).status, 200)
        await world.send('logout')({ token })
        return send(sent)
      },
      'rejects the link to a confidential file of a suspended account': async (send, world) => {
        const { owner, sent } = await linkedDocument(world)
        await world.service.database.prisma.account.update({ where: { id: owner.id }, data: { status: 'suspended' } })
        return send(sent)
      },
      'rejects the link of an administrator who has lost the privileges': async (send, world, t) => {
        const { owner } = await linkedDocument(world)
        const admin = await world.person({ isAdmin: true })
        const { body } = await world.send('adminGetUser')({ token: await admin.token(), ...userPath(owner) })
        const sent = followed(body.data.user.national_id_image)
        t.equal((await send(sent)).status, 200)
        await world.service.database.prisma.account.update({ where: { id: admin.id }, data: { isAdmin: false } })
        return send(sent)
      },
      'rejects the link to a confidential file with another session': sends(async (world) => {
        const { owner, sent } = await linkedDocument(world)
        await owner.token()
        const sessions = await world.service.database.prisma.session.findMany({ where: { accountId: owner.id } })
        const other = sessions.find(({ id }) => id !== sent.query['session'])
        return { ...sent, query: { ...sent.query, session: other?.id ?? '' } }
      }),
      'rejects the link to a confidential file without its session': sends(async (world) => {
        const { sent } = await linkedDocument(world)
        const { session: _session, ...query } = sent.query
        return { ...sent, query }
      }),
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
      'rejects the link of any other session to a confidential file': async (send, world) => {
        const { id } = await world.person()
        for (const kind of CONFIDENTIAL.slice(1)) await send(linked(world, await giveFile(world, id, kind, PDF), kind))
        return send(linked(world, await giveFile(world, id, 'national_id_image', await image()), 'national_id_image'))
      },
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
