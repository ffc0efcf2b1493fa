import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { FieldCode } from '../../../domain/failure.ts'
import type { PdfFault } from './active-content.ts'

export { endsAsPdf } from './end.ts'

const MS_MAX = 10_000
const MEMORY = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 256 }

const CODES: Readonly<Record<PdfFault, FieldCode>> = {
  active: 'file_active_content',
  encrypted: 'file_encrypted',
  unreadable: 'file_unreadable',
}

/**
 * Resolves to the reason to reject the PDF at `path`; undefined if it is accepted. A PDF that takes longer than 10
 * seconds to inspect is rejected.
 */
export async function judgePdf(path: string): Promise<FieldCode | undefined> {
  const worker = new Worker(new URL('worker.js', import.meta.url), { workerData: path, resourceLimits: MEMORY })
  try {
    const [fault] = (await once(worker, 'message', { signal: AbortSignal.timeout(MS_MAX) })) as [PdfFault | undefined]
    return fault && CODES[fault]
  } catch {
    return 'file_unreadable' // out of time or memory
  } finally {
    await worker.terminate()
  }
}
