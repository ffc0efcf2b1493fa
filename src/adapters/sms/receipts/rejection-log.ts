import type { Clock } from '../../../domain/clock.ts'
import type { Log } from '../../../lib/log.ts'
import type { ReceiptReader } from './reader.ts'

const INTERVAL_MS = 60_000

/**
 * Logs which variables to check when receipts of a provider are rejected. Anyone can send requests without a valid signature,
 * so there is at most one line per minute.
 */
export function withRejectionLog(
  reader: ReceiptReader,
  { provider, variables }: { provider: string; variables: readonly string[] },
  { clock, log }: { clock: Clock; log: Log },
): ReceiptReader {
  let rejected = 0
  let quietUntilMs = -Infinity
  const note = (): void => {
    rejected++
    if (clock.nowMs() < quietUntilMs) return
    log.warn(
      { provider, variables, rejected },
      'SMS receipts rejected: the signature or the token does not match the variables',
    )
    rejected = 0
    quietUntilMs = clock.nowMs() + INTERVAL_MS
  }
  return {
    ...reader,
    isGenuine(request) {
      const isGenuine = reader.isGenuine(request)
      if (!isGenuine) note()
      return isGenuine
    },
  }
}
