import { bulkhead, BulkheadRejectedError } from 'cockatiel'
import { fileTypeFromBuffer } from 'file-type'
import { open, stat } from 'node:fs/promises'
import type Sharp from 'sharp'
import { LIMITS } from '../../../generated/limits.ts'
import { Failure, type FieldCode } from '../../domain/failure.ts'
import { isFileType, type FileType } from '../../domain/file.ts'
import type { Upload } from '../../domain/upload.ts'

/** What is kept of an upload, in a temporary place beside it. */
export type Content = Readonly<{ path: string; type: FileType; bytes: number }>

/** Judges an upload by its bytes; resolves to what is kept of it, or to what is wrong with it. */
export type ReadContent = (upload: Upload, accepted: 'image' | 'document') => Promise<Content | FieldCode>

type ImageType = Exclude<FileType, 'application/pdf'>

const PIXELS_MAX = LIMITS.files.image_megapixels * 1_000_000
const HEAD_BYTES = 4100 // what the sniffer asks for
/** An image takes up to some hundred megabytes while it is made anew: one at a time. */
const CONVERSIONS_MAX = 1
const WAITING_MAX = 100
/** Optimal codes for JPEG would take the whole image in memory, and more effort for WebP half as long again. */
const OPTIONS = {
  'image/jpeg': { quality: 85, optimiseCoding: false },
  'image/png': {},
  'image/webp': { quality: 85, effort: 0 },
}
const LOADERS = ['VipsForeignLoadJpegFile', 'VipsForeignLoadPngFile', 'VipsForeignLoadWebpFile']

/**
 * Images are decoded and made anew from their pixels, upright and without anything beside them; a PDF stays as it is.
 * The reader throws 503 `overloaded` when too many images wait.
 */
export function contentReader(): ReadContent {
  const queue = bulkhead(CONVERSIONS_MAX, WAITING_MAX)

  return async (upload, accepted) => {
    const type = await typeOf(upload)
    if (type === undefined) return 'file_type_not_allowed'
    if (type === 'application/pdf') return accepted === 'document' ? { ...upload, type } : 'file_type_not_allowed'
    const wrong = await wrongHeader(upload)
    if (wrong) return wrong
    return queue.execute(() => convert(upload, type)).catch(refuseWhenFull)
  }
}

async function typeOf({ path }: Upload): Promise<FileType | undefined> {
  const handle = await open(path)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    const found = await fileTypeFromBuffer(buffer.subarray(0, bytesRead))
    return isFileType(found?.mime) ? found.mime : undefined
  } finally {
    await handle.close()
  }
}

/** The size is known before a pixel is decoded. */
async function wrongHeader({ path }: Upload): Promise<FieldCode | undefined> {
  const sharp = await loadSharp()
  const size = await sharp(path, { limitInputPixels: false })
    .metadata()
    .catch(() => undefined)
  if (!size) return 'file_unreadable'
  return size.width * size.height > PIXELS_MAX ? 'image_too_large' : undefined
}

async function convert(upload: Upload, type: ImageType): Promise<Content | FieldCode> {
  const sharp = await loadSharp()
  const path = `${upload.path}.new`
  const format = type === 'image/jpeg' ? 'jpeg' : type === 'image/png' ? 'png' : 'webp'
  try {
    await sharp(upload.path, { limitInputPixels: PIXELS_MAX, failOn: 'truncated', sequentialRead: true })
      .autoOrient()
      .toFormat(format, OPTIONS[type])
      .toFile(path)
  } catch {
    return 'file_unreadable'
  }
  return { path, type, bytes: (await stat(path)).size }
}

function refuseWhenFull(error: unknown): never {
  if (!(error instanceof BulkheadRejectedError)) throw error
  throw new Failure('overloaded', { retryAfterSeconds: 5, cause: error })
}

let loaded: Promise<typeof Sharp> | undefined

/** Only who uploads images pays for the memory of the library; and of its many decoders only ours can be reached. */
function loadSharp(): Promise<typeof Sharp> {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false)
    sharp.concurrency(1)
    sharp.block({ operation: ['VipsForeignLoad'] })
    sharp.unblock({ operation: LOADERS })
    return sharp
  })
  return loaded
}
