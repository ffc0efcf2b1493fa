// The parts of an image file that are passed to the decoder.
import sharp from 'sharp'
import t from 'tap'
import type { ReadImageFile } from '../../../src/adapters/files/images/image-file.ts'
import { readJpeg } from '../../../src/adapters/files/images/jpeg.ts'
import { readPng } from '../../../src/adapters/files/images/png.ts'
import { readWebp } from '../../../src/adapters/files/images/webp.ts'
import { image, photoWithLocation } from '../../support/files/files.ts'
import {
  greyPng,
  jpegSegment,
  jpegWith,
  packedText,
  PNG_SIGNATURE,
  pngChunk,
  webp,
  webpChunk,
  webpHeader,
  webpImage,
} from '../../support/files/image-bytes.ts'

/** Parses a copy, because the parsers overwrite the bytes of the file. */
function partsOf(read: ReadImageFile, bytes: Buffer): Buffer {
  const file = read(Buffer.from(bytes))
  if (typeof file === 'string') throw new Error(file)
  return file.bytes
}

const many = <Part>(count: number, part: Part): Part[] => Array<Part>(count).fill(part)

void t.test('keeps only the chunks of a PNG that define its pixels', (t) => {
  const small = greyPng(10, 10)
  const texts = many(100, packedText(100_000))
  const own = many(1000, pngChunk('prVt', Buffer.alloc(10)))
  t.same(partsOf(readPng, greyPng(10, 10, [...texts, ...own])), small)
  t.same(partsOf(readPng, Buffer.concat([small, Buffer.from('behind')])), small)
  const gamma = pngChunk('gAMA', Buffer.from([0, 0, 0xb1, 0x8f]))
  t.same(partsOf(readPng, greyPng(10, 10, many(3, gamma))), greyPng(10, 10, [gamma]), 'once')
  t.same(
    partsOf(readPng, greyPng(10, 10, [pngChunk('eXIf', Buffer.alloc(70_000))])),
    small,
    'metadata of any length is removed',
  )
  t.end()
})

void t.test('rejects broken PNG files', (t) => {
  const png = greyPng(10, 10)
  const lying = Buffer.from(png)
  lying.writeUInt32BE(0xffffffff, 33)
  t.equal(readPng(lying), 'file_unreadable', 'a chunk that is longer than the file')
  t.equal(readPng(png.subarray(0, -12)), 'file_unreadable', 'a missing end')
  t.equal(readPng(Buffer.from(PNG_SIGNATURE)), 'file_unreadable')
  t.equal(readPng(Buffer.concat([PNG_SIGNATURE, packedText(10), png.subarray(8)])), 'file_unreadable', 'a late header')
  t.equal(readPng(greyPng(10, 10, [png.subarray(8, 33)])), 'file_unreadable', 'two headers')
  t.equal(readPng(Buffer.concat([PNG_SIGNATURE, pngChunk('IHDR'), pngChunk('IEND')])), 'file_unreadable')
  t.equal(readPng(greyPng(10, 10, many(20_000, pngChunk('prVt')))), 'file_unreadable', 'too many chunks')
  t.equal(readPng(greyPng(10, 10, [pngChunk('acTL', Buffer.alloc(8))])), 'file_type_not_allowed', 'an animation')
  t.end()
})

void t.test('keeps only the segments of a JPEG that define its pixels', async (t) => {
  const jpeg = await image('jpeg')
  const own = partsOf(readJpeg, jpeg)
  t.same(own, jpeg)
  for (const marker of [0xfe, 0xe1, 0xe2, 0xed, 0xef])
    t.same(
      partsOf(readJpeg, jpegWith(jpeg, many(1000, jpegSegment(marker, Buffer.from('anything'))))),
      own,
      `${marker}`,
    )
  t.same(partsOf(readJpeg, Buffer.concat([jpeg, jpeg])), own)
  const profile = jpegSegment(0xe2, Buffer.concat([Buffer.from('ICC_PROFILE\0'), Buffer.alloc(60_000)]))
  t.equal(partsOf(readJpeg, jpegWith(jpeg, many(50, profile))).length, own.length + 16 * profile.length)
  const photo = await photoWithLocation()
  t.match(await sharp(partsOf(readJpeg, jpegWith(photo, [Buffer.alloc(9)]))).metadata(), { orientation: 6 })
})

