// Files for stories: images that are made, and files of people.
import { randomUUID } from 'node:crypto'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import type { Test } from 'tap'
import type { FileKind } from '../../src/domain/file.ts'
import type { Upload } from '../../src/domain/upload.ts'
import { MARKER } from '../../src/adapters/files/keys.ts'
import { replaceFiles } from '../../src/store/files.ts'
import { temporaryFolder } from './process.ts'
import type { World } from './world.ts'

type Format = 'jpeg' | 'png' | 'webp'

const NOISE = { type: 'gaussian', mean: 128, sigma: 30 } as const

export const PDF = Buffer.from('%PDF-1.4\n1 0 obj\n<< >>\nendobj\ntrailer\n<< >>\n%%EOF\n')

/** An image that does not compress to nothing. */
export function image(format: Format = 'jpeg', width = 60, height = 40): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: 'red', noise: NOISE } })
    .toFormat(format)
    .toBuffer()
}

/** A photo that says where it was taken, and that lies on its side. */
export function photoWithPlace(): Promise<Buffer> {
  const place = { GPSLatitude: '24/1 42/1 49/1', GPSLatitudeRef: 'N', GPSLongitude: '46/1 40/1 31/1' }
  return sharp({ create: { width: 60, height: 40, channels: 3, background: 'red', noise: NOISE } })
    .jpeg()
    .withMetadata({ orientation: 6, exif: { IFD0: { Make: 'SECRETCAMERA' }, IFD3: place } })
    .toBuffer()
}

const folder = temporaryFolder()

export async function upload(bytes: Uint8Array): Promise<Upload> {
  const path = join(folder, randomUUID())
  await writeFile(path, bytes)
  return { path, bytes: bytes.length }
}

/** Gives somebody a file, as an update of the profile does; resolves to its id. */
export async function giveFile(
  { service }: World,
  accountId: number,
  kind: FileKind,
  bytes: Uint8Array,
): Promise<string> {
  const { files } = service.app.context
  const { prisma } = service.database
  const { ready, wrong } = await files.read({ [kind]: await upload(bytes) }, accountId)
  if (ready.length === 0) throw new Error(JSON.stringify(wrong))
  await files.keep(ready, (kept) =>
    prisma.$transaction(async (transaction) => {
      await transaction.$queryRaw`SELECT id FROM accounts WHERE id = ${accountId} FOR UPDATE` // as an update holds it
      return replaceFiles(transaction, accountId, kept)
    }),
  )
  const { id } = await prisma.file.findUniqueOrThrow({ where: { accountId_kind: { accountId, kind } } })
  return id
}

/** The keys that lie in the storage of the service, after clean-up that still runs. */
export async function storedKeys({ service }: World): Promise<string[]> {
  const { files } = service.config
  await service.app.context.background.settle()
  return 'folder' in files ? (await readdir(files.folder)).filter((name) => name !== MARKER) : []
}

async function keysOfRows({ service }: World): Promise<string[]> {
  const rows = await service.database.prisma.file.findMany({ select: { key: true } })
  return rows.map(({ key }) => key).sort()
}

export async function storageHasTheRows(t: Test, world: World): Promise<void> {
  t.same(
    (await storedKeys(world)).sort(),
    await keysOfRows(world),
    'the storage holds what has a row, and nothing else',
  )
}
