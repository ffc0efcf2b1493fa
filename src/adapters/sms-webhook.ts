import {
  BrokenCircuitError,
  bulkhead,
  BulkheadRejectedError,
  circuitBreaker,
  ConsecutiveBreaker,
  handleAll,
  wrap,
} from 'cockatiel'
import { Agent, request } from 'undici'
import { SmsRefused, type SmsProvider } from './sms.ts'

const SEND_MS_MAX = 4000
const IN_FLIGHT_MAX = 32
const ANSWER_BYTES_MAX = 64 * 1024
const FAILURES_BEFORE_BREAK = 5
const BREAK_MS = 10_000
/** What the network says when nothing can have reached the provider. */
const NOT_REACHED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/**
 * Posts `{to, text, reference}` as JSON; 2xx means that the message was taken. Redirects are not followed. After some
 * failures in a row the provider is not asked for a while.
 *
 * @param options.token sent as `Authorization: Bearer <token>`
 * @param options.timeoutMs how long a send may take in all
 */
export function webhookProvider(
  url: string,
  options: { token?: string | undefined; timeoutMs?: number } = {},
): SmsProvider {
  const { token, timeoutMs = SEND_MS_MAX } = options
  const dispatcher = new Agent({ connections: IN_FLIGHT_MAX, connect: { timeout: timeoutMs } })
  const headers = {
    'content-type': 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  }
  const breaker = new ConsecutiveBreaker(FAILURES_BEFORE_BREAK)
  const guarded = wrap(bulkhead(IN_FLIGHT_MAX), circuitBreaker(handleAll, { halfOpenAfter: BREAK_MS, breaker }))

  const post = async (message: object): Promise<number> => {
    const signal = AbortSignal.timeout(timeoutMs)
    const { statusCode, body } = await request(url, {
      method: 'POST',
      headers,
      body: JSON.stringify(message),
      signal,
      dispatcher,
    })
    await body.dump({ limit: ANSWER_BYTES_MAX, signal })
    if (statusCode >= 500) throw new SmsRefused(`The SMS provider answered ${statusCode}.`)
    return statusCode
  }
  return async (message) => {
    const statusCode = await guarded
      .execute(() => post(message))
      .catch((error: unknown) => {
        throw wasAsked(error) ? error : new SmsRefused('The SMS provider could not be asked.', { cause: error })
      })
    if (statusCode >= 300) throw new SmsRefused(`The SMS provider answered ${statusCode}.`)
  }
}

function wasAsked(error: unknown): boolean {
  if (error instanceof BrokenCircuitError || error instanceof BulkheadRejectedError) return false
  return !(error instanceof Error && 'code' in error && NOT_REACHED.has(String(error.code)))
}
