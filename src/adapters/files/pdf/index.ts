import { once } from 'node:events'
import type { FileHandle } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import type { FieldCode } from '../../../domain/failure.ts'
import type { PdfFault } from './active-content.ts'

const MS_MAX = 10_000
const MEMORY = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 256 }

const CODES: Readonly<Record<PdfFault, FieldCode>> = {
  active: 'file_active_content',
  encrypted: 'file_encrypted',
  unreadable: 'file_unreadable',
}

/** After a larger file, the thread ends, because it would hold the memory until its next one. */
const REUSE_BYTES_MAX = 2 * 1024 * 1024
const IDLE_MS_MAX = 10_000

/** A thread that waits for its next file. Starting one costs more than inspecting a small file. */
let idle: Readonly<{ thread: Worker; expiry: NodeJS.Timeout }> | undefined

/**
 * Resolves to the reason to reject the PDF at `path`; undefined if it is accepted. A PDF that takes longer than 10
 * seconds to inspect is rejected.
 */
export async function judgePdf(path: string, bytes: number): Promise<FieldCode | undefined> {
  const thread = takeIdle() ?? startThread()
  let isReusable = false
  try {
    const response = once(thread, 'message', { signal: AbortSignal.timeout(MS_MAX) })
    thread.postMessage(path)
    const [fault] = (await response) as [PdfFault | undefined]
    isReusable = bytes <= REUSE_BYTES_MAX
    return fault && CODES[fault]
  } catch {
    return 'file_unreadable' // out of time or memory
  } finally {
    if (isReusable && !idle) makeIdle(thread)
    else await thread.terminate()
  }
}

function startThread(): Worker {
  const thread = new Worker(new URL('worker.js', import.meta.url), { resourceLimits: MEMORY })
  thread.on('error', () => undefined) // of a thread without a file; `once` rejects on others
  return thread.on('exit', () => (idle?.thread === thread ? takeIdle() : undefined))
}

function takeIdle(): Worker | undefined {
  const taken = idle
  idle = undefined
  clearTimeout(taken?.expiry)
  taken?.thread.ref()
  return taken?.thread
}

function makeIdle(thread: Worker): void {
  thread.unref()
  const expiry = setTimeout(() => void takeIdle()?.terminate(), IDLE_MS_MAX).unref()
  idle = { thread, expiry }
}

const END_OF_FILE = '%%EOF'
const TAIL_BYTES = 1024

/** Returns whether a PDF has its end marker. Readers search the last kilobyte, because many programs append data. */
export async function endsAsPdf(handle: FileHandle, bytes: number): Promise<boolean> {
  const tail = Buffer.alloc(Math.min(TAIL_BYTES, bytes))
  await handle.read(tail, 0, tail.length, bytes - tail.length)
  return tail.includes(END_OF_FILE)
}
