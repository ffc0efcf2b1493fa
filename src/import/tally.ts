import type { FieldFailures } from '../domain/failure.ts'
import type { ImportState } from '../domain/import.ts'
import type { Batch, Refusal } from './batches.ts'
import { codeOf } from './report-lines.ts'

/** How far an import has come with one batch more. */
export function tallied(
  state: ImportState,
  { rows }: Batch,
  refusals: readonly Refusal[],
  report: ImportState['report'],
): ImportState {
  return {
    rows: state.rows + rows.length,
    imported: state.imported + rows.length - refusals.length,
    refused: state.refused + refusals.length,
    reasons: counted(state.reasons, refusals),
    report,
    finishedAt: undefined,
  }
}

function counted(reasons: ImportState['reasons'], refusals: readonly Refusal[]): ImportState['reasons'] {
  const counts = { ...reasons }
  for (const reason of refusals.flatMap(({ failures }) => reasonsOf(failures))) {
    counts[reason] = (counts[reason] ?? 0) + 1
  }
  return counts
}

/** Rows name their unknown fields as they like: they count as one. */
function reasonsOf(failures: FieldFailures): string[] {
  return Object.entries(failures).flatMap(([field, found]) =>
    found.map(codeOf).map((code) => (code === 'unknown_field' ? `row: ${code}` : `${field}: ${code}`)),
  )
}
