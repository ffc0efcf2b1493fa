import { stat } from 'node:fs/promises'
import type { Metadata, Sharp } from 'sharp'
import { LIMITS } from '../../../../generated/limits.ts'
import { Failure, type FieldCode } from '../../../domain/failure.ts'
import type { FileType } from '../../../domain/file.ts'
import type { ImageFile } from './image-file.ts'
import { loadSharp } from './sharp.ts'

export type ImageType = Exclude<FileType, 'application/pdf'>

const PIXELS_MAX = LIMITS.files.image_megapixels * 1_000_000
const HELD_BYTES_MAX = LIMITS.files.image_held_megabytes * 1_000_000
const SECONDS_MAX = 10
const RETRY_AFTER_SECONDS = 10

type Converted = Readonly<{ path: string; type: ImageType; bytes: number }>

/**
 * Makes an image anew from its pixels, upright and without anything beside them, at that path. An encoder of WebP holds
 * all of an image several times, so a WebP becomes a JPEG, or a PNG where it has alpha.
 *
 * @throws Failure 503 `storage_unavailable` when the new file cannot be written
 */
export async function convert(image: ImageFile, type: ImageType, path: string): Promise<Converted | FieldCode> {
  const sharp = await loadSharp()
  const pixels = sharp(image.bytes, { limitInputPixels: PIXELS_MAX, failOn: 'truncated', sequentialRead: true })
  try {
    const told = await pixels.metadata()
    if (heldBytes(image, told) > HELD_BYTES_MAX) return 'image_too_large'
    const newType = type !== 'image/webp' ? type : told.hasAlpha ? 'image/png' : 'image/jpeg'
    await inType(pixels.timeout({ seconds: SECONDS_MAX }).autoOrient(), newType).toFile(path)
    return { path, type: newType, bytes: (await stat(path)).size }
  } catch (error) {
    // what is read has no name, so it is the new file that cannot be written
    const isDiskFault = error instanceof Error && error.message.includes(`${path}: `)
    if (!isDiskFault) return 'file_unreadable' // or it takes too long
    throw new Failure('storage_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: error })
  }
}

/** The bytes of an image that are in memory at once. What is turned needs its last row for the first. */
function heldBytes({ width, height, pixelBytes, heldPixelBytes }: ImageFile, { orientation = 1 }: Metadata): number {
  return width * height * (heldPixelBytes + (orientation === 1 ? 0 : pixelBytes))
}

/** Optimal codes for JPEG would take the whole image in memory. */
function inType(pixels: Sharp, type: ImageType): Sharp {
  return type === 'image/png' ? pixels.png() : pixels.jpeg({ quality: 85, optimiseCoding: false })
}
