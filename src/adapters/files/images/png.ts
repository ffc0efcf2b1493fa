import { EXIF_BYTES_MAX, createCompactor, PARTS_MAX, PROFILE_BYTES_MAX, type ReadImageFile } from './image-file.ts'

const SIGNATURE_BYTES = 8
const LENGTH_AND_TYPE_BYTES = 8
const CHECKSUM_BYTES = 4
/** The maximum length of each chunk to keep, once each. The chunks of the pixels are kept too. */
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
/** Grayscale, without and with alpha */
const GREYSCALE_TYPES = new Set([0, 4])

/** Reads a PNG: a signature, then chunks of length, type, data and checksum. */
export const readPng: ReadImageFile = (bytes) => {
  const compactor = createCompactor(bytes)
  const missing = new Set(Object.keys(BYTES_MAX))
  compactor.keep(0, SIGNATURE_BYTES)
  let at = SIGNATURE_BYTES
  for (let parts = 0; parts < PARTS_MAX && at + LENGTH_AND_TYPE_BYTES <= bytes.length; parts++) {
    const length = bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, at + 8)
    const end = at + LENGTH_AND_TYPE_BYTES + length + CHECKSUM_BYTES
    if (end > bytes.length || (at === SIGNATURE_BYTES) !== (type === 'IHDR')) return 'file_unreadable'
    if (type === 'acTL') return 'file_type_not_allowed' // an animated PNG
    const isKept = type === 'IDAT' || (missing.delete(type) && length <= (BYTES_MAX[type] ?? 0))
    if (isKept) compactor.keep(at, end)
    if (type === 'IEND') return parseHeader(compactor.result())
    at = end
  }
  return 'file_unreadable'
}

function parseHeader(bytes: Buffer): ReturnType<ReadImageFile> {
  if (bytes.readUInt32BE(SIGNATURE_BYTES) !== BYTES_MAX['IHDR']) return 'file_unreadable'
  const [bitDepth = 0, colourType = 0, , , interlaced = 0] = bytes.subarray(24)
  const pixelBytes = (GREYSCALE_TYPES.has(colourType) ? 2 : 4) * (bitDepth > 8 ? 2 : 1)
  const size = { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  return { ...size, pixelBytes, bufferedPixelBytes: interlaced === 0 ? 0 : pixelBytes, bytes }
}
