import { isTawthiqError } from '../errors.ts'
import { pause } from './pause.ts'
import type { Incoming } from './transport.ts'

const RETRIES = 2
const FIRST_PAUSE_MS = 300
/** A response with a longer `Retry-After` is not retried. */
const RETRY_AFTER_SECONDS_MAX = 5

/**
 * Retries a request that has no second effect, at most twice: on network failures, on 503, and while its first attempt is
 * still running.
 */
export async function retry(send: () => Promise<Incoming>): Promise<Incoming> {
  for (let retries = 0; ; retries++) {
    const isLast = retries === RETRIES
    let waitMs = FIRST_PAUSE_MS * 2 ** retries
    try {
      const incoming = await send()
      const { headers } = incoming.response
      const seconds = headers.get('retry-after')
      if (isLast || !isTemporary(incoming.response) || Number(seconds) > RETRY_AFTER_SECONDS_MAX) return incoming
      if (seconds !== null) waitMs = Number(seconds) * 1000
    } catch (error) {
      if (isLast || !isNetworkFailure(error)) throw error
    }
    await pause(waitMs)
  }
}

function isTemporary({ status, headers }: Response): boolean {
  return status === 503 || headers.get('error-code') === 'idempotency_in_progress'
}

const REFRESH_MS_MAX = 25_000

/** Retries a refresh on network failures. A refresh token can be sent again as long as its successor is unused. */
export async function retryRefresh<T>(refresh: () => Promise<T>): Promise<T> {
  const startedAt = Date.now()
  for (let retries = 0; ; retries++) {
    try {
      return await refresh()
    } catch (error) {
      const waitMs = FIRST_PAUSE_MS * 2 ** retries
      if (!isNetworkFailure(error) || Date.now() + waitMs - startedAt > REFRESH_MS_MAX) throw error
      await pause(waitMs)
    }
  }
}

function isNetworkFailure(error: unknown): boolean {
  return isTawthiqError(error) && error.code === 'network'
}
