import { Agent, request } from 'undici'
import type { Clock } from '../../domain/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { Metrics } from '../../lib/metrics.ts'
import { createCircuit } from '../resilience/circuit.ts'
import { withDeadline } from '../resilience/deadline.ts'
import { dump, readJson } from '../sms/providers/http-body.ts'
import type { Captcha } from './index.ts'

const TIMEOUT_MS = 4000
const CONNECT_MS_MAX = 1500
const CONNECTIONS_MAX = 16
/** The time after a failure in which no challenge is required */
const PAUSE_MS = 10_000
/** Statuses that the content of a request causes: a client must not be able to make the verifier look unavailable. */
const CONTENT_STATUSES: ReadonlySet<number> = new Set([400, 413, 414, 422])
/** Codes in `error-codes` that a client cannot cause */
const SECRET_ERRORS: ReadonlySet<unknown> = new Set(['missing-input-secret', 'invalid-input-secret'])

type Options = { log: Log; clock: Clock; metrics?: Metrics | undefined; timeoutMs?: number }

/**
 * Verifies solutions by the siteverify protocol of Turnstile, hCaptcha and reCAPTCHA: a form with `secret`, `response` and
 * `remoteip`, and a JSON response with `success`. Redirects are not followed. Scores are ignored.
 */
export function siteverifyCaptcha(
  { url, secret }: Readonly<{ url: string; secret: string }>,
  { log, clock, metrics, timeoutMs = TIMEOUT_MS }: Options,
): Captcha {
  const dispatcher = new Agent({ connections: CONNECTIONS_MAX, connect: { timeout: CONNECT_MS_MAX } })
  const circuit = createCircuit({ name: 'captcha', metrics })
  let pausedUntilMs = -Infinity

  const post = async (response: string, remoteip: string, signal: AbortSignal): Promise<boolean> => {
    const answer = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams({ secret, response, remoteip }).toString(),
      signal,
      dispatcher,
    })
    const { statusCode } = answer
    if (statusCode >= 500) dump(answer, signal)
    return judge(statusCode, statusCode >= 500 ? undefined : await readJson(answer))
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

/** @throws Error if the response says nothing about the solution */
function judge(statusCode: number, json: unknown): boolean {
  const { success, 'error-codes': codes } = (json ?? {}) as { success?: unknown; 'error-codes'?: unknown } // read defensively
  if (Array.isArray(codes) && codes.some((code) => SECRET_ERRORS.has(code)))
    throw new Error('The CAPTCHA verifier rejects CAPTCHA_SECRET.')
  if (typeof success === 'boolean' && statusCode < 500) return success && statusCode < 300
  if (CONTENT_STATUSES.has(statusCode)) return false
  throw new Error(`The CAPTCHA verifier returned ${statusCode} without a result.`)
}
