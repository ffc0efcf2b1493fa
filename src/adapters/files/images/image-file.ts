import type { FieldCode } from '../../../domain/failure.ts'

/** What an image file says of itself, and what a decoder needs of it. */
export type ImageFile = Readonly<{
  width: number
  height: number
  /** How many bytes a decoded pixel has, at most. */
  pixelBytes: number
  /** How many bytes of each pixel are in memory before the first row is known; 0 where row comes after row. */
  heldPixelBytes: number
  bytes: Buffer
}>

/**
 * Reads what comes before the pixels, and leaves out everything that a decoder can do without: such as texts that unpack
 * to a thousand times their size. It works in the memory of the file, which is no file any more afterwards.
 */
export type ReadImageFile = (bytes: Buffer) => ImageFile | FieldCode

/** The colours of most images need some kilobytes, and those of printers half a megabyte. */
export const PROFILE_BYTES_MAX = 1024 * 1024
export const EXIF_BYTES_MAX = 64 * 1024

/** How many chunks or segments a file may have. Those of 10 MB have some thousands at most. */
export const PARTS_MAX = 20_000

/** Moves what is kept of a file to its front. Parts are kept in their order. */
export type Keeper = { keep(from: number, to: number): void; kept(): Buffer }

export function keeperOf(bytes: Buffer): Keeper {
  let end = 0
  return {
    keep(from, to) {
      if (from !== end) bytes.copyWithin(end, from, to)
      end += to - from
    },
    kept: () => bytes.subarray(0, end),
  }
}
