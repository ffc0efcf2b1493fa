import { Webhook } from 'standardwebhooks'
import { LIMITS } from '../../../../generated/limits.ts'
import type { Clock } from '../../../domain/clock.ts'
import { failuresAt, invalidData, type FieldFailures } from '../../../domain/failure.ts'
import type { Channel, FinalState, Receipt } from '../../../domain/phones/sms.ts'
import type { Observers } from '../../../lib/observers.ts'
import { isSame } from '../../keys/keyed-hash.ts'
import type { SmsProvider } from '../index.ts'
import type { ReceiptReader, ReceiptRequest } from '../receipts.ts'
import { httpProvider } from './http-provider.ts'

const TOLERANCE_SECONDS = 300
const STATES: ReadonlySet<string> = new Set(['sent', 'delivered', 'failed'])

type WebhookOptions = Readonly<{
  name?: string
  channels?: ReadonlySet<Channel>
  token?: string | undefined
  timeoutMs?: number
}>

/**
 * Posts the members of a message as JSON. The status decides, and the body is ignored: 2xx means accepted; 3xx, 4xx and
 * 503 mean rejected; any other 5xx means that the message may have been sent.
 *
 * @param options.token sent as `Authorization: Bearer <token>`
 */
export function webhookProvider(
  url: string,
  { name = 'webhook', channels, token, timeoutMs }: WebhookOptions = {},
  observers?: Partial<Observers>,
): SmsProvider {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return httpProvider(
    {
      name,
      credentials: webhookCredentials(name),
      channels,
      ignoresBody: true,
      timeoutMs,
      url,
      headers: { 'content-type': 'application/json', ...authorization },
      toBody: ({ to, text, reference, channel, purpose, language, code }) =>
        JSON.stringify({
          ...{ to, text, reference, channel, purpose, language, code },
          ...(channel === 'voice' && { requires_key_press: true }),
        }),
      toOutcome: ({ status }) =>
        status < 300
          ? { outcome: 'accepted' }
          : { outcome: 'rejected', reason: `The SMS provider returned ${status}.` },
    },
    observers,
  )
}

/** Returns where the token of a webhook is configured. */
export function webhookCredentials(name: string): string {
  return name === 'webhook' ? 'SMS_WEBHOOK_TOKEN' : `the token of ${name} in SMS_WEBHOOKS`
}

/**
 * Reads `{"receipts": [{"reference", "state"}]}`, signed as in the Standard Webhooks specification.
 *
 * @param secrets one valid signature with any of them is sufficient
 */
export function webhookReceipts({ secrets }: { secrets: readonly string[] }, clock: Clock): ReceiptReader {
  const signers = secrets.map((secret) => new Webhook(secret))
  const isGenuine = ({ bytes, header }: ReceiptRequest): boolean => {
    const seconds = Number(header('webhook-timestamp') ?? NaN)
    const isRecent = Math.abs(clock.nowMs() / 1000 - seconds) <= TOLERANCE_SECONDS
    const signedAt = new Date(isRecent ? seconds * 1000 : 0)
    const body = Buffer.from(bytes).toString()
    const expected = signers.map((signer) => signer.sign(header('webhook-id') ?? '', signedAt, body))
    const given = (header('webhook-signature') ?? '').split(' ').slice(0, 5)
    const matches = expected.flatMap((signature) => given.map((each) => isSame(each, signature)))
    return matches.includes(true) && isRecent
  }
  return { isGenuine, read: ({ fields }) => readReceipts(fields['receipts']) }
}

/** @throws Failure 422 on each invalid receipt */
function readReceipts(receipts: unknown): Receipt[] {
  if (receipts === undefined) throw invalidData({ receipts: ['required'] })
  if (!Array.isArray(receipts)) throw invalidData({ receipts: ['wrong_type'] })
  const { receipts_max: limit } = LIMITS.sms
  if (receipts.length > limit) throw invalidData({ receipts: [{ code: 'too_many', values: { limit } }] })
  const failures = Object.assign({}, ...receipts.map(receiptFailures)) as FieldFailures // their paths differ
  if (Object.keys(failures).length > 0) throw invalidData(failures)
  const valid = receipts as readonly { reference: string; state: 'sent' | FinalState }[] // checked above
  return valid.flatMap(({ reference: key, state }) => (state === 'sent' ? [] : [{ key, state }]))
}

function receiptFailures(receipt: unknown, index: number): FieldFailures {
  const path = `receipts.${index}`
  if (typeof receipt !== 'object' || receipt === null || Array.isArray(receipt)) return failuresAt(path, 'wrong_type')
  const { reference, state } = receipt as Record<string, unknown>
  return { ...textFailures(`${path}.reference`, reference), ...textFailures(`${path}.state`, state, STATES) }
}

function textFailures(path: string, value: unknown, allowed?: ReadonlySet<string>): FieldFailures {
  if (value === undefined) return failuresAt(path, 'required')
  if (typeof value !== 'string') return failuresAt(path, 'wrong_type')
  if (allowed && !allowed.has(value)) return failuresAt(path, 'not_allowed')
  if (value === '' || value.length > 100) return failuresAt(path, 'wrong_format')
  return {}
}
