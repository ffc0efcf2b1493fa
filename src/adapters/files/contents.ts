import { fileTypeFromBuffer } from 'file-type'
import { open, type FileHandle } from 'node:fs/promises'
import { LIMITS } from '../../../generated/limits.ts'
import type { FieldCode } from '../../domain/failure.ts'
import { isFileType, type FileType, type Upload } from '../../domain/files/file.ts'
import { accountRequester } from '../../domain/requester.ts'
import type { Metrics } from '../../lib/metrics.ts'
import { observedQueue } from '../queues/observed-queue.ts'
import { convert, type ImageType } from './images/convert.ts'
import type { ReadImageFile } from './images/image-file.ts'
import { readJpeg } from './images/jpeg.ts'
import { readPng } from './images/png.ts'
import { readWebp } from './images/webp.ts'
import { createPdfCheck } from './pdf/index.ts'

/** The accepted content of an upload, in a temporary file. */
export type Content = Readonly<{ path: string; type: FileType; bytes: number }>

/** Validates an upload by its bytes. Resolves to the accepted content, or to a field code if it is rejected. */
export type ReadContent = (
  upload: Upload,
  accepted: 'image' | 'document',
  accountId: number,
) => Promise<Content | FieldCode>

const { image_megapixels: MEGAPIXELS_MAX, image_side_max: SIDE_MAX } = LIMITS.files
const HEAD_BYTES = 4100 // the length that file-type reads
/** Readers search a PDF for its header and its end marker, because some programs add other data before or after. */
const PDF_EDGE_BYTES = 1024
/** Converting an image takes up to some hundred megabytes of memory, and so does scanning a PDF: one at a time. */
const QUEUE_LIMITS = {
  workers: 1,
  waitingPerOwnerMax: LIMITS.queues.images_per_account,
  waitingMax: LIMITS.queues.images,
  waitMsMax: LIMITS.queues.image_wait_seconds * 1000,
}
const READERS: Readonly<Record<ImageType, ReadImageFile>> = {
  'image/jpeg': readJpeg,
  'image/png': readPng,
  'image/webp': readWebp,
}

/**
 * Creates a reader that re-encodes images from their pixels, upright and without metadata. A PDF is stored unchanged;
 * one with active content is rejected. Accounts take turns. Its failures are those of `Files.read`.
 */
export function createContentReader(metrics?: Metrics): ReadContent {
  const queue = observedQueue(QUEUE_LIMITS, 'files', metrics)
  const readBytes = fileMemory() // shared, because the queue has one worker
  const checkPdf = createPdfCheck()

  return async (upload, accepted, accountId) => {
    const type = await detectType(upload, accepted)
    if (!isFileType(type)) return type
    const requester = accountRequester(accountId, upload.abandoned)
    const { path, bytes } = upload
    return queue.run(requester, async () =>
      type === 'application/pdf' ? ((await checkPdf(path)) ?? { path, type, bytes }) : readImage(path, type),
    )
  }

  /** Checks the header before the pixels, without the decoder. */
  async function readImage(path: string, type: ImageType): Promise<Content | FieldCode> {
    const image = READERS[type](await readBytes(path))
    if (typeof image === 'string') return image
    const { width, height } = image
    const isTooLarge = Math.max(width, height) > SIDE_MAX || width * height > MEGAPIXELS_MAX * 1_000_000
    return isTooLarge ? 'image_too_large' : convert(image, type, `${path}.new`)
  }
}

/**
 * Reads files into one buffer that the next file overwrites. A buffer for each file would pile up under load until the
 * garbage collector runs.
 */
function fileMemory(): (path: string) => Promise<Buffer> {
  let memory = Buffer.alloc(0)

  return async (path) => {
    const handle = await open(path)
    try {
      const { size } = await handle.stat()
      if (size > memory.length) memory = Buffer.alloc(size)
      const { bytesRead } = await handle.read(memory, 0, size, 0)
      return memory.subarray(0, bytesRead)
    } finally {
      await handle.close()
    }
  }
}

async function detectType({ path, bytes }: Upload, accepted: 'image' | 'document'): Promise<FileType | FieldCode> {
  const handle = await open(path)
  try {
    const head = await readPart(handle, 0, HEAD_BYTES)
    const hasHeader = head.subarray(0, PDF_EDGE_BYTES).includes('%PDF-')
    const type = (await fileTypeFromBuffer(head))?.mime ?? (hasHeader ? 'application/pdf' : undefined)
    if (!isFileType(type) || (type === 'application/pdf' && accepted === 'image')) return 'file_type_not_allowed'
    const tail = await readPart(handle, Math.max(0, bytes - PDF_EDGE_BYTES), PDF_EDGE_BYTES)
    return type === 'application/pdf' && !tail.includes('%%EOF') ? 'file_unreadable' : type
  } finally {
    await handle.close()
  }
}

async function readPart(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}
