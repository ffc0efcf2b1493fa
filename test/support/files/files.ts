// Files for tests: generated images, and stored files of users.
import { randomBytes, randomUUID } from 'node:crypto'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import type { Test } from 'tap'
import type { PrismaClient } from '../../../generated/prisma/client.ts'
import { MARKER } from '../../../src/adapters/files/storage.ts'
import type { FileKind, FileObject, Upload } from '../../../src/domain/files/file.ts'
import { temporaryFolder } from '../processes/process.ts'
import type { World } from '../service/world.ts'

type Format = 'jpeg' | 'png' | 'webp'

const NOISE = { type: 'gaussian', mean: 128, sigma: 30 } as const

export const PDF = Buffer.from('%PDF-1.4\n1 0 obj\n<< >>\nendobj\ntrailer\n<< >>\n%%EOF\n')

/** Generates random bytes. */
export function noise(bytes: number): Buffer {
  return randomBytes(bytes)
}

/** Generates an image of noise, which does not compress well. */
export function image(format: Format = 'jpeg', width = 60, height = 40): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: 'red', noise: NOISE } })
    .toFormat(format)
    .toBuffer()
}

/** Generates a rotated photo with location metadata. */
export function photoWithLocation(): Promise<Buffer> {
  const location = { GPSLatitude: '24/1 42/1 49/1', GPSLatitudeRef: 'N', GPSLongitude: '46/1 40/1 31/1' }
  return sharp({ create: { width: 60, height: 40, channels: 3, background: 'red', noise: NOISE } })
    .jpeg()
    .withMetadata({ orientation: 6, exif: { IFD0: { Make: 'SECRETCAMERA' }, IFD3: location } })
    .toBuffer()
}

export async function upload(bytes: Uint8Array): Promise<Upload> {
  const path = join(temporaryFolder(), randomUUID())
  await writeFile(path, bytes)
  return { path, bytes: bytes.length }
}

/** Stores a file of a user like a profile update. Returns the file ID. */
export async function giveFile(
  { service }: World,
  accountId: number,
  kind: FileKind,
  bytes: Uint8Array,
): Promise<string> {
  const { files } = service.app.context
  const { prisma } = service.database
  const { ready, fieldErrors } = await files.read({ [kind]: await upload(bytes) }, accountId)
  if (ready.length === 0) throw new Error(JSON.stringify(fieldErrors))
  await files.store(ready, (stored) => replaceRows(prisma, accountId, stored))
  const { id } = await prisma.file.findUniqueOrThrow({ where: { accountId_kind: { accountId, kind } } })
  return id
}

/** Replaces the rows of files of the same kinds, and returns the keys that are unused then. */
function replaceRows(
  prisma: PrismaClient,
  accountId: number,
  files: readonly FileObject[],
): Promise<readonly string[]> {
  const where = { accountId, kind: { in: files.map(({ kind }) => kind) } }
  return prisma.$transaction(async (change) => {
    const { file } = change
    await change.$executeRaw`SELECT FROM accounts WHERE id = ${accountId} FOR UPDATE` // as the service does
    const replaced = await file.findMany({ where })
    await file.deleteMany({ where })
    await file.createMany({ data: files.map((each) => ({ ...each, accountId })) })
    return replaced.map(({ key }) => key)
  })
}

/** Returns the keys in the storage of the service, after any running clean-up. */
export async function storedKeys({ service }: World): Promise<string[]> {
  const { files } = service.config
  await service.app.context.background.settle()
  return 'directory' in files ? (await readdir(files.directory)).filter((name) => name !== MARKER) : []
}

async function keysOfRows({ service }: World): Promise<string[]> {
  const rows = await service.database.prisma.file.findMany({ select: { key: true } })
  return rows.map(({ key }) => key).sort()
}

export async function storageHasTheRows(t: Test, world: World): Promise<void> {
  t.same(
    (await storedKeys(world)).sort(),
    await keysOfRows(world),
    'the storage contains exactly the files that have a row',
  )
}
