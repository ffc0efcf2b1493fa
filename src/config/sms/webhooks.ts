import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { CHANNELS, type Channel } from '../../domain/phones/sms.ts'
import { list, number, secret, signingSecrets, text, webAddress } from '../variable-kinds.ts'
import type { ProviderKind, Values } from '../variable-kinds.ts'

const TIMEOUT_SECONDS_MAX = 4
const EXPECTED = 'a JSON list of objects with name and url, and optionally token, timeout, channels and receipt_secrets'

/** Variables of the provider `webhook`, and of others like it. */
export const webhookVariables = {
  SMS_WEBHOOK_URL: webAddress({
    about: 'URL to which the provider `webhook` sends messages. Required with it.',
    isSecret: true,
  }),
  SMS_WEBHOOK_TOKEN: secret('Token that is sent to SMS_WEBHOOK_URL as `Authorization: Bearer`.'),
  SMS_WEBHOOK_TIMEOUT: number(1, TIMEOUT_SECONDS_MAX, {
    about: 'Time-out of a request to SMS_WEBHOOK_URL, in seconds.',
    default: TIMEOUT_SECONDS_MAX,
  }),
  SMS_WEBHOOK_CHANNELS: list(Type.Union(CHANNELS.map((channel) => Type.Literal(channel))), {
    about: 'Channels that SMS_WEBHOOK_URL sends by.',
    accepts: `a list of ${CHANNELS.join(', ')}`,
    shown: 'sms',
  }),
  SMS_WEBHOOK_RECEIPT_SECRETS: signingSecrets({
    about: 'Secrets with which the provider `webhook` signs receipts. List the old and the new one during a rotation.',
    shown: 'none; receipts are rejected',
  }),
  SMS_WEBHOOKS: text({ about: 'More webhooks, which SMS_PROVIDERS names.', accepts: EXPECTED, isSecret: true }),
}

type Given = Values<typeof webhookVariables>

/** A webhook of the list. Its members accept what the variables of the provider `webhook` do. */
const NamedWebhook = Type.Object(
  {
    name: Type.String({ pattern: '^[a-z0-9]{1,20}$' }),
    url: Type.String({ format: 'web-address' }),
    token: webhookVariables.SMS_WEBHOOK_TOKEN,
    timeout: webhookVariables.SMS_WEBHOOK_TIMEOUT,
    channels: webhookVariables.SMS_WEBHOOK_CHANNELS,
    receipt_secrets: webhookVariables.SMS_WEBHOOK_RECEIPT_SECRETS,
  },
  { additionalProperties: false },
)
const NamedWebhooks = Type.Array(NamedWebhook, { minItems: 1 })

export type WebhookConfig = Readonly<{
  kind: 'webhook'
  name: string
  url: string
  token: string | undefined
  timeoutMs: number
  /** SMS only if undefined */
  channels?: ReadonlySet<Channel>
  receipts?: Readonly<{ secrets: readonly string[]; variables: readonly string[] }> | undefined
}>

/** The provider `webhook`. */
export const webhook: ProviderKind<Given, WebhookConfig> = {
  required: ['SMS_WEBHOOK_URL'],
  parse: ({ SMS_WEBHOOK_URL: url = '', SMS_WEBHOOK_TOKEN: token, SMS_WEBHOOK_RECEIPT_SECRETS: secrets, ...given }) => ({
    kind: 'webhook',
    name: 'webhook',
    url,
    token,
    timeoutMs: given.SMS_WEBHOOK_TIMEOUT * 1000,
    channels: new Set(given.SMS_WEBHOOK_CHANNELS ?? ['sms']),
    receipts: secrets && { secrets, variables: ['SMS_WEBHOOK_RECEIPT_SECRETS'] },
  }),
}

/** Returns the webhooks of the list; none if it is invalid. */
export function parseNamedWebhooks({ SMS_WEBHOOKS: json }: { SMS_WEBHOOKS?: string | undefined }): WebhookConfig[] {
  const webhooks = readList(json)
  if (!Value.Check(NamedWebhooks, webhooks)) return []
  return webhooks.map(({ timeout, channels = ['sms'], receipt_secrets: secrets, ...more }) => ({
    kind: 'webhook',
    token: undefined,
    ...more,
    timeoutMs: timeout * 1000,
    channels: new Set(channels),
    receipts: secrets && { secrets, variables: ['SMS_WEBHOOKS'] },
  }))
}

/** Names the invalid members of the list, but not their values, which may be secret. */
export function namedWebhookProblems({ SMS_WEBHOOKS: json }: Partial<Given>, reserved: ReadonlySet<string>): string[] {
  if (json === undefined) return []
  const webhooks = readList(json)
  const paths = [...Value.Errors(NamedWebhooks, webhooks)].map(({ path }) => (path === '' ? '' : ` of ${path}`))
  const names = parseNamedWebhooks({ SMS_WEBHOOKS: json }).map(({ name }) => name)
  const taken = names.filter((name, index) => reserved.has(name) || names.indexOf(name) < index)
  return [
    ...[...new Set(paths)].map((path) => `SMS_WEBHOOKS: invalid value${path}. Expected ${EXPECTED}.`),
    ...taken.map((name) => `SMS_WEBHOOKS: the name ${name} is in use. Choose another one.`),
  ]
}

function readList(json: string | undefined): unknown {
  try {
    return Value.Default(NamedWebhooks, JSON.parse(json ?? '[]'))
  } catch {
    return undefined
  }
}
