import { Type, type Static, type TInteger, type TObject, type TString } from '@sinclair/typebox'
import type { Channel } from '../../domain/phones/sms.ts'
import { number, text, webAddress } from '../variable-kinds.ts'
import { channelsOf, parseTwilioChannels, type channelVariables, type TwilioChannels } from './channels.ts'
import type { SmsProviderName } from './provider-names.ts'

const TIMEOUT_SECONDS_MAX = 4

/** Variables of the providers themselves. */
export const smsProviderVariables = {
  SMS_WEBHOOK_URL: Type.Optional(
    webAddress({ about: 'URL to which the provider `webhook` sends messages. Required with it.' }),
  ),
  SMS_WEBHOOK_TOKEN: Type.Optional(secret('Token that is sent to SMS_WEBHOOK_URL as `Authorization: Bearer`.')),
  SMS_WEBHOOK_TIMEOUT: timeout('SMS_WEBHOOK_URL'),
  SMS_WEBHOOK2_URL: Type.Optional(webAddress({ about: 'URL of the provider `webhook2`. Required with it.' })),
  SMS_WEBHOOK2_TOKEN: Type.Optional(secret('Token for SMS_WEBHOOK2_URL.')),
  SMS_WEBHOOK2_TIMEOUT: timeout('SMS_WEBHOOK2_URL'),
  SMS_WEBHOOK3_URL: Type.Optional(webAddress({ about: 'URL of the provider `webhook3`. Required with it.' })),
  SMS_WEBHOOK3_TOKEN: Type.Optional(secret('Token for SMS_WEBHOOK3_URL.')),
  SMS_WEBHOOK3_TIMEOUT: timeout('SMS_WEBHOOK3_URL'),
  TWILIO_ACCOUNT_SID: Type.Optional(
    text(
      {
        about: 'Account of the provider `twilio`. Required with it.',
        accepts: 'AC and 32 hexadecimal digits',
        shown: 'none',
      },
      '^AC[0-9a-f]{32}$',
    ),
  ),
  TWILIO_AUTH_TOKEN: Type.Optional(secret('Token of TWILIO_ACCOUNT_SID. Required with `twilio`.')),
  TWILIO_FROM: Type.Optional(
    text(
      {
        about: 'Sender of the provider `twilio`. Required with it.',
        accepts: 'a phone number in E.164, a sender ID, or the SID of a messaging service (MG…)',
        shown: 'none',
      },
      '^(\\+[1-9][0-9]{6,14}|MG[0-9a-f]{32}|[A-Za-z0-9 ]{1,11}|[0-9]{3,8})$',
    ),
  ),
  TWILIO_API_URL: webAddress({
    about: 'Origin of the API of Twilio, for example of another region.',
    default: 'https://api.twilio.com',
  }),
  UNIFONIC_APP_SID: Type.Optional(secret('Application of the provider `unifonic`. Required with it.')),
  UNIFONIC_SENDER_ID: Type.Optional(sender('unifonic')),
  UNIFONIC_API_URL: webAddress({ about: 'Origin of the API of Unifonic.', default: 'https://el.cloud.unifonic.com' }),
  TAQNYAT_TOKEN: Type.Optional(secret('Bearer token of the provider `taqnyat`. Required with it.')),
  TAQNYAT_SENDER: Type.Optional(sender('taqnyat')),
  TAQNYAT_API_URL: webAddress({ about: 'Origin of the API of Taqnyat.', default: 'https://api.taqnyat.sa' }),
}

type Given = Static<TObject<typeof smsProviderVariables & typeof channelVariables>> & { PUBLIC_URL?: string }
type VariableName = keyof typeof smsProviderVariables

/** The variables that each provider needs */
const REQUIRED = {
  log: [],
  webhook: ['SMS_WEBHOOK_URL'],
  webhook2: ['SMS_WEBHOOK2_URL'],
  webhook3: ['SMS_WEBHOOK3_URL'],
  twilio: ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM'],
  unifonic: ['UNIFONIC_APP_SID', 'UNIFONIC_SENDER_ID'],
  taqnyat: ['TAQNYAT_TOKEN', 'TAQNYAT_SENDER'],
} as const satisfies Record<SmsProviderName, readonly VariableName[]>

