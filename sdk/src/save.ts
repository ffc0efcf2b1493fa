import type { Download } from './http/download.ts'

/** Time in which browsers begin to read a file that a page saves */
const READ_MS = 60_000

/** Lets the browser save a file under its name. */
export function saveDownload({ blob, name }: Download): void {
  const href = URL.createObjectURL(blob)
  Object.assign(document.createElement('a'), { href, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(href), READ_MS)
}
