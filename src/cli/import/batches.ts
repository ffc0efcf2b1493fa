import type { ImportedAccount, TakenIdentifiers, ImportState } from '../../domain/import.ts'
import type { FieldFailures } from '../../domain/failure.ts'
import type { Checked, RowCheck } from './rows/row-check.ts'
import type { Row } from './readers/lines.ts'

/** A database writes this many rows in a few hundredths of a second. */
const BATCH_ROWS = 500

/** Rows that are written in one transaction. */
export type Batch = Readonly<{ rows: readonly Checked[]; accounts: readonly ImportedAccount[] }>

export type RejectedRow = Readonly<{ line: number; email: unknown; failures: FieldFailures }>

export async function* readBatches(chunks: AsyncIterable<Row[]>, check: RowCheck): AsyncGenerator<Batch> {
  let rows: Checked[] = []
  for await (const chunk of chunks) {
    for (const row of chunk) {
      rows.push(check(row))
      if (rows.length < BATCH_ROWS) continue
      yield buildBatch(rows)
      rows = []
    }
  }
  if (rows.length > 0) yield buildBatch(rows)
}

function buildBatch(rows: readonly Checked[]): Batch {
  return { rows, accounts: rows.flatMap(({ result }) => ('account' in result ? [result.account] : [])) }
}

/** Returns the rejected rows of a batch, in order. */
export function findRejectedRows({ rows }: Batch, taken: readonly TakenIdentifiers[]): RejectedRow[] {
  const takenInOrder = taken.values()
  return rows.flatMap(({ line, email, result }) => {
    const failures = 'failures' in result ? result.failures : buildFailures(takenInOrder.next().value)
    return Object.keys(failures).length === 0 ? [] : [{ line, email, failures }]
  })
}

function buildFailures(taken: TakenIdentifiers | undefined): FieldFailures {
  if (!taken) return {}
  return {
    ...(taken.email && { email: ['email_taken'] }),
    ...(taken.phone && { phone: ['phone_taken'] }),
    ...Object.fromEntries(taken.passkeys.map((at) => [`passkeys.${at}.credential_id`, ['passkey_known']] as const)),
  }
}

export type Outcome = Readonly<{
  state: ImportState
  /** `known`: the file was imported before; `stopped`: interrupted by the operator */
  end: 'done' | 'known' | 'stopped'
  /** The number of rows of this run, and its duration */
  rows: number
  ms: number
}>
