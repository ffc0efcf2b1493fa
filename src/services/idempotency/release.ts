import type { Context } from '../../context.ts'
import type { Claim } from '../../domain/idempotency.ts'

type Parts = Pick<Context, 'store' | 'background' | 'log'>

/** Tries in the background, about two a second */
const TRIES_MAX = 10

/**
 * Releases the key of a request that had no effect, so that a retry runs. If the database is unavailable, it is tried again
 * in the background. Requests with a key that cannot be released return `409 idempotency_outcome_unknown` for 24 hours.
 */
export async function releaseKey(claim: Claim, parts: Parts): Promise<void> {
  await parts.store.idempotencyKeys.release(claim).catch(() => releaseKeyLater(claim, parts))
}

/** Releases a key in the background. Its claim may not be stored yet. */
export function releaseKeyLater(claim: Claim, { store, background, log }: Parts): void {
  const enqueue = (triesLeft: number): void =>
    background.enqueue('release of an idempotency key', () =>
      store.idempotencyKeys.release(claim).catch((error: unknown) => {
        if (triesLeft === 0) throw error
        enqueue(triesLeft - 1)
      }),
    )
  try {
    enqueue(TRIES_MAX - 1)
  } catch (error) {
    log.error({ err: error }, 'idempotency key could not be released') // the queue is full
  }
}
