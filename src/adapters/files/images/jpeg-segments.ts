import { PARTS_MAX } from './image-file.ts'

/** A segment of a JPEG: its marker, its data, and the range of all its bytes. */
export type Segment = Readonly<{ marker: number; data: Buffer; from: number; to: number }>

export const SCAN = 0xda
export const END = 0xd9

/**
 * Yields the segments of a JPEG: a marker, a length and data. The data of a scan is followed by its pixels, up to the
 * next marker. Stops at the end marker, at a broken segment, and at the limit of the number of segments. Bytes between
 * segments are skipped, as decoders do.
 */
export function* readSegments(bytes: Buffer): Generator<Segment> {
  let from = findNextMarker(bytes, 2)
  for (let parts = 0; parts < PARTS_MAX && from + 1 < bytes.length; parts++) {
    const marker = bytes.readUInt8(from + 1)
    if (marker === END) {
      yield { marker, data: bytes.subarray(0, 0), from, to: from + 2 }
      return
    }
    const dataEnd = from + 2 + (from + 4 <= bytes.length ? bytes.readUInt16BE(from + 2) : Infinity)
    if (dataEnd < from + 4 || dataEnd > bytes.length) return
    const next = findNextMarker(bytes, dataEnd)
    yield { marker, data: bytes.subarray(from + 4, dataEnd), from, to: marker === SCAN ? next : dataEnd }
    from = next
  }
}

/** Returns the position of the next marker that starts a segment; the length of the file if there is none. */
function findNextMarker(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at + 1)) {
    if (isMarker(bytes.readUInt8(at + 1))) return at
  }
  return bytes.length
}

/** Among pixels, 0xff is written as 0xff00, and restart markers may occur. 0xff may be repeated before a marker. */
function isMarker(byte: number): boolean {
  const isRestart = byte >= 0xd0 && byte <= 0xd7
  return byte > 0x01 && byte < 0xff && !isRestart
}
