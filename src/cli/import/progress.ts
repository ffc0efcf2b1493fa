import type { FieldFailures } from '../../domain/failure.ts'
import type { ImportState } from '../../domain/import.ts'
import type { Batch, RejectedRow } from './batches.ts'
import { getCode } from './report/lines.ts'

/** Returns the state of an import after another batch. */
export function advanceState(
  state: ImportState,
  { rows }: Batch,
  rejected: readonly RejectedRow[],
  report: ImportState['report'],
): ImportState {
  return {
    rows: state.rows + rows.length,
    imported: state.imported + rows.length - rejected.length,
    refused: state.refused + rejected.length,
    reasons: countReasons(state.reasons, rejected),
    report,
    finishedAt: undefined,
  }
}

function countReasons(reasons: ImportState['reasons'], rejected: readonly RejectedRow[]): ImportState['reasons'] {
  const counts = { ...reasons }
  for (const reason of rejected.flatMap(({ failures }) => listReasons(failures))) {
    counts[reason] = (counts[reason] ?? 0) + 1
  }
  return counts
}

/** Returns the reasons of a rejection. All unknown fields count as one reason. */
function listReasons(failures: FieldFailures): string[] {
  return Object.entries(failures).flatMap(([field, found = []]) =>
    found.map(getCode).map((code) => (code === 'unknown_field' ? `row: ${code}` : `${field}: ${code}`)),
  )
}
