import { Agent, request, type Dispatcher } from 'undici'
import type { Clock } from '../../domain/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { Metrics } from '../../lib/metrics.ts'
import { createCircuit } from '../resilience/circuit.ts'
import { withDeadline } from '../resilience/deadline.ts'
import { dump, readJson } from '../resilience/http-body.ts'
import type { Captcha } from './index.ts'

/** The siteverify endpoint of a service, and the secret for it */
export type Verifier = Readonly<{ url: string; secret: string }>

/** The longest time for a connection to the verifier */
const CONNECT_MS_MAX = 1500
const TIMEOUT_MS = 4000
const CONNECTIONS_MAX = 16
/** The time after a failure in which no challenge is required */
const PAUSE_MS = 10_000
/** Statuses that the content of a request causes: a client must not be able to make the verifier look unavailable. */
const CONTENT_STATUSES: ReadonlySet<number> = new Set([400, 413, 414, 422])

/** Codes in `error-codes` that a client cannot cause */
const SECRET_ERRORS: ReadonlySet<unknown> = new Set(['missing-input-secret', 'invalid-input-secret'])

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

/** No widget creates this token. */
const INVALID_SOLUTION = 'tawthiq-doctor'
/** An address for documentation (RFC 5737), because there is no client */
const ADDRESS = '192.0.2.1'

/**
 * Resolves to whether the verifier accepts a solution that is not valid, as it does with the secrets for tests.
 *
 * @throws Error if it cannot be reached, rejects the secret, or returns no result
 */
export async function acceptsInvalidSolution(verifier: Verifier, signal: AbortSignal): Promise<boolean> {
  const dispatcher = new Agent({ connect: { timeout: CONNECT_MS_MAX } })
  try {
    const attempt = { solution: INVALID_SOLUTION, address: ADDRESS, signal, dispatcher }
    const { statusCode, isValid } = await requestVerification(verifier, attempt)
    if (isValid === undefined) throw missingResult(statusCode)
    return isValid
  } finally {
    await dispatcher.destroy()
  }
}

/** `isValid` is undefined if the response says nothing about the solution. */
type VerifierResponse = Readonly<{ statusCode: number; isValid: boolean | undefined }>

type Attempt = Readonly<{ solution: string; address: string; signal: AbortSignal; dispatcher: Dispatcher }>

/**
 * Has a solution verified: a form with `secret`, `response` and `remoteip`, and a JSON response with `success`. Redirects are
 * not followed.
 *
 * @throws Error if the verifier cannot be reached, or rejects the secret
 */
async function requestVerification(
  { url, secret }: Verifier,
  { solution, address, signal, dispatcher }: Attempt,
): Promise<VerifierResponse> {
  const response = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams({ secret, response: solution, remoteip: address }).toString(),
    signal,
    dispatcher,
  })
  const { statusCode } = response
  if (statusCode >= 500) {
    dump(response, signal)
    return { statusCode, isValid: undefined }
  }
  const json = await readJson(response)
  const { success, 'error-codes': codes } = (json ?? {}) as { success?: unknown; 'error-codes'?: unknown } // read defensively
  if (Array.isArray(codes) && codes.some((code) => SECRET_ERRORS.has(code)))
    throw new Error('The CAPTCHA verifier rejects CAPTCHA_SECRET.')
  return { statusCode, isValid: typeof success === 'boolean' ? success && statusCode < 300 : undefined }
}

/** Returns the error for a response that says nothing about the solution. */
function missingResult(statusCode: number): Error {
  return new Error(`The CAPTCHA verifier returned ${statusCode} without a result.`)
}
