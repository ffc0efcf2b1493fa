import type { Newcomer, Taken } from '../domain/import.ts'
import type { FieldFailures } from '../domain/failure.ts'
import type { Checked, RowCheck } from './row-check.ts'
import type { Row } from './row.ts'

/** As many as a database writes in some hundredths of a second. */
export const BATCH_ROWS = 500

/** Rows that are written together. */
export type Batch = Readonly<{ rows: readonly Checked[]; newcomers: readonly Newcomer[] }>

export type Refusal = Readonly<{ line: number; email: unknown; failures: FieldFailures }>

export async function* batchesOf(arriving: AsyncIterable<Row[]>, check: RowCheck): AsyncGenerator<Batch> {
  let rows: Checked[] = []
  for await (const arrived of arriving) {
    for (const row of arrived) {
      rows.push(check(row))
      if (rows.length < BATCH_ROWS) continue
      yield batchOf(rows)
      rows = []
    }
  }
  if (rows.length > 0) yield batchOf(rows)
}

function batchOf(rows: readonly Checked[]): Batch {
  return { rows, newcomers: rows.flatMap(({ verdict }) => ('newcomer' in verdict ? [verdict.newcomer] : [])) }
}

/**
 * The rows of a batch that are refused, in their order.
 *
 * @param taken what others have of each newcomer
 */
export function refusalsIn({ rows }: Batch, taken: readonly Taken[]): Refusal[] {
  const verdicts = taken.values()
  return rows.flatMap(({ line, email, verdict }) => {
    const failures = 'failures' in verdict ? verdict.failures : failuresOf(verdicts.next().value)
    return Object.keys(failures).length === 0 ? [] : [{ line, email, failures }]
  })
}

function failuresOf(taken: Taken | undefined): FieldFailures {
  return { ...(taken?.email && { email: ['email_taken'] }), ...(taken?.phone && { phone: ['phone_taken'] }) }
}
