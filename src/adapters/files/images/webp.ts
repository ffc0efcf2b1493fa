import { EXIF_BYTES_MAX, createCompactor, PARTS_MAX, PROFILE_BYTES_MAX, type ReadImageFile } from './image-file.ts'

const FILE_HEADER_BYTES = 12 // `RIFF`, the length of the rest, `WEBP`
const CHUNK_HEADER_BYTES = 8 // type and length
const FLAGS_AT = FILE_HEADER_BYTES + CHUNK_HEADER_BYTES
const FLAG = { profile: 0x20, alpha: 0x10, exif: 0x08, animation: 0x02 }
/** The maximum length of each chunk to keep, once each. */
const BYTES_MAX: Readonly<Record<string, number>> = {
  VP8X: 10,
  ICCP: PROFILE_BYTES_MAX,
  ALPH: Infinity,
  'VP8 ': Infinity,
  VP8L: Infinity,
  EXIF: EXIF_BYTES_MAX,
}
/** The decoder holds the whole image, as input and as output. */
const MEMORY = { pixelBytes: 4, bufferedPixelBytes: 7 }

type Size = Readonly<{ width: number; height: number }>

/** Reads a WebP: a header, then chunks of type, length and data. */
export const readWebp: ReadImageFile = (bytes) => {
  const fileEnd = bytes.length < FILE_HEADER_BYTES ? Infinity : 8 + bytes.readUInt32LE(4)
  if (fileEnd > bytes.length) return 'file_unreadable'
  const compactor = createCompactor(bytes)
  const sizes = new Map<string, Size | undefined>()
  compactor.keep(0, FILE_HEADER_BYTES)
  let parts = 0
  for (let at = FILE_HEADER_BYTES; at + CHUNK_HEADER_BYTES <= fileEnd; parts++) {
    const type = bytes.toString('latin1', at, at + 4)
    const length = bytes.readUInt32LE(at + 4)
    const end = at + CHUNK_HEADER_BYTES + length + (length % 2)
    const isMisplaced = type === 'VP8X' && at !== FILE_HEADER_BYTES
    if (end > fileEnd || parts > PARTS_MAX || isMisplaced) return 'file_unreadable'
    const data = bytes.subarray(at + CHUNK_HEADER_BYTES, at + CHUNK_HEADER_BYTES + length)
    if (isAnimationChunk(type, data)) return 'file_type_not_allowed'
    if (isAllowed(type, length) && !sizes.has(type)) {
      sizes.set(type, parseSize(type, data))
      compactor.keep(at, end)
    }
    at = end
  }
  const size = agreedSize(sizes)
  return size ? { ...size, ...MEMORY, bytes: withNewHeader(compactor.result(), sizes) } : 'file_unreadable'
}

function isAllowed(type: string, length: number): boolean {
  return length <= (BYTES_MAX[type] ?? -1)
}

function isAnimationChunk(type: string, data: Buffer): boolean {
  return type === 'ANIM' || type === 'ANMF' || (type === 'VP8X' && ((data[0] ?? 0) & FLAG.animation) !== 0)
}

function parseSize(type: string, data: Buffer): Size | undefined {
  if (type === 'VP8L' && data.length >= 5) {
    const bits = data.readUInt32LE(1)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  if (data.length < 10) return undefined
  if (type === 'VP8X') return { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 }
  if (type === 'VP8 ') return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff }
  return undefined
}

/** Returns the size if there is one image and all chunks agree on it. */
function agreedSize(sizes: ReadonlyMap<string, Size | undefined>): Size | undefined {
  if (sizes.has('VP8 ') && sizes.has('VP8L')) return undefined
  const size = sizes.get('VP8 ') ?? sizes.get('VP8L')
  const canvas = sizes.has('VP8X') ? sizes.get('VP8X') : size
  return size?.width === canvas?.width && size?.height === canvas?.height ? size : undefined
}

/** Updates the length in the header, and clears the flags of chunks that were dropped. */
function withNewHeader(bytes: Buffer, kept: ReadonlyMap<string, unknown>): Buffer {
  bytes.writeUInt32LE(bytes.length - 8, 4)
  if (!kept.has('VP8X')) return bytes
  const alpha = bytes.readUInt8(FLAGS_AT) & FLAG.alpha
  bytes.writeUInt8(alpha | (kept.has('ICCP') ? FLAG.profile : 0) | (kept.has('EXIF') ? FLAG.exif : 0), FLAGS_AT)
  return bytes
}
