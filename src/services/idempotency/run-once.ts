import { RATE_LIMITS } from '../../../generated/rate-limits.ts'
import type { Context } from '../../context.ts'
import type { AnyCall, IdempotentRequest } from '../../contract/operation.ts'
import type { Bearer } from '../../domain/accounts/account.ts'
import { Failure, invalidData } from '../../domain/failure.ts'
import type { Claim, KeyState, Outcome } from '../../domain/idempotency.ts'

/** The parts of a call that decide whether it runs */
export type IdempotentCall = AnyCall & {
  idempotency: IdempotentRequest | undefined
  /** The account that the key belongs to; the keys of public operations belong to no account */
  bearer?: Bearer
}

/** A request that has claimed its key */
export type Attempt = Readonly<{
  claim: Claim
  /** Stores the outcome of a message that was sent. If that fails, the key remains claimed, so that none is sent again. */
  finish(outcome: Outcome): Promise<void>
}>

type Once<Result> = {
  /**
   * Whether the outcome is stored in the transaction of the change. Otherwise, an interrupted request may have sent a
   * message, and is not repeated.
   */
  isAtomic: boolean
  /** Runs the request; without a key, the attempt is undefined. A Failure means that it had no effect or was finished. */
  run(attempt: Attempt | undefined): Promise<Result>
  /**
   * Counts a repeated key before the response says whether the body is the first one. Required if the body has a password or
   * a code, which could be guessed otherwise. Throws a Failure after too many guesses.
   */
  countGuess?(isWrong: boolean): Promise<void>
  /** Returns the result of a stored success. */
  replay(outcome: Outcome): Result | Promise<Result>
}

const RUNNING_SECONDS = 1

/**
 * Runs a request once for each `Idempotency-Key`. A retry gets the stored outcome, and counts towards no limit of the
 * operation, except as a guess. Without a key, the request simply runs.
 *
 * @throws Failure 409 `idempotency_in_progress` or `idempotency_outcome_unknown`, 422 on `idempotency-key`, 429
 * `rate_limited`, and those of the stored outcome
 */
export async function runOnce<Result>(call: IdempotentCall, context: Context, once: Once<Result>): Promise<Result> {
  const { idempotency, bearer, client, rateLimiter } = call
  if (!idempotency) return once.run(undefined)
  // Limits the rows and the writes of one network. Administrators are trusted.
  if (!bearer) await rateLimiter.consume({ policy: RATE_LIMITS['idempotency-keys'], key: client.network })
  const { key, operation, content } = idempotency
  const scope = `${operation} ${bearer?.accountId ?? ''}`
  const identities = context.idempotencySecrets.identify({ scope, key, content })
  const token = crypto.randomUUID()
  const found = await context.store.idempotencyKeys
    .claim(identities, { token, canRunAgain: once.isAtomic, accountId: bearer?.accountId })
    .catch((error: unknown) => {
      releaseKeyLater({ id: identities[0].id, token }, context) // it may be stored although its response is lost
      throw error
    })
  await countRepeated(found, once)
  switch (found.state) {
    case 'claimed':
      return runClaimed(found.claim, context, once)
    case 'reused':
      throw invalidData({ 'idempotency-key': ['idempotency_key_reused'] })
    case 'running':
      throw new Failure('idempotency_in_progress', { retryAfterSeconds: RUNNING_SECONDS })
    case 'interrupted':
      throw new Failure('idempotency_outcome_unknown')
    case 'finished':
      return replayOutcome(found.outcome, idempotency, once)
  }
}

/** Counts a request whose key was used before. The first request with a key is not counted. */
async function countRepeated({ state }: KeyState, { countGuess }: Pick<Once<unknown>, 'countGuess'>): Promise<void> {
  if (state !== 'claimed') await countGuess?.(state === 'reused')
}

/** Runs a request, and releases its key if the request certainly had no effect. */
async function runClaimed<Result>(claim: Claim, context: Context, once: Once<Result>): Promise<Result> {
  const progress = { isFinished: false }
  const logFailure = (error: unknown): void =>
    context.log.error({ err: error }, 'outcome of a request could not be stored')
  const attempt: Attempt = {
    claim,
    async finish(outcome) {
      progress.isFinished = true
      await context.store.idempotencyKeys.finish(claim, outcome).catch(logFailure)
    },
  }
  try {
    return await once.run(attempt)
  } catch (error) {
    // An unexpected error leaves open whether a message was sent. An atomic change has stored its outcome if it was made.
    const hadNoEffect = !progress.isFinished && (once.isAtomic || error instanceof Failure)
    if (hadNoEffect) await context.store.idempotencyKeys.release(claim).catch(() => releaseKeyLater(claim, context))
    throw error
  }
}

async function replayOutcome<Result>(
  outcome: Outcome,
  { markReplayed }: IdempotentRequest,
  { replay }: Once<Result>,
): Promise<Result> {
  const { errorCode, retryAfterSeconds } = outcome
  if (errorCode !== undefined) {
    markReplayed()
    throw new Failure(errorCode, { retryAfterSeconds: Math.max(1, retryAfterSeconds ?? 1) })
  }
  const result = await replay(outcome)
  markReplayed()
  return result
}

/** Tries in the background, about two a second */
const TRIES_MAX = 10

/**
 * Releases the key of a request that had no effect in the background, when the database is unavailable. Its claim may not be
 * stored yet. Requests with a key that cannot be released return `409 idempotency_outcome_unknown` for 24 hours.
 */
function releaseKeyLater(claim: Claim, { store, background, log }: Context): void {
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
