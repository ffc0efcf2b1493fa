import type { Observers } from '../../../lib/observers.ts'
import type { SmsProvider } from '../index.ts'
import { httpProvider } from './http-provider.ts'

/**
 * Posts `{to, text, reference}` as JSON. The status decides, and the body is ignored: 2xx means accepted; 3xx, 4xx and
 * 503 mean rejected; any other 5xx means that the message may have been sent.
 *
 * @param options.token sent as `Authorization: Bearer <token>`
 * @param options.timeoutMs longest duration of a send, in milliseconds
 */
export function webhookProvider(
  url: string,
  { name = 'webhook', token, timeoutMs }: { name?: string; token?: string | undefined; timeoutMs?: number } = {},
  observers?: Partial<Observers>,
): SmsProvider {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const headers = { 'content-type': 'application/json', ...authorization }
  return httpProvider(
    {
      name,
      ignoresBody: true,
      timeoutMs,
      toRequest: ({ to, text, reference }) => ({ url, headers, body: JSON.stringify({ to, text, reference }) }),
      judge: ({ status }) =>
        status < 300
          ? { outcome: 'accepted' }
          : { outcome: 'rejected', reason: `The SMS provider returned ${status}.` },
    },
    observers,
  )
}
