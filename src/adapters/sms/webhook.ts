import { bulkhead, BulkheadRejectedError } from 'cockatiel'
import { Readable } from 'node:stream'
import { Agent, request } from 'undici'
import { createCircuit, CircuitOpenError } from '../resilience/circuit.ts'
import { SmsRefused, type SmsMessage, type SmsProvider } from './index.ts'

const SEND_MS_MAX = 4000
/** Shorter than a whole send, so that an unreachable provider leaves time for the next one */
const CONNECT_MS_MAX = 1500
const IN_FLIGHT_MAX = 32
const RESPONSE_BYTES_MAX = 64 * 1024

/**
 * Posts `{to, text, reference}` as JSON. The status decides, and the body is ignored: 2xx means accepted; 3xx, 4xx and
 * 503 mean rejected, and redirects are not followed; any other 5xx may come from a gateway that has passed the message
 * on. After repeated failures the provider is not called for a while.
 *
 * @param options.token sent as `Authorization: Bearer <token>`
 * @param options.timeoutMs longest duration of a send, in milliseconds
 */
export function webhookProvider(
  url: string,
  options: { token?: string | undefined; timeoutMs?: number } = {},
): SmsProvider {
  const { token, timeoutMs = SEND_MS_MAX } = options
  const dispatcher = new Agent({ connections: IN_FLIGHT_MAX, connect: { timeout: CONNECT_MS_MAX } })
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }

  /** Resolves to the status. Throws only errors that may be the provider's fault rather than the message's. */
  const post = async (message: SmsMessage): Promise<number> => {
    const signal = AbortSignal.timeout(timeoutMs)
    const { body, headers, hasStarted } = createTrackedBody(JSON.stringify(message))
    const pending = request(url, {
      method: 'POST',
      headers: { ...headers, ...authorization },
      body,
      signal,
      dispatcher,
    })
    const response = await pending.catch((error: unknown) => {
      throw hasStarted() ? error : new SmsRefused('Connection to the SMS provider failed.', { cause: error })
    })
    void response.body.dump({ limit: RESPONSE_BYTES_MAX, signal }).catch(() => undefined)
    if (response.statusCode === 503) throw new SmsRefused('The SMS provider returned 503.')
    if (response.statusCode >= 500) throw new Error(`The SMS provider returned ${response.statusCode}.`)
    return response.statusCode
  }
  const guarded = createGuard()
  return {
    name: 'webhook',
    async send(message) {
      const statusCode = await guarded(() => post(message))
      if (statusCode >= 300) throw new SmsRefused(`The SMS provider returned ${statusCode}.`)
    },
  }
}

/**
 * Creates a JSON body that records whether any of the request was written. Before that, the provider has received
 * nothing.
 */
function createTrackedBody(json: string): { body: Readable; headers: object; hasStarted: () => boolean } {
  const bytes = Buffer.from(json)
  let hasStarted = false
  function* body(): Iterable<Buffer> {
    hasStarted = true
    yield bytes
  }
  const headers = { 'content-type': 'application/json', 'content-length': String(bytes.length) }
  return { body: Readable.from(body()), headers, hasStarted: () => hasStarted }
}

/** Runs a send, or rejects it while too many are running or the circuit is open. */
function createGuard(): <Result>(send: () => Promise<Result>) => Promise<Result> {
  const breaker = createCircuit()
  const inFlight = bulkhead(IN_FLIGHT_MAX)
  return (send) =>
    inFlight
      .execute(() => breaker(send))
      .catch((error: unknown) => {
        const isBlocked = error instanceof CircuitOpenError || error instanceof BulkheadRejectedError
        throw isBlocked
          ? new SmsRefused('The SMS provider is paused after repeated failures, or has too many requests in flight.', {
              cause: error,
            })
          : error
      })
}
