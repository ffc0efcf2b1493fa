import { column, select } from '../../database/columns.ts'
import { runComposed, type Bind } from '../../database/composed.ts'
import { nowSql, query, type Driver } from '../../database/query.ts'
import type { Clock } from '../../domain/clock.ts'
import { Failure } from '../../domain/failure.ts'
import type { Claim, Completion, Outcome } from '../../domain/idempotency.ts'

/**
 * Stores the outcome of a request in the transaction of its change.
 *
 * @throws Failure 409 `idempotency_in_progress` if another request has taken the key over, which rolls the change back
 */
export async function finishKey(driver: Driver, claim: Claim, outcome: Outcome, clock: Clock): Promise<void> {
  const selection = select({ id: column<string>('id') })
  const row = await runComposed(driver, (bind) =>
    query(selection, () => finishUpdate(claim, outcome, { bind, shiftSeconds: clock.shiftMs() / 1000 })),
  )
  if (!row) throw new Failure('idempotency_in_progress', { retryAfterSeconds: 1 })
}

/** Stores the data of the response to a change in its transaction. Throws like `finishKey`. */
export async function complete<Result>(
  transaction: Driver,
  { claim, toData }: Completion<Result>,
  result: Result,
  clock: Clock,
): Promise<void> {
  await finishKey(transaction, claim, { data: toData(result) }, clock)
}

/** Returns the statement that stores an outcome. It returns a row if the request still has its key. */
export function finishUpdate(
  { id, token }: Claim,
  { errorCode, retryAfterSeconds, sessionId, data }: Outcome,
  { bind, shiftSeconds }: { bind: Bind; shiftSeconds: number },
): string {
  const now = nowSql(`${bind(shiftSeconds)}::float8`)
  return `
    UPDATE idempotency_keys SET finished_at = ${now}, error_code = ${bind(errorCode ?? null)}::text,
      retry_at = ${now} + make_interval(secs => ${bind(retryAfterSeconds ?? null)}::float8),
      session_id = ${bind(sessionId ?? null)}::uuid, data = ${bind(data ?? null)}::bytea
    WHERE id = ${bind(id)}::text AND claim = ${bind(token)}::uuid AND finished_at IS NULL RETURNING id`
}
