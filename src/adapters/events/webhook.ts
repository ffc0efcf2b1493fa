import { Webhook } from 'standardwebhooks'
import { Agent, request } from 'undici'
import { LIMITS } from '../../../generated/limits.ts'
import type { Clock } from '../../domain/clock.ts'
import type { AccountEvent, Outcome } from '../../domain/event.ts'
import type { TraceHeaders } from '../../lib/tracing.ts'
import { dump } from '../resilience/http-body.ts'

/** Delivers events to a webhook endpoint; never throws. */
export type EventWebhook = { post(webhookId: string, event: AccountEvent): Promise<Outcome>; close(): Promise<void> }

type Endpoint = Readonly<{ url: string; secrets: readonly string[] }>

const IN_FLIGHT_MAX = 8
const CONNECT_MS_MAX = 4000
const RESPONSE_MS_MAX = LIMITS.events.response_seconds * 1000
/** The body of the response is not used, so it gets only this long to end. A longer one costs the connection. */
const BODY_MS_MAX = 1000
const GONE = 410
const DESCRIPTION_LENGTH_MAX = 200

type Options = { clock: Clock; traceHeaders?: (() => TraceHeaders) | undefined }

/**
 * Creates a webhook as in the Standard Webhooks specification. A request is signed with every secret, so a receiver may
 * know only one of them. The status decides: 2xx means delivered, 410 is final, and redirects are not followed.
 */
export function eventWebhook({ url, secrets }: Endpoint, { clock, traceHeaders }: Options): EventWebhook {
  const dispatcher = new Agent({ connections: IN_FLIGHT_MAX, connect: { timeout: CONNECT_MS_MAX } })
  const signers = secrets.map((secret) => new Webhook(secret))
  return {
    async post(webhookId, event) {
      const body = JSON.stringify(event)
      const now = new Date(clock.nowMs())
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'Tawthiq-Webhooks',
        'webhook-id': webhookId,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        ...traceHeaders?.(),
        'webhook-signature': signers.map((signer) => signer.sign(webhookId, now, body)).join(' '),
      }
      const signal = AbortSignal.timeout(RESPONSE_MS_MAX)
      try {
        const response = await request(url, { method: 'POST', headers, body, signal, dispatcher })
        dump(response, AbortSignal.timeout(BODY_MS_MAX))
        const { statusCode: status } = response
        if (status >= 200 && status < 300) return 'taken'
        return { failure: `status ${status}`, isFinal: status === GONE }
      } catch (error) {
        const { name, message, code = message } = error as Error & { code?: string }
        const failure = name === 'TimeoutError' ? 'no response in time' : `connection failed: ${code}`
        return { failure: failure.replaceAll(/\p{Cc}/gu, ' ').slice(0, DESCRIPTION_LENGTH_MAX), isFinal: false }
      }
    },
    close: () => dispatcher.destroy(),
  }
}