void t.test('rejects broken JPEG files', async (t) => {
  const jpeg = await image('jpeg')
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
  const other = Buffer.from(jpeg)
  other.writeUInt8(0xc9, frame + 1)
  t.equal(readJpeg(other), 'file_unreadable', 'an arithmetic one')
  t.equal(readJpeg(jpegWith(jpeg, [jpeg.subarray(frame, frame + 19)])), 'file_unreadable', 'two frames')
  t.equal(
    readJpeg(jpegWith(jpeg, many(20_000, jpegSegment(0xfe, Buffer.alloc(0))))),
    'file_unreadable',
    'too many parts',
  )
  t.equal(readJpeg(Buffer.from([0xff, 0xd8, 0xff])), 'file_unreadable')
  t.equal(readJpeg(Buffer.from([0xff, 0xd8, 0xff, 0xd9])), 'file_unreadable')
  t.equal(readJpeg(Buffer.from([0xff, 0xd8, 0xff, 0xc0, 0, 0])), 'file_unreadable', 'a segment without a length')
  t.equal(readJpeg(Buffer.from([0xff, 0xd8, 0xff, 0xc0, 0, 4, 0, 0, 0xff, 0xd9])), 'file_unreadable', 'a short frame')
})

void t.test('adds the end marker that some cameras leave out', async (t) => {
  const jpeg = await image('jpeg')
  t.same(partsOf(readJpeg, Buffer.from(jpeg.subarray(0, -2))), jpeg)
  t.equal(readJpeg(jpeg.subarray(0, jpeg.indexOf(Buffer.from([0xff, 0xda])))), 'file_unreadable', 'without pixels')
})

void t.test('rejects a JPEG with too many scans', async (t) => {
  const jpeg = await sharp(await image('jpeg'))
    .jpeg({ progressive: true })
    .toBuffer()
  const scan = jpeg.subarray(jpeg.lastIndexOf(Buffer.from([0xff, 0xda])), -2)
  const end = jpeg.subarray(-2)
  t.type(readJpeg(Buffer.concat([jpeg.subarray(0, -2), ...many(10, scan), end])), 'object')
  t.equal(readJpeg(Buffer.concat([jpeg.subarray(0, -2), ...many(25, scan), end])), 'file_unreadable')
})

void t.test('keeps only the chunks of a WebP that define its pixels', async (t) => {
  const pixels = await webpImage(60, 40)
  const more = [
    webpChunk('XMP ', Buffer.alloc(9)),
    webpChunk('EXIF', Buffer.alloc(70_000)),
    webpChunk('junk', Buffer.alloc(3)),
  ]
  const bytes = partsOf(readWebp, webp([webpHeader(0x2c, 60, 40), pixels, ...more, pixels]))
  t.same(bytes, webp([webpHeader(0, 60, 40), pixels]))
  t.match(await sharp(bytes).metadata(), { format: 'webp', width: 60, height: 40 })
  t.same(partsOf(readWebp, Buffer.concat([webp([pixels]), Buffer.from('behind')])), webp([pixels]))
  const turned = await sharp(webp([pixels]))
    .webp()
    .withMetadata({ orientation: 6 })
    .toBuffer()
  t.match(await sharp(partsOf(readWebp, turned)).metadata(), { orientation: 6 })
})

void t.test('rejects broken WebP files', async (t) => {
  const pixels = await webpImage(60, 40)
  t.equal(readWebp(webp([webpHeader(0, 61, 40), pixels])), 'file_unreadable', 'two sizes')
  t.equal(readWebp(webp([pixels, webpHeader(0, 60, 40)])), 'file_unreadable', 'a late header')
  t.equal(readWebp(webp([webpHeader(0, 60, 40)])), 'file_unreadable', 'a missing image')
  t.equal(readWebp(webp([webpChunk('VP8X', Buffer.alloc(0)), pixels])), 'file_unreadable', 'a header without content')
  t.equal(readWebp(webp([pixels]).subarray(0, -4)), 'file_unreadable', 'a missing end')
  const lying = webp([pixels])
  lying.writeUInt32LE(0xffffffff, 16)
  t.equal(readWebp(lying), 'file_unreadable', 'a chunk that is longer than the file')
  t.equal(
    readWebp(webp([pixels, ...many(20_001, webpChunk('junk', Buffer.alloc(0)))])),
    'file_unreadable',
    'too many parts',
  )
  t.equal(readWebp(Buffer.from('RIFF')), 'file_unreadable')
})
