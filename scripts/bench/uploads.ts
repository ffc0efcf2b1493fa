import { fork } from 'node:child_process'
import { once } from 'node:events'
import { benchImages } from './images.ts'
import type { ServerReport } from './upload-server.ts'

const UPLOADS = 64

/** How much memory images take that come all at once, and how long they take. */
export async function benchUploads(): Promise<string> {
  const lines: string[] = []
  for (const [name, image] of Object.entries(await benchImages())) lines.push(await measure(name, image))
  return [`${UPLOADS} uploads at once`, formatRow('', 'MB each', 'MB more', 'seconds'), ...lines].join('\n')
}

async function measure(name: string, image: Uint8Array): Promise<string> {
  const child = fork(new URL('upload-server.js', import.meta.url), {
    env: { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072', ...process.env },
  })
  const readReport = async (): Promise<ServerReport> => {
    const answer = once(child, 'message')
    child.send('tell')
    return ((await answer) as [ServerReport])[0]
  }
  const before = await readReport()
  const startMs = performance.now()
  await Promise.all(Array.from({ length: UPLOADS }, () => upload(before.origin, image)))
  const seconds = (performance.now() - startMs) / 1000
  const { peakMb } = await readReport()
  child.disconnect()
  await once(child, 'exit')
  return formatRow(name, (image.length / 1e6).toFixed(1), (peakMb - before.rssMb).toFixed(0), seconds.toFixed(1))
}

async function upload(origin: string, image: Uint8Array): Promise<void> {
  const form = new FormData()
  form.append('profile_photo', new Blob([image]), 'photo')
  const response = await fetch(origin, { method: 'POST', body: form })
  const { kept } = (await response.json()) as { kept?: number }
  if (kept !== 1) throw new Error(`an upload was answered with ${response.status}`)
}

function formatRow(name: string, ...figures: string[]): string {
  return `  ${name.padEnd(32)}${figures.map((figure) => figure.padStart(12)).join('')}`
}
