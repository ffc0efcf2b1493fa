import { Impossible } from '../command-line/errors.ts'
import type { ImportState } from '../domain/import.ts'
import type { FileImport } from '../store/imports.ts'
import { refusalsIn, type Batch } from './batches.ts'
import type { Place } from './choose-report.ts'
import type { Progress } from './progress.ts'
import { reportLine } from './report-lines.ts'
import { tallied } from './tally.ts'

type Parts = {
  add: FileImport['add']
  place: Place
  isUnchanged: () => Promise<boolean>
  progress: Progress
  signal: AbortSignal
}

/** Writes one batch after the other, while the next ones are read and checked. */
export async function writeBatches(
  batches: AsyncIterable<Batch>,
  began: ImportState,
  parts: Parts,
): Promise<{ state: ImportState; isWhole: boolean }> {
  const write = batchWriter(parts)
  let state = began
  for await (const batch of batches) {
    if (parts.signal.aborted) return { state, isWhole: false }
    state = await write(batch, state)
  }
  return { state, isWhole: true }
}

function batchWriter({
  add,
  place,
  isUnchanged,
  progress,
}: Parts): (batch: Batch, before: ImportState) => Promise<ImportState> {
  const { report } = place
  let { bytes } = place
  return async (batch, before) => {
    if (!(await isUnchanged())) throw new Impossible('The file has changed since it was opened.')
    let endBytes = bytes
    // The report is written before the database knows of it: what it does not know of is cut off.
    const state = await add(batch.newcomers, before, async (taken) => {
      const refusals = refusalsIn(batch, taken)
      endBytes = await report.write(refusals.map(reportLine).join(''), bytes)
      return tallied(before, batch, refusals, endBytes > 0 ? { path: report.path, bytes: endBytes } : before.report)
    })
    bytes = endBytes
    progress.show(state, batch.rows.at(-1)?.end ?? 0)
    return state
  }
}
