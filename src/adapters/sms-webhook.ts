import { bulkhead, BulkheadRejectedError } from 'cockatiel'
import { Readable } from 'node:stream'
import { Agent, request } from 'undici'
import { circuit, CircuitOpen } from './resilience/circuit.ts'
import { SmsRefused, type SmsMessage, type SmsProvider } from './sms.ts'

const SEND_MS_MAX = 4000
/** Short of a whole send, so that a provider which cannot be reached leaves time for the next one. */
const CONNECT_MS_MAX = 1500
const IN_FLIGHT_MAX = 32
const ANSWER_BYTES_MAX = 64 * 1024

/**
 * Posts `{to, text, reference}` as JSON. The status is the answer, whatever comes of its body: 2xx took the message; 3xx,
 * 4xx and 503 refused it, and redirects are not followed; any other 5xx may come from a gateway that passed it on. After
 * some failures in a row the provider is not asked for a while.
 *
 * @param options.token sent as `Authorization: Bearer <token>`
 * @param options.timeoutMs how long a send may take in all
 */
export function webhookProvider(
  url: string,
  options: { token?: string | undefined; timeoutMs?: number } = {},
): SmsProvider {
  const { token, timeoutMs = SEND_MS_MAX } = options
  const dispatcher = new Agent({ connections: IN_FLIGHT_MAX, connect: { timeout: CONNECT_MS_MAX } })
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }

  /** Resolves to the status. Only what may lie with the provider itself, not with the message, is thrown. */
  const post = async (message: SmsMessage): Promise<number> => {
    const signal = AbortSignal.timeout(timeoutMs)
    const { body, headers, hasBegun } = observed(JSON.stringify(message))
    const asked = request(url, { method: 'POST', headers: { ...headers, ...authorization }, body, signal, dispatcher })
    const answer = await asked.catch((error: unknown) => {
      throw hasBegun() ? error : new SmsRefused('The SMS provider could not be reached.', { cause: error })
    })
    void answer.body.dump({ limit: ANSWER_BYTES_MAX, signal }).catch(() => undefined)
    if (answer.statusCode === 503) throw new SmsRefused('The SMS provider answered 503.')
    if (answer.statusCode >= 500) throw new Error(`The SMS provider answered ${answer.statusCode}.`)
    return answer.statusCode
  }
  const guarded = guard()
  return {
    name: 'webhook',
    async send(message) {
      const statusCode = await guarded(() => post(message))
      if (statusCode >= 300) throw new SmsRefused(`The SMS provider answered ${statusCode}.`)
    },
  }
}

/** A JSON body that tells whether any of the request was written: before that, nothing can have reached the provider. */
function observed(json: string): { body: Readable; headers: object; hasBegun: () => boolean } {
  const bytes = Buffer.from(json)
  let hasBegun = false
  function* body(): Iterable<Buffer> {
    hasBegun = true
    yield bytes
  }
  const headers = { 'content-type': 'application/json', 'content-length': String(bytes.length) }
  return { body: Readable.from(body()), headers, hasBegun: () => hasBegun }
}

/** Runs a send, or refuses it while too many run or the provider is left alone. */
function guard(): <Answer>(send: () => Promise<Answer>) => Promise<Answer> {
  const breaker = circuit()
  const inFlight = bulkhead(IN_FLIGHT_MAX)
  return (send) =>
    inFlight
      .execute(() => breaker(send))
      .catch((error: unknown) => {
        const wasRefused = error instanceof CircuitOpen || error instanceof BulkheadRejectedError
        throw wasRefused ? new SmsRefused('The SMS provider is left alone.', { cause: error }) : error
      })
}
