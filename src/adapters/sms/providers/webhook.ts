import type { Observers } from '../../../lib/observers.ts'
import type { Channel } from '../../../domain/phones/sms.ts'
import type { SmsProvider } from '../index.ts'
import { httpProvider } from './http-provider.ts'

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
 * @param options.channels the channels that it can send by
 * @param options.token sent as `Authorization: Bearer <token>`
 * @param options.timeoutMs longest duration of a send, in milliseconds
 */
export function webhookProvider(
  url: string,
  { name = 'webhook', channels, token, timeoutMs }: WebhookOptions = {},
  observers?: Partial<Observers>,
): SmsProvider {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const headers = { 'content-type': 'application/json', ...authorization }
  return httpProvider(
    {
      name,
      credentials: `SMS_${name.toUpperCase()}_TOKEN`,
      channels,
      ignoresBody: true,
      timeoutMs,
      toRequest: ({ to, text, reference, channel, purpose, language, code }) => ({
        url,
        headers,
        body: JSON.stringify({
          ...{ to, text, reference, channel, purpose, language, code },
          ...(channel === 'voice' && { requires_key_press: true }),
        }),
      }),
      judge: ({ status }) =>
        status < 300
          ? { outcome: 'accepted' }
          : { outcome: 'rejected', reason: `The SMS provider returned ${status}.` },
    },
    observers,
  )
}
