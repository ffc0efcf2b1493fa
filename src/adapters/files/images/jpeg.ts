import { createCompactor, PARTS_MAX, type ReadImageFile } from './image-file.ts'

const SCAN = 0xda
const END = 0xd9
const PROGRESSIVE = 0xc2
/** Lossless and arithmetic frames are not in use and are rejected. */
const FRAMES = new Set([0xc0, 0xc1, PROGRESSIVE])
const TABLES = new Set([0xc4, 0xdb, 0xdd]) // Huffman, quantization and restart interval
/** The application segments to keep: their signature, and how many of up to 64 kB are allowed. */
const APPLICATIONS: Readonly<Record<number, readonly [name: string, most: number]>> = {
  0xe0: ['JFIF\0', 1],
  0xe1: ['Exif\0', 1],
  0xe2: ['ICC_PROFILE\0', 16],
  0xee: ['Adobe', 1],
}
/** Encoders write about ten scans, and each of them covers the whole image. */
const SCANS_MAX = 25

export const readJpeg: ReadImageFile = (bytes) => {
  const compactor = createCompactor(bytes)
  const isKept = createSegmentFilter()
  let frame: Frame | undefined
  let scans = 0
  let bufferedPixelBytes = 0
  compactor.keep(0, 2)
  for (const segment of readSegments(bytes)) {
    const { marker, data, from, to } = segment
    if (FRAMES.has(marker)) {
      if (frame || data.length < FRAME_BYTES) return 'file_unreadable'
      frame = parseFrame(segment)
    } else if (marker === SCAN) {
      if (!frame || ++scans > SCANS_MAX) return 'file_unreadable'
      bufferedPixelBytes = Math.max(bufferedPixelBytes, bufferedByScan(frame, data))
    }
    if (isKept(segment)) compactor.keep(from, to)
    if (marker === END && frame) {
      const { width, height, pixelBytes } = frame
      const isCompleted = from === bytes.length
      const image = isCompleted ? Buffer.concat([compactor.result(), Buffer.of(0xff, END)]) : compactor.result()
      return { width, height, pixelBytes, bufferedPixelBytes, bytes: image, isCompleted }
    }
  }
  return 'file_unreadable'
}

/** Returns how many bytes of a pixel the decoder buffers because of a scan that is not the whole image. */
function bufferedByScan({ isProgressive, pixelBytes, coefficientBytes }: Frame, scan: Buffer): number {
  return isProgressive || scan[0] !== pixelBytes ? coefficientBytes : 0
}

/** The properties of the image: a pixel has one byte for each component. */
type Frame = Readonly<{
  width: number
  height: number
  pixelBytes: number
  /** Bytes of the coefficients of a pixel, if all scans must be read before the first row is decoded */
  coefficientBytes: number
  isProgressive: boolean
}>

const FRAME_BYTES = 6

function parseFrame({ marker, data }: Segment): Frame {
  const pixelBytes = data.readUInt8(5)
  const size = { height: data.readUInt16BE(1), width: data.readUInt16BE(3) }
  return { ...size, pixelBytes, coefficientBytes: 2 * countSamples(data), isProgressive: marker === PROGRESSIVE }
}

/** Returns the number of samples of a pixel. Chroma is usually subsampled. */
function countSamples(data: Buffer): number {
  let sum = 0
  let most = 1
  for (let at = FRAME_BYTES + 1; at < data.length; at += 3) {
    const factors = data.readUInt8(at)
    const samples = (factors >> 4) * (factors & 15)
    sum += samples
    most = Math.max(most, samples)
  }
  return sum / most
}

function createSegmentFilter(): (segment: Segment) => boolean {
  const counts = new Map<number, number>()
  return ({ marker, data }) => {
    const [name, most] = APPLICATIONS[marker] ?? []
    if (name === undefined || most === undefined)
      return FRAMES.has(marker) || TABLES.has(marker) || marker === SCAN || marker === END
    if (data.toString('latin1', 0, name.length) !== name) return false
    const count = (counts.get(marker) ?? 0) + 1
    counts.set(marker, count)
    return count <= most
  }
}

type Segment = Readonly<{ marker: number; data: Buffer; from: number; to: number }>

/**
 * Yields the segments of a JPEG: a marker, a length and data. The data of a scan is followed by its pixels, up to the
 * next marker. Stops at the end marker, at a broken segment, and at the limit of the number of segments. Bytes between
 * segments are skipped, as decoders do. Some cameras write no end marker: it is then empty.
 */
function* readSegments(bytes: Buffer): Generator<Segment> {
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
    if (marker === SCAN && next === bytes.length)
      yield { marker: END, data: bytes.subarray(0, 0), from: next, to: next }
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
