import { PARTS_MAX } from './image-file.ts'

/** A part of a JPEG: what its marker says that it is, its data, and all of its bytes. */
export type Segment = Readonly<{ marker: number; data: Buffer; from: number; to: number }>

export const SCAN = 0xda
export const END = 0xd9

/**
 * The segments of a JPEG: a marker, a length and data. Behind the data of a scan come its pixels, up to the next marker.
 * It ends with the marker of the end, or early, also when there are too many. What is between segments is skipped, as
 * decoders do.
 */
export function* segmentsOf(bytes: Buffer): Generator<Segment> {
  let from = nextMarker(bytes, 2)
  for (let parts = 0; parts < PARTS_MAX && from + 1 < bytes.length; parts++) {
    const marker = bytes.readUInt8(from + 1)
    if (marker === END) {
      yield { marker, data: bytes.subarray(0, 0), from, to: from + 2 }
      return
    }
    const dataEnd = from + 2 + (from + 4 <= bytes.length ? bytes.readUInt16BE(from + 2) : Infinity)
    if (dataEnd < from + 4 || dataEnd > bytes.length) return
    const next = nextMarker(bytes, dataEnd)
    yield { marker, data: bytes.subarray(from + 4, dataEnd), from, to: marker === SCAN ? next : dataEnd }
    from = next
  }
}

/** Where the next marker stands that begins a segment; the length of the file when there is none. */
function nextMarker(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at + 1)) {
    if (isMarker(bytes.readUInt8(at + 1))) return at
  }
  return bytes.length
}

/** Among pixels, 0xff is written as 0xff00, and there are marks to start again at. 0xff may be repeated before a marker. */
function isMarker(byte: number): boolean {
  const isRestart = byte >= 0xd0 && byte <= 0xd7
  return byte > 0x01 && byte < 0xff && !isRestart
}
