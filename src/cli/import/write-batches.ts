import { CommandError } from '../errors.ts'
import type { ImportState } from '../../domain/import.ts'
import type { FileImport } from '../../store/imports/index.ts'
import { findRejectedRows, type Batch } from './batches.ts'
import type { ReportTarget } from './report/choose-report.ts'
import { advanceState, type Progress } from './progress.ts'
import { reportLine } from './report/lines.ts'

type Dependencies = {
  add: FileImport['add']
  target: ReportTarget
  isUnchanged: () => Promise<boolean>
  progress: Progress
  signal: AbortSignal
}

/** Writes one batch after the other while the next ones are read and checked. */
export async function writeBatches(
  batches: AsyncIterable<Batch>,
  initial: ImportState,
  dependencies: Dependencies,
): Promise<{ state: ImportState; isComplete: boolean }> {
  const write = batchWriter(dependencies)
  let state = initial
  for await (const batch of batches) {
    if (dependencies.signal.aborted) return { state, isComplete: false }
    state = await write(batch, state)
  }
  return { state, isComplete: true }
}

function batchWriter({
  add,
  target,
  isUnchanged,
  progress,
}: Dependencies): (batch: Batch, before: ImportState) => Promise<ImportState> {
  const { report } = target
  let { bytes } = target
  return async (batch, before) => {
    if (!(await isUnchanged()))
      throw new CommandError(
        'The file was changed during the import. Import the changed file again from the beginning.',
      )
    let endBytes = bytes
    // The report is written first. An interrupted import truncates what the database has not recorded.
    const state = await add(batch.accounts, before, async (taken) => {
      const rejected = findRejectedRows(batch, taken)
      endBytes = await report.write(rejected.map(reportLine).join(''), bytes)
      return advanceState(
        before,
        batch,
        rejected,
        endBytes > 0 ? { path: report.path, bytes: endBytes } : before.report,
      )
    })
    bytes = endBytes
    progress.show(state, batch.rows.at(-1)?.end ?? 0)
    return state
  }
}
