import type { Download } from '@tawthiq/sdk'
import { h } from './dom.ts'

/** Lets the browser save a file under its name. */
export function saveFile({ blob, name }: Download): void {
  const href = URL.createObjectURL(blob)
  h('a', { href, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(href), 60_000)
}
