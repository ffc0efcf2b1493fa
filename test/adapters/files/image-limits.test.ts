// Images whose files are small, but expensive to decode.
import { randomBytes } from 'node:crypto'
import sharp, { type Sharp } from 'sharp'
import t from 'tap'
import { createContentReader } from '../../../src/adapters/files/contents.ts'
import { image, upload } from '../../support/files/files.ts'
import {
  greyPng,
  grownPng,
  grownJpeg,
  grownWebp,
  webp,
  webpChunk,
  webpHeader,
  webpImage,
} from '../../support/files/image-bytes.ts'

const read = createContentReader()
const judge = async (bytes: Uint8Array): Promise<unknown> => read(await upload(bytes), 'image', 1)

function plain(width = 60, height = 40): Sharp {
  return sharp({ create: { width, height, channels: 3, background: 'red' } })
}

void t.test('accepts the maximum number of pixels and rejects one more row', async (t) => {
  t.match(await judge(await plain(5000, 5000).png({ compressionLevel: 1 }).toBuffer()), { type: 'image/png' })
  t.equal(await judge(greyPng(5000, 5001)), 'image_too_large')
})

void t.test('accepts the maximum side length and rejects longer sides', async (t) => {
  t.match(await judge(greyPng(10_000, 1)), { type: 'image/png' })
  t.match(await judge(greyPng(1, 10_000)), { type: 'image/png' })
  t.equal(await judge(greyPng(10_001, 1)), 'image_too_large')
  t.equal(await judge(greyPng(1, 10_001)), 'image_too_large')
})

void t.test('rejects images that declare a huge size', async (t) => {
  t.equal(await judge(greyPng(65_000, 65_000)), 'image_too_large')
  t.equal(await judge(greyPng(2 ** 31 - 1, 2 ** 31 - 1)), 'image_too_large')
  t.equal(await judge(greyPng(0, 0)), 'file_unreadable')
  t.equal(await judge(grownJpeg(await image(), 65_500, 65_500)), 'image_too_large')
  t.equal(await judge(grownWebp(await plain().webp({ lossless: true }).toBuffer(), 16_000, 1600)), 'image_too_large')
})

void t.test('accepts a photo of a phone', async (t) => {
  for (const progressive of [false, true])
    t.match(
      await judge(await plain(4032, 3024).jpeg({ progressive }).withMetadata({ orientation: 6 }).toBuffer()),
      { type: 'image/jpeg' },
      `${progressive}`,
    )
})

void t.test('accepts a rotated image of 25 megapixels', async (t) => {
  t.match(await judge(await plain(5000, 5000).jpeg().withMetadata({ orientation: 6 }).toBuffer()), {
    type: 'image/jpeg',
  })
})

/** Some declare a larger size than they have: a rejected image is never decoded. */
const expensive: Record<string, () => Promise<Buffer>> = {
  'a progressive JPEG with all colours': async () =>
    grownJpeg(await plain().jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer(), 5000, 5000),
  'a rotated progressive JPEG': async () =>
    grownJpeg(await plain().jpeg({ progressive: true }).withMetadata({ orientation: 3 }).toBuffer(), 5000, 4000),
  'an interlaced PNG': async () =>
    grownPng(await plain().ensureAlpha().png({ progressive: true }).toBuffer(), 5000, 5000),
  'a rotated PNG of 16 bits': async () =>
    grownPng(await plain().toColourspace('rgb16').png().withMetadata({ orientation: 8 }).toBuffer(), 5000, 2000),
  'a WebP': async () => grownWebp(await plain().webp().toBuffer(), 5000, 2200),
  'a rotated WebP': async () => grownWebp(await plain().webp().withMetadata({ orientation: 6 }).toBuffer(), 5000, 1600),
}

for (const [title, made] of Object.entries(expensive)) {
  void t.test(`rejects ${title} with more megapixels than fit into memory`, async (t) => {
    t.equal(await judge(await made()), 'image_too_large')
  })
}

void t.test('accepts an interlaced PNG and a WebP of a few megapixels', async (t) => {
  t.match(await judge(await plain(2000, 2000).png({ progressive: true, compressionLevel: 1 }).toBuffer()), {
    type: 'image/png',
  })
  t.match(await judge(await plain(3650, 2740).webp({ effort: 0 }).toBuffer()), { type: 'image/jpeg' })
})

void t.test('rejects an animated WebP', async (t) => {
  const frames = { width: 60, height: 160, channels: 3, pageHeight: 80 } as const
  const animated = await sharp(randomBytes(60 * 160 * 3), { raw: frames })
    .webp({ loop: 0 })
    .toBuffer()
  t.equal(await judge(animated), 'file_type_not_allowed')
  const pixels = await webpImage(60, 80)
  t.equal(await judge(webp([webpHeader(0x02, 60, 80), pixels])), 'file_type_not_allowed')
  t.equal(await judge(webp([webpHeader(0, 60, 80), webpChunk('ANMF', pixels)])), 'file_type_not_allowed')
})
