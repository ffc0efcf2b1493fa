import type { FieldCode } from '../../../domain/failure.ts'

/** The properties of an image that bound the memory of its decoder. */
export type ImageFile = Readonly<{
  width: number
  height: number
  /** Upper bound of the bytes of a decoded pixel */
  pixelBytes: number
  /** Bytes of each pixel that are in memory before the first row is decoded; 0 if rows are decoded one by one */
  bufferedPixelBytes: number
  bytes: Buffer
  /** Whether the end has been added, so that only the decoder notices that pixels are missing */
  isCompleted?: boolean
}>

/**
 * Reads the header of an image and drops every part that a decoder does not need, such as texts that inflate to a
 * thousand times their size: for a PNG of 4 MB with such texts, sharp alone took 14 GB of memory. Overwrites `bytes`.
 */
export type ReadImageFile = (bytes: Buffer) => ImageFile | FieldCode

/** Color profiles have some kilobytes; those of printers have half a megabyte. */
export const PROFILE_BYTES_MAX = 1024 * 1024
export const EXIF_BYTES_MAX = 64 * 1024

/** Limit of the chunks or segments of a file. Files of 10 MB have some thousands at most. */
export const PARTS_MAX = 20_000

/** Moves the parts of a buffer that are kept to its front, in their order. */
export function createCompactor(bytes: Buffer): { keep(from: number, to: number): void; result(): Buffer } {
  let end = 0
  return {
    keep(from, to) {
      if (from !== end) bytes.copyWithin(end, from, to)
      end += to - from
    },
    result: () => bytes.subarray(0, end),
  }
}
