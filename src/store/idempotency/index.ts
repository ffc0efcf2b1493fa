import { LIMITS } from '../../../generated/limits.ts'
import type { IdempotencyKey } from '../../../generated/prisma/client.ts'
import { column, outerTable, query, queryOnlyRow, type Driver } from '../../database/sql.ts'
import type { Database } from '../../database/index.ts'
import { Failure, type ErrorCode } from '../../domain/failure.ts'
import type { Claim, KeyState, Outcome, RequestIdentity, Completion } from '../../domain/idempotency.ts'
import { runComposed, type Bind } from '../../database/composed.ts'

/** The requests with an Idempotency-Key. A key is forgotten after 24 hours. */
export type IdempotencyKeys = {
  /**
   * Claims the key of a request, or returns the state of the request that has it.
   *
   * @param identities the first is stored
   * @param options.token a new random UUID, the token of the claim
   * @param options.canRunAgain whether an interrupted request certainly had no effect, because its outcome is stored in
   * the transaction of the change; the key can then be claimed again
   * @param options.accountId the account that sends the request; a revocation of it forgets the key
   * @throws Failure 503 `overloaded` after too many concurrent changes of the key
   */
  claim(identities: readonly [RequestIdentity, ...RequestIdentity[]], options: ClaimOptions): Promise<KeyState>
  /** Stores the outcome of a request that has no transaction. */
  finish(claim: Claim, outcome: Outcome): Promise<void>
  /** Forgets the key of a request that had no effect. A stored outcome remains. */
  release(claim: Claim): Promise<void>
}

type ClaimOptions = { token: string; canRunAgain: boolean; accountId?: number | undefined }

/** Of concurrent changes of a key, one always succeeds. */
const DECISIONS_MAX = 10

const { hours, lease_seconds: leaseSeconds } = LIMITS.idempotency

const k = outerTable('IdempotencyKey', 'k')

/** Does not wait for a request that stores its outcome: the reads see the row as it was before. */
const CLAIM = query(
  {
    ...k,
    isClaimed: column<boolean>('EXISTS (SELECT 1 FROM claimed)'),
    isExpired: column<boolean>(`k.created_at <= service_now() - interval '${hours} hours'`),
    isInterrupted: column<boolean>(`k.claimed_at <= service_now() - interval '${leaseSeconds} seconds'`),
    retryAfterSeconds: column<number | null>(`ceil(extract(epoch FROM k.retry_at - service_now()))::int`),
  },
  (list) => `
    WITH claimed AS (
      INSERT INTO idempotency_keys (id, fingerprint, claim, created_at, claimed_at, account_id)
      SELECT $1, $2, $3::uuid, service_now(), service_now(), $5::int
      WHERE NOT EXISTS (SELECT 1 FROM idempotency_keys WHERE id = ANY ($4::text[]))
      ON CONFLICT (id) DO NOTHING RETURNING 1)
    SELECT ${list} FROM (VALUES (1)) AS one LEFT JOIN idempotency_keys k ON k.id = ANY ($4::text[]) LIMIT 1`,
  'claim-idempotency-key',
)

const TAKE_OVER = `UPDATE idempotency_keys SET claim = $3::uuid, claimed_at = service_now()
  WHERE id = $1 AND claim = $2::uuid AND finished_at IS NULL`
const FORGET = 'DELETE FROM idempotency_keys WHERE id = $1 AND claim = $2::uuid'
const RELEASE = `${FORGET} AND finished_at IS NULL`

export function idempotencyKeys({ pool }: Pick<Database, 'pool'>): IdempotencyKeys {
  const decide = async (
    identities: readonly [RequestIdentity, ...RequestIdentity[]],
    { token, canRunAgain, accountId }: ClaimOptions,
  ): Promise<KeyState | undefined> => {
    const [{ id, fingerprint }] = identities
    const ids = identities.map((each) => each.id)
    const found = await queryOnlyRow(pool, CLAIM, id, fingerprint, token, ids, accountId ?? null)
    if (found.isClaimed) return { state: 'claimed', claim: { id, token } }
    if (found.id === null || found.claim === null) return undefined // inserted concurrently
    if (found.isExpired) {
      await pool.query(FORGET, [found.id, found.claim])
      return undefined
    }
    const isSame = identities.some((each) => each.id === found.id && each.fingerprint === found.fingerprint)
    if (!isSame) return { state: 'reused' }
    if (found.finishedAt !== null) return { state: 'finished', outcome: toOutcome(found) }
    if (!found.isInterrupted) return { state: 'running' }
    if (!canRunAgain) return { state: 'interrupted' }
    const { rowCount } = await pool.query(TAKE_OVER, [found.id, found.claim, token])
    return rowCount === 1 ? { state: 'claimed', claim: { id: found.id, token } } : undefined
  }
  return {
    async claim(identities, options) {
      for (let decisions = 0; decisions < DECISIONS_MAX; decisions++) {
        const state = await decide(identities, options)
        if (state) return state
      }
      throw new Failure('overloaded', { retryAfterSeconds: 1 })
    },
    finish: (claim, outcome) => finishKey(pool, claim, outcome),
    async release({ id, token }) {
      await pool.query(RELEASE, [id, token])
    },
  }
}

type Finished = Pick<IdempotencyKey, 'errorCode' | 'sessionId' | 'data'> & { retryAfterSeconds: number | null }

function toOutcome({ errorCode, retryAfterSeconds, sessionId, data }: Finished): Outcome {
  return {
    errorCode: (errorCode ?? undefined) as ErrorCode | undefined, // only outcomes are written
    retryAfterSeconds: retryAfterSeconds === null ? undefined : Math.max(0, retryAfterSeconds),
    sessionId: sessionId ?? undefined,
    data: data ?? undefined,
  }
}

/**
 * Stores the outcome of a request in the transaction of its change.
 *
 * @throws Failure 409 `idempotency_in_progress` if another request has taken the key over, which rolls the change back
 */
async function finishKey(transaction: Driver, claim: Claim, outcome: Outcome): Promise<void> {
  const columns = { id: column<string>('id') }
  const row = await runComposed(transaction, (bind) => query(columns, () => finishUpdate(claim, outcome, bind)))
  if (!row) throw new Failure('idempotency_in_progress', { retryAfterSeconds: 1 })
}

/** Stores the data of the response to a change in its transaction. Throws like `finishKey`. */
export async function complete<Result>(
  transaction: Driver,
  { claim, toData }: Completion<Result>,
  result: Result,
): Promise<void> {
  await finishKey(transaction, claim, { data: toData(result) })
}

/** Returns the statement that stores an outcome. It returns a row if the request still has its key. */
export function finishUpdate(
  { id, token }: Claim,
  { errorCode, retryAfterSeconds, sessionId, data }: Outcome,
  bind: Bind,
): string {
  return `
    UPDATE idempotency_keys SET finished_at = service_now(), error_code = ${bind(errorCode ?? null)}::text,
      retry_at = service_now() + make_interval(secs => ${bind(retryAfterSeconds ?? null)}::float8),
      session_id = ${bind(sessionId ?? null)}::uuid, data = ${bind(data ?? null)}::bytea
    WHERE id = ${bind(id)}::text AND claim = ${bind(token)}::uuid AND finished_at IS NULL RETURNING id`
}
