// What is taken as an image or a document, by its bytes, and what is kept of it.
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { deflateSync } from 'node:zlib'
import sharp, { type Metadata } from 'sharp'
import t from 'tap'
import { contentReader } from '../../src/adapters/files/contents.ts'
import { image, PDF, photoWithPlace, upload } from '../support/files.ts'

const MEGABYTE = 1024 * 1024
const read = contentReader()

/** From a file, as the service does: it lets nothing be decoded in another way. */
async function about(bytes: Uint8Array): Promise<Metadata> {
  const { path } = await upload(bytes)
  return sharp(path).metadata()
}

for (const format of ['jpeg', 'png', 'webp'] as const) {
  void t.test(`a ${format} image stays one`, async (t) => {
    const content = await read(await upload(await image(format)), 'image')
    t.match(content, { type: `image/${format}` })
    if (typeof content === 'string') return
    const kept = await readFile(content.path)
    t.equal(content.bytes, kept.length)
    t.match(await about(kept), { format, width: 60, height: 40 })
  })

  void t.test(`a ${format} image that ends too early`, async (t) => {
    const whole = await image(format, 400, 400)
    for (const share of [0.3, 0.6, 0.9]) {
      const cut = whole.subarray(0, Math.floor(whole.length * share))
      t.equal(await read(await upload(cut), 'image'), 'file_unreadable', `${share}`)
    }
  })
}

void t.test('a photo loses where it was taken, and stands upright', async (t) => {
  const photo = await photoWithPlace()
  t.match(photo.toString('latin1'), 'SECRETCAMERA')
  t.match(await about(photo), { width: 60, height: 40, orientation: 6 })
  const content = await read(await upload(photo), 'image')
  if (typeof content === 'string') throw new Error(content)
  const kept = await readFile(content.path)
  const { exif, icc, iptc, xmp, orientation, width, height } = await about(kept)
  t.same({ exif, icc, iptc, xmp, orientation }, {})
  t.same({ width, height }, { width: 40, height: 60 })
  t.notMatch(kept.toString('latin1'), /SECRETCAMERA|Exif|GPS/)
})

void t.test('what is hidden behind an image is not kept', async (t) => {
  const content = await read(
    await upload(Buffer.concat([await image(), Buffer.from('<script>alert(1)</script>')])),
    'image',
  )
  if (typeof content === 'string') throw new Error(content)
  t.notMatch((await readFile(content.path)).toString('latin1'), 'script')
})

void t.test('an animation is one image', async (t) => {
  const frames = { width: 60, height: 160, channels: 3, pageHeight: 80 } as const
  const animated = await sharp(randomBytes(60 * 160 * 3), { raw: frames })
    .webp({ loop: 0 })
    .toBuffer()
  t.equal((await about(animated)).pages, 2)
  const content = await read(await upload(animated), 'image')
  if (typeof content === 'string') throw new Error(content)
  t.match(await sharp(content.path).metadata(), { pages: undefined, height: 80 })
})

void t.test('a PDF is a document and stays as it is', async (t) => {
  const pdf = await upload(PDF)
  t.same(await read(pdf, 'document'), { ...pdf, type: 'application/pdf' })
  t.equal(await read(pdf, 'image'), 'file_type_not_allowed')
  t.match(await read(await upload(await image()), 'document'), { type: 'image/jpeg' })
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
  'a PDF that begins with something else': Buffer.concat([Buffer.from('<script>'), PDF]),
}

for (const [title, bytes] of Object.entries(others)) {
  void t.test(`${title} is refused`, async (t) => {
    for (const accepted of ['image', 'document'] as const)
      t.equal(await read(await upload(Buffer.from(bytes)), accepted), 'file_type_not_allowed')
  })
}

void t.test('an animated PNG is refused', async (t) => {
  const png = await image('png')
  const control = Buffer.concat([Buffer.from('\0\0\0\x08acTL', 'latin1'), Buffer.alloc(12)])
  t.equal(
    await read(await upload(Buffer.concat([png.subarray(0, 33), control, png.subarray(33)])), 'image'),
    'file_type_not_allowed',
  )
})

/** A PNG that says it is so large; its pixels compress to almost nothing. */
function bomb(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(data.length)
    frame.writeUInt32BE(crc32(body), 4)
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header.set([8, 0], 8)
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  const pixels = deflateSync(Buffer.alloc(20 * MEGABYTE))
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
}

function crc32(bytes: Buffer): number {
  let crc = ~0
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return ~crc >>> 0
}

void t.test('a decompression bomb costs nothing', async (t) => {
  await read(await upload(await image('png')), 'image') // loads what is loaded once
  const bytes = await upload(bomb(65_000, 65_000))
  const beforeBytes = process.memoryUsage().rss
  const startMs = performance.now()
  t.equal(await read(bytes, 'image'), 'image_too_large')
  t.ok(performance.now() - startMs < 100, `${performance.now() - startMs} ms`)
  t.ok(process.memoryUsage().rss - beforeBytes < 20 * MEGABYTE)
})

void t.test('as many pixels as are allowed, and one row more', async (t) => {
  const plain = (height: number): Promise<Buffer> =>
    sharp({ create: { width: 5000, height, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
  t.match(await read(await upload(await plain(5000)), 'image'), { type: 'image/png' })
  t.equal(await read(await upload(await plain(5001)), 'image'), 'image_too_large')
})

void t.test('more images than can wait are told to come again', async (t) => {
  const file = await upload(await image('jpeg', 300, 300))
  const others = await Promise.all(Array.from({ length: 120 }, async () => upload(await readFile(file.path))))
  const outcomes = await Promise.allSettled(others.map((each) => contentsOf(each)))
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
  t.ok(refused.length > 0 && refused.length < 30, `${refused.length} refused`)
  t.ok(refused.every(({ reason }) => (reason as { code: string }).code === 'overloaded'))
})

const contentsOf = (each: Awaited<ReturnType<typeof upload>>): Promise<unknown> => read(each, 'image')
