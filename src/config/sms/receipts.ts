import { Type, type Static, type TArray, type TObject, type TString } from '@sinclair/typebox'
import type { ReceiptConfig } from '../../adapters/sms/receipts/reader.ts'
import { list, webAddress } from '../variable-kinds.ts'
import type { SmsProviderConfig } from './providers.ts'

/** Variables of receipts. Those of Twilio are signed with TWILIO_AUTH_TOKEN. */
export const smsReceiptVariables = {
  PUBLIC_URL: Type.Optional(
    webAddress({
      about:
        'URL under which clients reach the service, without /api. With it, Twilio sends receipts and the keys that are pressed in calls. Their signatures contain it.',
      shown: 'none; Twilio sends no receipts and makes no calls',
    }),
  ),
  SMS_WEBHOOK_RECEIPT_SECRETS: Type.Optional(signingSecrets('webhook')),
  SMS_WEBHOOK2_RECEIPT_SECRETS: Type.Optional(signingSecrets('webhook2')),
  SMS_WEBHOOK3_RECEIPT_SECRETS: Type.Optional(signingSecrets('webhook3')),
  UNIFONIC_RECEIPT_TOKENS: Type.Optional(tokens('unifonic')),
  TAQNYAT_RECEIPT_TOKENS: Type.Optional(tokens('taqnyat')),
}

type Given = Static<TObject<typeof smsReceiptVariables>>

export type ReceiptsConfig = ReadonlyMap<string, ReceiptConfig>

/** Returns how each provider that is used proves its receipts. Providers without that have none. */
export function parseReceiptsConfig(given: Given, providers: readonly SmsProviderConfig[]): ReceiptsConfig {
  const configs = providers.flatMap((provider): [string, ReceiptConfig][] => {
    const name = provider.kind === 'webhook' ? provider.name : provider.kind
    const config = parseReceiptConfig(given, provider)
    return config ? [[name, config]] : []
  })
  return new Map(configs)
}

function parseReceiptConfig(given: Given, provider: SmsProviderConfig): ReceiptConfig | undefined {
  switch (provider.kind) {
    case 'log':
      return undefined
    case 'twilio': {
      const url = given.PUBLIC_URL?.replace(/\/+$/, '')
      return url === undefined ? undefined : { kind: 'twilio', authToken: provider.authToken, url, variables: TWILIO }
    }
    case 'webhook': {
      const variable = WEBHOOK_SECRETS[provider.name]
      const secrets = given[variable]
      return secrets && { kind: 'webhook', secrets, variables: [variable] }
    }
    case 'unifonic':
    case 'taqnyat': {
      const variable = TOKENS[provider.kind]
      const tokens = given[variable]
      return tokens && { kind: provider.kind, tokens, variables: [variable] }
    }
  }
}

const TWILIO = ['TWILIO_AUTH_TOKEN', 'PUBLIC_URL']
const WEBHOOK_SECRETS = {
  webhook: 'SMS_WEBHOOK_RECEIPT_SECRETS',
  webhook2: 'SMS_WEBHOOK2_RECEIPT_SECRETS',
  webhook3: 'SMS_WEBHOOK3_RECEIPT_SECRETS',
} as const
const TOKENS = { unifonic: 'UNIFONIC_RECEIPT_TOKENS', taqnyat: 'TAQNYAT_RECEIPT_TOKENS' } as const

function signingSecrets(provider: string): TArray<TString> {
  return list(Type.String({ pattern: '^whsec_[A-Za-z0-9+/]{32,86}={0,2}$' }), {
    about: `Secrets with which the provider \`${provider}\` signs receipts. List the new and the old one during a rotation.`,
    accepts: 'whsec_ followed by 24 to 64 random bytes in base64, or a list of these',
    shown: 'none; receipts are rejected',
  })
}

function tokens(provider: string): TArray<TString> {
  return list(Type.String({ pattern: '^[A-Za-z0-9_-]{32,200}$' }), {
    about: `Secret tokens in the URL to which \`${provider}\` sends receipts. List the new and the old one during a rotation.`,
    accepts: '32 to 200 letters, digits, - and _, or a list of these',
    shown: 'none; receipts are rejected',
  })
}
