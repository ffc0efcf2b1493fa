import { secret, webAddress, type Values } from '../variable-kinds.ts'
import { receiptTokens, sender, type ProviderKind } from './provider-kind.ts'

/** Variables of the provider `taqnyat`. */
export const taqnyatVariables = {
  TAQNYAT_TOKEN: secret('Bearer token of the provider `taqnyat`. Required with it.'),
  TAQNYAT_SENDER: sender('taqnyat'),
  TAQNYAT_API_URL: webAddress({ about: 'Origin of the API of Taqnyat.', default: 'https://api.taqnyat.sa' }),
  TAQNYAT_RECEIPT_TOKENS: receiptTokens('taqnyat'),
}

export const taqnyat = {
  required: ['TAQNYAT_TOKEN', 'TAQNYAT_SENDER'],
  parse: ({ TAQNYAT_TOKEN: token = '', TAQNYAT_SENDER = '', TAQNYAT_RECEIPT_TOKENS: tokens, ...given }) =>
    ({
      kind: 'taqnyat',
      name: 'taqnyat',
      apiUrl: given.TAQNYAT_API_URL,
      token,
      sender: TAQNYAT_SENDER,
      receipts: tokens && { tokens, variables: ['TAQNYAT_RECEIPT_TOKENS'] },
    }) as const,
} satisfies ProviderKind<Values<typeof taqnyatVariables>>
