import { createCompactor, type ReadImageFile } from './image-file.ts'
import { END, SCAN, readSegments, type Segment } from './jpeg-segments.ts'

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
      return { width, height, pixelBytes, bufferedPixelBytes, bytes: compactor.result() }
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
