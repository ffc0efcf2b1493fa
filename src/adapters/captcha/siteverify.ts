import { Agent } from 'undici'
import type { Clock } from '../../domain/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { Metrics } from '../../lib/metrics.ts'
import { createCircuit } from '../resilience/circuit.ts'
import { withDeadline } from '../resilience/deadline.ts'
import type { Captcha } from './index.ts'
import { CONNECT_MS_MAX, missingResult, requestVerification, type Verifier } from './verifier.ts'

const TIMEOUT_MS = 4000
const CONNECTIONS_MAX = 16
/** The time after a failure in which no challenge is required */
const PAUSE_MS = 10_000
/** Statuses that the content of a request causes: a client must not be able to make the verifier look unavailable. */
const CONTENT_STATUSES: ReadonlySet<number> = new Set([400, 413, 414, 422])

type Options = { log: Log; clock: Clock; metrics?: Metrics | undefined; timeoutMs?: number }

/** Verifies solutions by the siteverify protocol of Turnstile, hCaptcha and reCAPTCHA. Scores are ignored. */
export function siteverifyCaptcha(
  verifier: Verifier,
  { log, clock, metrics, timeoutMs = TIMEOUT_MS }: Options,
): Captcha {
  const dispatcher = new Agent({ connections: CONNECTIONS_MAX, connect: { timeout: CONNECT_MS_MAX } })
  const circuit = createCircuit({ name: 'captcha', metrics })
  let pausedUntilMs = -Infinity

  const post = async (solution: string, address: string, signal: AbortSignal): Promise<boolean> => {
    const { statusCode, isValid } = await requestVerification(verifier, { solution, address, signal, dispatcher })
    if (isValid !== undefined) return isValid
    if (CONTENT_STATUSES.has(statusCode)) return false
    throw missingResult(statusCode)
  }
  return {
    isAvailable: () => clock.nowMs() >= pausedUntilMs,
    async verify(solution, address) {
      const isValid = await circuit(() => withDeadline(timeoutMs, (signal) => post(solution, address, signal))).catch(
        (error: unknown) => {
          if (clock.nowMs() >= pausedUntilMs)
            log.warn({ err: error }, 'CAPTCHA verifier unavailable: the limits apply without challenges')
          pausedUntilMs = clock.nowMs() + PAUSE_MS
          return undefined
        },
      )
      const outcome = isValid === undefined ? 'unavailable' : isValid ? 'valid' : 'invalid'
      metrics?.count('tawthiq_captcha_checks_total', { outcome })
      return isValid
    },
  }
}
