import { fileTypeFromBuffer } from 'file-type'
import { open, type FileHandle } from 'node:fs/promises'
import { LIMITS } from '../../../generated/limits.ts'
import type { FieldCode } from '../../domain/failure.ts'
import { isFileType, type FileType } from '../../domain/file.ts'
import { accountRequester } from '../../domain/requester.ts'
import type { Upload } from '../../domain/upload.ts'
import { fairQueue } from '../queues/fair-queue.ts'
import { convert, type ImageType } from './images/convert.ts'
import { fileMemory } from './images/file-memory.ts'
import type { ImageFile, ReadImageFile } from './images/image-file.ts'
import { readJpeg } from './images/jpeg.ts'
import { readPng } from './images/png.ts'
import { readWebp } from './images/webp.ts'
import { endsAsPdf, judgePdf } from './pdf/index.ts'

/** What is kept of an upload, in a temporary place beside it. */
export type Content = Readonly<{ path: string; type: FileType; bytes: number }>

/** Judges an upload of an account by its bytes; resolves to what is kept of it, or to what is wrong with it. */
export type ReadContent = (
  upload: Upload,
  accepted: 'image' | 'document',
  accountId: number,
) => Promise<Content | FieldCode>

const { image_megapixels: MEGAPIXELS_MAX, image_side_max: SIDE_MAX } = LIMITS.files
const HEAD_BYTES = 4100 // what the sniffer asks for
/** An image takes up to some hundred megabytes while it is made anew, a PDF while it is looked through: one at a time. */
const CONVERSIONS = {
  workers: 1,
  waitingPerOwnerMax: LIMITS.queues.images_per_account,
  waitingMax: LIMITS.queues.images,
  retryAfterSeconds: LIMITS.queues.retry_seconds,
}
const READERS: Readonly<Record<ImageType, ReadImageFile>> = {
  'image/jpeg': readJpeg,
  'image/png': readPng,
  'image/webp': readWebp,
}

/**
 * Images are decoded and made anew from their pixels, upright and without anything beside them. A PDF stays as it is; one
 * with active content is not accepted. Accounts take turns. The reader throws 503 `overloaded` when too many images wait, 503 `storage_unavailable` when the
 * disk is full, and 400 `malformed_request` when the client has left.
 */
export function contentReader(): ReadContent {
  const queue = fairQueue(CONVERSIONS)
  const bytesOf = fileMemory() // one for all, as they come one at a time

  return async (upload, accepted, accountId) => {
    const type = await typeOf(upload, accepted)
    if (!isFileType(type)) return type
    const requester = accountRequester(accountId, upload.abandoned)
    return queue.run(requester, () => (type === 'application/pdf' ? readPdf(upload) : readImage(upload, type)))
  }

  async function readPdf({ path, bytes }: Upload): Promise<Content | FieldCode> {
    return (await judgePdf(path)) ?? { path, type: 'application/pdf', bytes }
  }

  /** What comes before the pixels is judged first, without the decoder. */
  async function readImage({ path }: Upload, type: ImageType): Promise<Content | FieldCode> {
    const image = READERS[type](await bytesOf(path))
    if (typeof image === 'string') return image
    return isTooLarge(image) ? 'image_too_large' : convert(image, type, `${path}.new`)
  }
}

async function typeOf({ path, bytes }: Upload, accepted: 'image' | 'document'): Promise<FileType | FieldCode> {
  const handle = await open(path)
  try {
    const type = await typeOfHead(handle)
    if (type === undefined || (type === 'application/pdf' && accepted === 'image')) return 'file_type_not_allowed'
    return type === 'application/pdf' && !(await endsAsPdf(handle, bytes)) ? 'file_unreadable' : type
  } finally {
    await handle.close()
  }
}

async function typeOfHead(handle: FileHandle): Promise<FileType | undefined> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
  const found = await fileTypeFromBuffer(buffer.subarray(0, bytesRead))
  return isFileType(found?.mime) ? found.mime : undefined
}

function isTooLarge({ width, height }: ImageFile): boolean {
  return Math.max(width, height) > SIDE_MAX || width * height > MEGAPIXELS_MAX * 1_000_000
}
