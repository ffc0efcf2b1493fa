import { keeperOf, type ReadImageFile } from './image-file.ts'
import { END, SCAN, segmentsOf, type Segment } from './jpeg-segments.ts'

const PROGRESSIVE = 0xc2
/** Nobody writes frames of the other kinds, the lossless and the arithmetic ones. */
const FRAMES = new Set([0xc0, 0xc1, PROGRESSIVE])
const TABLES = new Set([0xc4, 0xdb, 0xdd]) // Huffman, quantisation, and how often a scan starts again
/** The segments of applications that are kept: what they begin with, and how many of up to 64 kB there may be. */
const APPLICATIONS: Readonly<Record<number, readonly [name: string, most: number]>> = {
  0xe0: ['JFIF\0', 1],
  0xe1: ['Exif\0', 1],
  0xe2: ['ICC_PROFILE\0', 16],
  0xee: ['Adobe', 1],
}
/** What encoders write has ten or so, and each goes through the whole image. */
const SCANS_MAX = 25

export const readJpeg: ReadImageFile = (bytes) => {
  const keeper = keeperOf(bytes)
  const isKept = chooser()
  let frame: Frame | undefined
  let scans = 0
  let heldPixelBytes = 0
  keeper.keep(0, 2)
  for (const segment of segmentsOf(bytes)) {
    const { marker, data, from, to } = segment
    if (FRAMES.has(marker)) {
      if (frame || data.length < FRAME_BYTES) return 'file_unreadable'
      frame = frameOf(segment)
    } else if (marker === SCAN) {
      if (!frame || ++scans > SCANS_MAX) return 'file_unreadable'
      if (frame.isProgressive || data[0] !== frame.pixelBytes) heldPixelBytes = frame.coefficientBytes
    }
    if (isKept(segment)) keeper.keep(from, to)
    if (marker === END && frame) {
      const { width, height, pixelBytes } = frame
      return { width, height, pixelBytes, heldPixelBytes, bytes: keeper.kept() }
    }
  }
  return 'file_unreadable'
}

/** What is known of the image: a pixel has a byte for each component. */
type Frame = Readonly<{
  width: number
  height: number
  pixelBytes: number
  /** Of a pixel, where all scans are read before the first row is known */
  coefficientBytes: number
  isProgressive: boolean
}>

const FRAME_BYTES = 6

function frameOf({ marker, data }: Segment): Frame {
  const pixelBytes = data.readUInt8(5)
  const size = { height: data.readUInt16BE(1), width: data.readUInt16BE(3) }
  return { ...size, pixelBytes, coefficientBytes: 2 * samplesOf(data), isProgressive: marker === PROGRESSIVE }
}

/** How many samples a pixel has: colours mostly have fewer than there are pixels. */
function samplesOf(data: Buffer): number {
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

function chooser(): (segment: Segment) => boolean {
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
