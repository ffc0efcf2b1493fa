import { workerPool, type WorkerPool } from '../../queues/worker-pool.ts'
import type { PdfFault } from './active-content.ts'
import type { PdfFinding } from './worker.ts'

/** Five times what a file can take on an idle machine */
const MS_MAX = 10_000
const MEMORY = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 192 }

/**
 * Returns a function that resolves to the reason to reject the PDF at a path; undefined if it is accepted. It inspects
 * one PDF at a time, in a thread. Starting one costs more than inspecting a small file.
 */
export function createPdfCheck(): (path: string) => Promise<PdfFault | undefined> {
  let thread = openThread()

  return async (path) => {
    try {
      const { fault, isSpent } = await thread.run(path, { signal: AbortSignal.timeout(MS_MAX) })
      if (isSpent) {
        await thread.close()
        thread = openThread()
      }
      return fault
    } catch {
      return 'file_unreadable' // out of time or memory
    }
  }
}

function openThread(): WorkerPool<string, PdfFinding> {
  const filename = new URL('worker.js', import.meta.url).href
  return workerPool({ filename, maxThreads: 1, idleTimeout: 10_000, resourceLimits: MEMORY })
}