type WebhookName = 'webhook' | 'webhook2' | 'webhook3'

export type SmsProviderConfig = Readonly<
  | { kind: 'log' }
  | {
      kind: 'webhook'
      name: WebhookName
      url: string
      token: string | undefined
      timeoutMs: number
      /** SMS only if undefined */
      channels?: ReadonlySet<Channel>
    }
  | ({ kind: 'twilio'; apiUrl: string; accountSid: string; authToken: string; from: string } & TwilioChannels)
  | { kind: 'unifonic'; apiUrl: string; appSid: string; senderId: string }
  | { kind: 'taqnyat'; apiUrl: string; token: string; sender: string }
>

/** Lists the missing variables of the providers that are used. */
export function providerProblems(
  names: readonly SmsProviderName[],
  missing: (name: VariableName, why: string) => string[],
): string[] {
  return names.flatMap((name) =>
    REQUIRED[name].flatMap((variable) => missing(variable, `SMS_PROVIDERS includes ${name}.`)),
  )
}

/** The configuration of each provider. Its missing variables were rejected before. */
const PARSERS: Readonly<Record<SmsProviderName, (given: Given) => SmsProviderConfig>> = {
  log: () => ({ kind: 'log' }),
  webhook: (given) =>
    webhook('webhook', given, [given.SMS_WEBHOOK_URL, given.SMS_WEBHOOK_TOKEN, given.SMS_WEBHOOK_TIMEOUT]),
  webhook2: (given) =>
    webhook('webhook2', given, [given.SMS_WEBHOOK2_URL, given.SMS_WEBHOOK2_TOKEN, given.SMS_WEBHOOK2_TIMEOUT]),
  webhook3: (given) =>
    webhook('webhook3', given, [given.SMS_WEBHOOK3_URL, given.SMS_WEBHOOK3_TOKEN, given.SMS_WEBHOOK3_TIMEOUT]),
  twilio({ TWILIO_ACCOUNT_SID: accountSid = '', TWILIO_AUTH_TOKEN: authToken = '', TWILIO_FROM: from = '', ...given }) {
    return { kind: 'twilio', apiUrl: given.TWILIO_API_URL, accountSid, authToken, from, ...parseTwilioChannels(given) }
  },
  unifonic({ UNIFONIC_APP_SID: appSid = '', UNIFONIC_SENDER_ID: senderId = '', UNIFONIC_API_URL: apiUrl }) {
    return { kind: 'unifonic', apiUrl, appSid, senderId }
  },
  taqnyat({ TAQNYAT_TOKEN: token = '', TAQNYAT_SENDER: sender = '', TAQNYAT_API_URL: apiUrl }) {
    return { kind: 'taqnyat', apiUrl, token, sender }
  },
}

export function parseProvider(name: SmsProviderName, given: Given): SmsProviderConfig {
  return PARSERS[name](given)
}

function webhook(
  name: WebhookName,
  given: Given,
  [url = '', token, timeoutSeconds]: [url: string | undefined, token: string | undefined, timeoutSeconds: number],
): SmsProviderConfig {
  return { kind: 'webhook', name, url, token, timeoutMs: timeoutSeconds * 1000, channels: channelsOf(name, given) }
}

function secret(about: string): TString {
  return text({ about, accepts: 'printable ASCII characters without spaces', shown: 'none' }, '^[!-~]+$')
}

function timeout(url: string): TInteger {
  return number(1, TIMEOUT_SECONDS_MAX, {
    about: `Longest duration of a request to ${url}, in seconds.`,
    default: TIMEOUT_SECONDS_MAX,
  })
}

function sender(provider: SmsProviderName): TString {
  const about = `Registered sender name of the provider \`${provider}\`. Required with it.`
  return text({ about, accepts: 'at most 11 letters, digits, spaces and -', shown: 'none' }, '^[A-Za-z0-9 -]{1,11}$')
}
