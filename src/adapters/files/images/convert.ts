import type { default as SharpModule, Sharp } from 'sharp'
import { LIMITS } from '../../../../generated/limits.ts'
import { Failure, type FieldCode } from '../../../domain/failure.ts'
import type { FileType, ReadyFile } from '../../../domain/files/file.ts'
import type { ImageFile } from './image-file.ts'

export type ImageType = Exclude<FileType, 'application/pdf'>

const PIXELS_MAX = LIMITS.files.image_megapixels * 1_000_000
const BUFFERED_BYTES_MAX = LIMITS.files.image_buffer_megabytes * 1_000_000
const SECONDS_MAX = 10
const RETRY_AFTER_SECONDS = 10

/**
 * Writes an image to `path`, re-encoded from its pixels, upright and without metadata. The WebP encoder holds an image
 * in memory several times, so a WebP becomes a JPEG, or a PNG if it has an alpha channel.
 *
 * @throws Failure 503 `storage_unavailable` if the new file cannot be written
 */
export async function convert(
  image: ImageFile,
  type: ImageType,
  path: string,
): Promise<Omit<ReadyFile, 'kind'> | FieldCode> {
  const pixels = await openImage(image.bytes, image.isCompleted ? 'warning' : 'truncated')
  try {
    const { orientation = 1, hasAlpha } = await pixels.metadata()
    // Rotating needs the whole image in memory, because the first row may become the last column.
    const bufferedPixelBytes = image.bufferedPixelBytes + (orientation === 1 ? 0 : image.pixelBytes)
    if (image.width * image.height * bufferedPixelBytes > BUFFERED_BYTES_MAX) return 'image_too_large'
    const newType = type !== 'image/webp' ? type : hasAlpha ? 'image/png' : 'image/jpeg'
    const { size: bytes } = await encodeImage(pixels, newType).toFile(path)
    return { path, type: newType, bytes }
  } catch (error) {
    // The input has no path, so an error that names the path is about the output.
    const isDiskFault = error instanceof Error && error.message.includes(`${path}: `)
    if (!isDiskFault) return 'file_unreadable' // or converting it takes too long
    throw new Failure('storage_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: error })
  }
}

export async function openImage(bytes: Buffer, failOn: 'truncated' | 'warning' = 'truncated'): Promise<Sharp> {
  const sharp = await loadSharp()
  return sharp(bytes, { limitInputPixels: PIXELS_MAX, failOn, sequentialRead: true })
}

const LOADERS = ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer']

let loaded: Promise<typeof SharpModule> | undefined

/** Loads sharp at the first image, because it takes much memory, with the decoders of the accepted formats only. */
function loadSharp(): Promise<typeof SharpModule> {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false)
    sharp.concurrency(1)
    sharp.block({ operation: ['VipsForeignLoad'] })
    sharp.unblock({ operation: LOADERS })
    return sharp
  })
  return loaded
}

/** Optimized JPEG coding would hold the whole image in memory. */
export function encodeImage(pixels: Sharp, type: ImageType): Sharp {
  const upright = pixels.timeout({ seconds: SECONDS_MAX }).autoOrient()
  return type === 'image/png' ? upright.png() : upright.jpeg({ quality: 85, optimiseCoding: false })
}
