// Images assembled by hand, with contents that no ordinary program writes.
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'

export const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

export function pngChunk(type: string, data: Uint8Array = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  const checksum = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}

/** Returns a PNG of grey pixels that declares a size, with additional chunks before its pixels. */
export function greyPng(width: number, height: number, chunks: readonly Buffer[] = []): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header.set([8, 0], 8)
  const pixels = deflateSync(Buffer.alloc(Math.min((width + 1) * height, 20_000_000)), { level: 1 })
  const parts = [pngChunk('IHDR', header), ...chunks, pngChunk('IDAT', pixels), pngChunk('IEND')]
  return Buffer.concat([PNG_SIGNATURE, ...parts])
}

/** Returns a PNG with another declared size. */
export function grownPng(png: Buffer, width: number, height: number): Buffer {
  const header = Buffer.from(png.subarray(16, 29))
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  return Buffer.concat([PNG_SIGNATURE, pngChunk('IHDR', header), png.subarray(33)])
}

/** Returns a compressed PNG text chunk that unpacks to a number of bytes. */
export function packedText(bytes: number): Buffer {
  return pngChunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(Buffer.alloc(bytes, 'a'))]))
}

export function jpegSegment(marker: number, data: Uint8Array): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}

/** Returns a JPEG with additional segments at its start. */
export function jpegWith(jpeg: Buffer, segments: readonly Buffer[]): Buffer {
  return Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)])
}

/** Returns a JPEG with another declared size. */
export function grownJpeg(jpeg: Buffer, width: number, height: number): Buffer {
  const changed = Buffer.from(jpeg)
  const baseline = changed.indexOf(Buffer.from([0xff, 0xc0]))
  const frame = baseline < 0 ? changed.indexOf(Buffer.from([0xff, 0xc2])) : baseline
  changed.writeUInt16BE(height, frame + 5)
  changed.writeUInt16BE(width, frame + 7)
  return changed
}

/** The type and the length of a chunk of a WebP */
const CHUNK_HEAD_BYTES = 8

/** Returns a WebP of one frame with another declared size. */
export function grownWebp(webp: Buffer, width: number, height: number): Buffer {
  const changed = Buffer.from(webp)
  const dataOf = (type: string): number => changed.indexOf(Buffer.from(type)) + CHUNK_HEAD_BYTES
  if (webp.includes('VP8X')) {
    changed.writeUIntLE(width - 1, dataOf('VP8X') + 4, 3)
    changed.writeUIntLE(height - 1, dataOf('VP8X') + 7, 3)
  }
  if (webp.includes('VP8L')) {
    changed.writeUInt32LE((((height - 1) << 14) | (width - 1)) >>> 0, dataOf('VP8L') + 1)
  } else {
    changed.writeUInt16LE(width, dataOf('VP8 ') + 6)
    changed.writeUInt16LE(height, dataOf('VP8 ') + 8)
  }
  return changed
}

export function webpChunk(type: string, data: Uint8Array): Buffer {
  const head = Buffer.from(`${type}\0\0\0\0`, 'latin1')
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
}

export function webp(chunks: readonly Buffer[]): Buffer {
  return webpChunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...chunks]))
}

/** Returns the VP8X chunk that starts an extended WebP. */
export function webpHeader(flags: number, width: number, height: number): Buffer {
  const data = Buffer.alloc(10)
  data.writeUInt8(flags)
  data.writeUIntLE(width - 1, 4, 3)
  data.writeUIntLE(height - 1, 7, 3)
  return webpChunk('VP8X', data)
}

/** Returns the image chunk of a WebP. */
export async function webpImage(width: number, height: number): Promise<Buffer> {
  const whole = await sharp({ create: { width, height, channels: 3, background: 'red' } })
    .webp({ lossless: true })
    .toBuffer()
  return whole.subarray(12)
}
