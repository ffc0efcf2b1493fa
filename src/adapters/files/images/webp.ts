import { EXIF_BYTES_MAX, keeperOf, PARTS_MAX, PROFILE_BYTES_MAX, type ReadImageFile } from './image-file.ts'

const FILE_HEADER_BYTES = 12 // RIFF, how many bytes follow, WEBP
const CHUNK_HEADER_BYTES = 8 // what it is, and how many bytes follow
const FLAGS_AT = FILE_HEADER_BYTES + CHUNK_HEADER_BYTES
const FLAG = { profile: 0x20, alpha: 0x10, exif: 0x08, animation: 0x02 }
/** The chunks that are kept, once each, and how long they may be. */
const BYTES_MAX: Readonly<Record<string, number>> = {
  VP8X: 10,
  ICCP: PROFILE_BYTES_MAX,
  ALPH: Infinity,
  'VP8 ': Infinity,
  VP8L: Infinity,
  EXIF: EXIF_BYTES_MAX,
}
/** The decoder has the whole image, as it comes and as it goes on. */
const HELD = { pixelBytes: 4, heldPixelBytes: 7 }

type Size = Readonly<{ width: number; height: number }>

/** A WebP is a file of chunks: their type, length and data. */
export const readWebp: ReadImageFile = (bytes) => {
  const fileEnd = bytes.length < FILE_HEADER_BYTES ? Infinity : 8 + bytes.readUInt32LE(4)
  if (fileEnd > bytes.length) return 'file_unreadable'
  const keeper = keeperOf(bytes)
  const sizes = new Map<string, Size | undefined>()
  keeper.keep(0, FILE_HEADER_BYTES)
  let parts = 0
  for (let at = FILE_HEADER_BYTES; at + CHUNK_HEADER_BYTES <= fileEnd; parts++) {
    const type = bytes.toString('latin1', at, at + 4)
    const length = bytes.readUInt32LE(at + 4)
    const end = at + CHUNK_HEADER_BYTES + length + (length % 2)
    if (end > fileEnd || parts > PARTS_MAX || (type === 'VP8X' && at !== FILE_HEADER_BYTES)) return 'file_unreadable'
    const data = bytes.subarray(at + CHUNK_HEADER_BYTES, at + CHUNK_HEADER_BYTES + length)
    if (isOfAnimation(type, data)) return 'file_type_not_allowed'
    if (length <= (BYTES_MAX[type] ?? -1) && !sizes.has(type)) {
      sizes.set(type, sizeIn(type, data))
      keeper.keep(at, end)
    }
    at = end
  }
  const size = sizeOfAll(sizes)
  return size ? { ...size, ...HELD, bytes: withNewHeader(keeper.kept(), sizes) } : 'file_unreadable'
}

function isOfAnimation(type: string, data: Buffer): boolean {
  return type === 'ANIM' || type === 'ANMF' || (type === 'VP8X' && ((data[0] ?? 0) & FLAG.animation) !== 0)
}

/** What a chunk says of the size of the image. */
function sizeIn(type: string, data: Buffer): Size | undefined {
  if (type === 'VP8L' && data.length >= 5) {
    const bits = data.readUInt32LE(1)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  if (data.length < 10) return undefined
  if (type === 'VP8X') return { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 }
  if (type === 'VP8 ') return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff }
  return undefined
}

/** There is one image, of the same size wherever it is told. */
function sizeOfAll(sizes: ReadonlyMap<string, Size | undefined>): Size | undefined {
  if (sizes.has('VP8 ') && sizes.has('VP8L')) return undefined
  const size = sizes.get('VP8 ') ?? sizes.get('VP8L')
  const canvas = sizes.has('VP8X') ? sizes.get('VP8X') : size
  return size?.width === canvas?.width && size?.height === canvas?.height ? size : undefined
}

/** The file is shorter now, and the flags promise nothing that was left out. */
function withNewHeader(bytes: Buffer, kept: ReadonlyMap<string, unknown>): Buffer {
  bytes.writeUInt32LE(bytes.length - 8, 4)
  if (!kept.has('VP8X')) return bytes
  const alpha = bytes.readUInt8(FLAGS_AT) & FLAG.alpha
  bytes.writeUInt8(alpha | (kept.has('ICCP') ? FLAG.profile : 0) | (kept.has('EXIF') ? FLAG.exif : 0), FLAGS_AT)
  return bytes
}
