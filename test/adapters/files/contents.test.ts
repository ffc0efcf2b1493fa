// Recognition of images and documents by their bytes, and the data that is stored of them.
import { existsSync } from 'node:fs'
import { readFile, symlink } from 'node:fs/promises'
import sharp, { type Metadata } from 'sharp'
import t from 'tap'
import { LIMITS } from '../../../generated/limits.ts'
import { createContentReader, type ReadContent } from '../../../src/adapters/files/contents.ts'
import type { Upload } from '../../../src/domain/files/file.ts'
import { image, PDF, photoWithLocation, upload } from '../../support/files/files.ts'

const readContent = createContentReader()
const read = (given: Upload, accepted: 'image' | 'document', accountId = 1): ReturnType<ReadContent> =>
  readContent(given, accepted, accountId)

const about = (bytes: Uint8Array): Promise<Metadata> => sharp(bytes).metadata()

async function kept(bytes: Uint8Array): Promise<Buffer> {
  const content = await read(await upload(bytes), 'image')
  if (typeof content === 'string') throw new Error(content)
  return readFile(content.path)
}

const becomes = { jpeg: 'jpeg', png: 'png', webp: 'jpeg' } as const

for (const format of ['jpeg', 'png', 'webp'] as const) {
  void t.test(`converts a ${format} image to a new ${becomes[format]}`, async (t) => {
    const content = await read(await upload(await image(format)), 'image')
    t.match(content, { type: `image/${becomes[format]}` })
    if (typeof content === 'string') return
    const bytes = await readFile(content.path)
    t.equal(content.bytes, bytes.length)
    t.match(await about(bytes), { format: becomes[format], width: 60, height: 40 })
  })

  void t.test(`rejects a truncated ${format} image`, async (t) => {
    const whole = await image(format, 400, 400)
    for (const share of [0.3, 0.6, 0.9]) {
      const cut = whole.subarray(0, Math.floor(whole.length * share))
      t.equal(await read(await upload(cut), 'image'), 'file_unreadable', `${share}`)
    }
  })
}

void t.test('converts a JPEG without an end marker only if its pixels are complete', async (t) => {
  const whole = await image('jpeg', 400, 400)
  t.match(await read(await upload(whole.subarray(0, -2)), 'image'), { type: 'image/jpeg' })
  t.equal(await read(await upload(whole.subarray(0, -4)), 'image'), 'file_unreadable')
})

void t.test('preserves the alpha channel of a WebP', async (t) => {
  const background = { r: 200, g: 0, b: 0, alpha: 0.5 }
  for (const lossless of [true, false]) {
    const bytes = await sharp({ create: { width: 60, height: 40, channels: 4, background } })
      .webp({ lossless })
      .toBuffer()
    t.match(await about(await kept(bytes)), { format: 'png', hasAlpha: true, width: 60, height: 40 })
  }
})

void t.test('removes the location of a photo and rotates it upright', async (t) => {
  const photo = await photoWithLocation()
  t.match(photo.toString('latin1'), 'SECRETCAMERA')
  t.match(await about(photo), { width: 60, height: 40, orientation: 6 })
  const bytes = await kept(photo)
  const { exif, icc, iptc, xmp, orientation, width, height } = await about(bytes)
  t.same({ exif, icc, iptc, xmp, orientation }, {})
  t.same({ width, height }, { width: 40, height: 60 })
  t.notMatch(bytes.toString('latin1'), /SECRETCAMERA|Exif|GPS/)
})

void t.test('removes data appended to an image', async (t) => {
  for (const format of ['jpeg', 'png'] as const) {
    const bytes = await kept(Buffer.concat([await image(format), Buffer.from('<script>alert(1)</script>')]))
    t.notMatch(bytes.toString('latin1'), 'script', format)
  }
})

void t.test('accepts a PDF as a document and stores it unchanged', async (t) => {
  const pdf = await upload(PDF)
  t.same(await read(pdf, 'document'), { ...pdf, type: 'application/pdf' })
  t.equal(await read(pdf, 'image'), 'file_type_not_allowed')
  t.match(await read(await upload(await image()), 'document'), { type: 'image/jpeg' })
})

void t.test('rejects a truncated PDF', async (t) => {
  for (const cut of [Buffer.from('%PDF-'), PDF.subarray(0, -10), Buffer.concat([PDF, Buffer.alloc(1024)])])
    t.equal(await read(await upload(cut), 'document'), 'file_unreadable', `${cut.length}`)
  const signed = Buffer.concat([PDF, Buffer.alloc(1000)]) // some programs append data
  t.match(await read(await upload(signed), 'document'), { type: 'application/pdf' })
})

const others: Record<string, string | Buffer> = {
  nothing: ' ',
  text: 'hello',
  HTML: '<!doctype html><script>alert(1)</script>',
  SVG: '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
  'SVG as XML': '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>',
  GIF: Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1'),
  TIFF: Buffer.from('II*\0\x08\0\0\0', 'latin1'),
  ZIP: Buffer.from('PK\x03\x04', 'latin1'),
  'a PDF in another file': Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), PDF]),
}

for (const [title, bytes] of Object.entries(others)) {
  void t.test(`rejects ${title}`, async (t) => {
    for (const accepted of ['image', 'document'] as const)
      t.equal(await read(await upload(Buffer.from(bytes)), accepted), 'file_type_not_allowed')
  })
}

void t.test('returns Retry-After when the queue of images is full', async (t) => {
  const file = await upload(await image('jpeg', 300, 300))
  const others = await Promise.all(Array.from({ length: 120 }, async () => upload(await readFile(file.path))))
  const outcomes = await Promise.allSettled(others.map((each, accountId) => read(each, 'image', accountId)))
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
  t.ok(refused.length > 0 && refused.length < 30, `${refused.length} refused`)
  t.ok(refused.every(({ reason }) => (reason as { code: string }).code === 'overloaded'))
})

void t.test('reserves room in the queue for other accounts', async (t) => {
  const file = await upload(await image('jpeg', 300, 300))
  const many = await Promise.all(Array.from({ length: 60 }, async () => upload(await readFile(file.path))))
  const order: string[] = []
  const own = Promise.allSettled(many.map((each) => contentsOf(each).then(() => order.push('own'))))
  await read(await upload(await image()), 'image', 2).then(() => order.push('other'))
  t.ok(
    order.indexOf('other') <= 2,
    'served after the running image and at most one more that began while its type was read',
  )
  const refused = (await own).filter((outcome) => outcome.status === 'rejected')
  t.equal(refused.length, 60 - 1 - LIMITS.queues.images_per_account)
  t.ok(refused.every(({ reason }) => (reason as { code: string }).code === 'overloaded'))
})

void t.test('drops queued images of disconnected clients', async (t) => {
  const client = new AbortController()
  const first = contentsOf(await upload(await image('jpeg', 300, 300)))
  const left = { ...(await upload(await image())), abandoned: client.signal }
  const waiting = contentsOf(left)
  client.abort()
  await t.rejects(waiting, { code: 'malformed_request' })
  t.notOk(existsSync(`${left.path}.new`))
  t.match(await first, { type: 'image/jpeg' })
})

void t.test('reports a full disk as storage_unavailable', { skip: !existsSync('/dev/full') }, async (t) => {
  for (const format of ['jpeg', 'png', 'webp'] as const) {
    const file = await upload(await image(format))
    await symlink('/dev/full', `${file.path}.new`)
    await t.rejects(read(file, 'image'), { code: 'storage_unavailable' }, format)
  }
})

const contentsOf = (each: Awaited<ReturnType<typeof upload>>): Promise<unknown> => read(each, 'image')
