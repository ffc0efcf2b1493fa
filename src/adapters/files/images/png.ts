import { EXIF_BYTES_MAX, keeperOf, PARTS_MAX, PROFILE_BYTES_MAX, type ReadImageFile } from './image-file.ts'

const SIGNATURE_BYTES = 8
const LENGTH_AND_TYPE_BYTES = 8
const CHECKSUM_BYTES = 4
/** The chunks that are kept, once each, and how long they may be; besides them, those of the pixels. */
const BYTES_MAX: Readonly<Record<string, number>> = {
  IHDR: 13,
  PLTE: 3 * 256,
  tRNS: 256,
  gAMA: 4,
  cHRM: 32,
  sRGB: 1,
  iCCP: PROFILE_BYTES_MAX,
  eXIf: EXIF_BYTES_MAX,
  IEND: 0,
}
/** Grey, alone and with alpha */
const COLOURLESS = new Set([0, 4])

/** A PNG is a signature and chunks: their length, type, data and checksum. */
export const readPng: ReadImageFile = (bytes) => {
  const keeper = keeperOf(bytes)
  const missing = new Set(Object.keys(BYTES_MAX))
  keeper.keep(0, SIGNATURE_BYTES)
  let at = SIGNATURE_BYTES
  for (let parts = 0; parts < PARTS_MAX && at + LENGTH_AND_TYPE_BYTES <= bytes.length; parts++) {
    const length = bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, at + 8)
    const end = at + LENGTH_AND_TYPE_BYTES + length + CHECKSUM_BYTES
    if (end > bytes.length || (at === SIGNATURE_BYTES) !== (type === 'IHDR')) return 'file_unreadable'
    if (type === 'acTL') return 'file_type_not_allowed' // an animation
    const isKept = type === 'IDAT' || (missing.delete(type) && length <= (BYTES_MAX[type] ?? 0))
    if (isKept) keeper.keep(at, end)
    if (type === 'IEND') return headerOf(keeper.kept())
    at = end
  }
  return 'file_unreadable'
}

function headerOf(bytes: Buffer): ReturnType<ReadImageFile> {
  if (bytes.readUInt32BE(SIGNATURE_BYTES) !== BYTES_MAX['IHDR']) return 'file_unreadable'
  const [bits = 0, colours = 0, , , interlaced = 0] = bytes.subarray(24)
  const pixelBytes = (COLOURLESS.has(colours) ? 2 : 4) * (bits > 8 ? 2 : 1)
  const size = { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  return { ...size, pixelBytes, heldPixelBytes: interlaced === 0 ? 0 : pixelBytes, bytes }
}
