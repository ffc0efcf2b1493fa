import type { Upload } from '../../domain/files/file.ts'

const uploads = new WeakSet<object>()

/** Returns whether a value is a file that was uploaded in a form, and not a JSON object of the same shape. */
export function isUpload(value: unknown): boolean {
  return typeof value === 'object' && value !== null && uploads.has(value)
}

/** Marks a file that was uploaded; `isUpload` accepts no others. */
export function newUpload(upload: Upload): Upload {
  uploads.add(upload)
  return upload
}
