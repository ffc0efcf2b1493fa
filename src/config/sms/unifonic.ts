import { secret, webAddress, type Values } from '../variable-kinds.ts'
import { receiptTokens, sender, type ProviderKind } from './provider-kind.ts'

/** Variables of the provider `unifonic`. */
export const unifonicVariables = {
  UNIFONIC_APP_SID: secret('Application of the provider `unifonic`. Required with it.'),
  UNIFONIC_SENDER_ID: sender('unifonic'),
  UNIFONIC_API_URL: webAddress({ about: 'Origin of the API of Unifonic.', default: 'https://el.cloud.unifonic.com' }),
  UNIFONIC_RECEIPT_TOKENS: receiptTokens('unifonic'),
}

export const unifonic = {
  required: ['UNIFONIC_APP_SID', 'UNIFONIC_SENDER_ID'],
  parse: ({ UNIFONIC_APP_SID: appSid = '', UNIFONIC_SENDER_ID = '', UNIFONIC_RECEIPT_TOKENS: tokens, ...given }) =>
    ({
      kind: 'unifonic',
      name: 'unifonic',
      apiUrl: given.UNIFONIC_API_URL,
      appSid,
      senderId: UNIFONIC_SENDER_ID,
      receipts: tokens && { tokens, variables: ['UNIFONIC_RECEIPT_TOKENS'] },
    }) as const,
} satisfies ProviderKind<Values<typeof unifonicVariables>>
