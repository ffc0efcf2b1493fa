import { bulkhead, BulkheadRejectedError } from 'cockatiel'
import { Agent, request } from 'undici'
import type { Observers } from '../../../lib/observers.ts'
import { createCircuit, CircuitOpenError } from '../../resilience/circuit.ts'
import { SmsRefused, type SmsMessage, type SmsProvider } from '../index.ts'
import { createTrackedBody, dump, readJson } from '../../resilience/http-body.ts'

/** Shorter than a whole send, so that an unreachable provider leaves time for the next one */
const CONNECT_MS_MAX = 1500
const IN_FLIGHT_MAX = 32
const UNAUTHORIZED = new Set([401, 403])
/** Invalid credentials, a suspended account, or too many requests */
export const UNAVAILABLE = new Set([...UNAUTHORIZED, 429])

export type ProviderResponse = Readonly<{
  status: number
  /** The JSON value of the body; undefined if it is no JSON, or larger than 64 KB */
  json: unknown
}>

/**
 * What a provider did with a message. `rejected`: it cannot send this message. `unavailable`: it sends no message at
 * the moment, for example because its token is invalid. `unknown`: it may have sent the message.
 */
export type Outcome = Readonly<
  { outcome: 'accepted'; id?: string | undefined } | { outcome: 'rejected' | 'unavailable' | 'unknown'; reason: string }
>

type ProviderApi = Pick<SmsProvider, 'name' | 'channels'> &
  Readonly<{
    /** The variables of its credentials, for the log */
    credentials: string
    url: string
    headers: Readonly<Record<string, string>>
    toBody(message: SmsMessage): string
    /** Reads a response with a status below 500. */
    toOutcome(response: ProviderResponse): Outcome
    /** Whether the status alone decides, and the body is not read */
    ignoresBody?: boolean
    timeoutMs?: number | undefined
  }>

/**
 * Sends messages through the HTTP API of a provider. Redirects are not followed. 503 means rejected; any other 5xx may
 * come from a gateway that has passed the message on. After repeated failures of the provider it is not called for a
 * while.
 */
export function httpProvider(
  { name, credentials, channels, url, headers, toBody, toOutcome, ignoresBody = false, timeoutMs }: ProviderApi,
  { metrics, tracer }: Partial<Observers> = {},
): SmsProvider {
  const dispatcher = new Agent({ connections: IN_FLIGHT_MAX, connect: { timeout: CONNECT_MS_MAX } })
  const inFlight = bulkhead(IN_FLIGHT_MAX)
  const breaker = createCircuit({ name: `sms_${name}`, metrics })

  /** Resolves to the outcome. Throws only errors that may be the provider's fault rather than the message's. */
  const post = async (message: SmsMessage, signal: AbortSignal): Promise<Outcome> => {
    const tracked = createTrackedBody(toBody(message))
    const options = {
      method: 'POST',
      headers: { ...headers, ...tracked.headers, ...tracer?.headers() },
      body: tracked.body,
    } as const
    const response = await request(url, { ...options, signal, dispatcher }).catch((error: unknown) => {
      throw tracked.hasStarted() ? error : new SmsRefused('Connection to the SMS provider failed.', { cause: error })
    })
    const status = response.statusCode
    if (ignoresBody || status >= 500) dump(response, signal)
    if (status === 503) throw new SmsRefused('The SMS provider returned 503.')
    if (status >= 500) throw new Error(`The SMS provider returned ${status}.`)
    const result = toOutcome({ status, json: ignoresBody ? undefined : await readJson(response) })
    if (result.outcome === 'accepted') return result
    const reason = UNAUTHORIZED.has(status) ? `${result.reason} Check ${credentials}.` : result.reason
    if (result.outcome === 'unknown') throw new Error(reason)
    if (result.outcome === 'unavailable' || UNAUTHORIZED.has(status)) throw new SmsRefused(reason)
    return { ...result, reason }
  }
  return {
    name,
    channels,
    async send(message, leftMs) {
      const signal = AbortSignal.timeout(Math.ceil(Math.max(1, Math.min(leftMs, timeoutMs ?? leftMs))))
      const result = await inFlight.execute(() => breaker(() => post(message, signal))).catch(refuseBlocked)
      if (result.outcome !== 'accepted') throw new SmsRefused(result.reason)
      return result.id
    },
  }
}

/** Rejects a message that was not sent because the circuit is open, or because too many others are being sent. */
function refuseBlocked(error: unknown): never {
  if (!(error instanceof CircuitOpenError || error instanceof BulkheadRejectedError)) throw error
  const message = 'The SMS provider is paused after repeated failures, or has too many requests in flight.'
  throw new SmsRefused(message, { cause: error })
}

/** Returns a member of a JSON object; undefined if the value is no object or has no such member. */
export function member(json: unknown, name: string): unknown {
  return typeof json === 'object' && json !== null && Object.hasOwn(json, name) ? Reflect.get(json, name) : undefined
}

/** Returns a text or number of a JSON object as text, at most 100 characters of it; undefined if it is neither. */
export function textMember(json: unknown, name: string): string | undefined {
  const value = member(json, name)
  return typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 100) : undefined
}
