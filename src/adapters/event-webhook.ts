import { Webhook } from 'standardwebhooks'
import { Agent, request } from 'undici'
import { LIMITS } from '../../generated/limits.ts'
import type { Clock } from '../domain/clock.ts'
import type { AccountEvent, Outcome } from '../domain/event.ts'

/** Posts events to who wants them; never throws. */
export type EventWebhook = { post(webhookId: string, event: AccountEvent): Promise<Outcome>; close(): Promise<void> }

type Address = Readonly<{ url: string; secrets: readonly string[] }>

const IN_FLIGHT_MAX = 8
const CONNECT_MS_MAX = 4000
const ANSWER_MS_MAX = LIMITS.events.answer_seconds * 1000
const ANSWER_BYTES_MAX = 64 * 1024
/** What the answer says is not read: a connection that does not come to its end is given up soon. */
const REST_MS_MAX = 1000
const GONE = 410
const WORDS_MAX = 200

/**
 * After the Standard Webhooks specification: signed with each secret, so that a receiver may know one of them. The
 * status is the answer: 2xx took the event, 410 does not want it, and redirects are not followed.
 *
 * @param options.timeoutMs how long a receiver may take
 */
export function eventWebhook(
  { url, secrets }: Address,
  { clock, timeoutMs = ANSWER_MS_MAX }: { clock: Clock; timeoutMs?: number },
): EventWebhook {
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
        'webhook-signature': signers.map((signer) => signer.sign(webhookId, now, body)).join(' '),
      }
      const signal = AbortSignal.timeout(timeoutMs)
      try {
        const answer = await request(url, { method: 'POST', headers, body, signal, dispatcher })
        const rest = { limit: ANSWER_BYTES_MAX, signal: AbortSignal.timeout(REST_MS_MAX) }
        void answer.body.dump(rest).catch(() => undefined)
        return outcomeOf(answer.statusCode)
      } catch (error) {
        return { failure: wordsOf(error as Error), isFinal: false }
      }
    },
    close: () => dispatcher.destroy(),
  }
}

function outcomeOf(status: number): Outcome {
  if (status >= 200 && status < 300) return 'taken'
  return { failure: `answered ${status}`, isFinal: status === GONE }
}

function wordsOf({ name, message, ...rest }: Error & { code?: string }): string {
  if (name === 'TimeoutError') return 'no answer in time'
  return `could not be asked: ${rest.code ?? message}`.replaceAll(/\p{Cc}/gu, ' ').slice(0, WORDS_MAX)
}
