// The Saudi providers `unifonic` and `taqnyat`. Their sender names are registered.
import { secret, text, texts, webAddress } from '../variable-kinds.ts'
import type { OptionalText, OptionalTexts, ProviderKind, Values } from '../variable-kinds.ts'

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

function sender(provider: string): OptionalText {
  return text({
    about: `Registered sender name of the provider \`${provider}\`. Required with it.`,
    accepts: 'at most 11 letters, digits, spaces and -',
    pattern: '^[A-Za-z0-9 -]{1,11}$',
  })
}

function receiptTokens(provider: string): OptionalTexts {
  return texts('^[A-Za-z0-9_-]{32,200}$', {
    about: `Secret tokens in the URL to which \`${provider}\` sends receipts. List the old and the new one during a rotation.`,
    accepts: '32 to 200 letters, digits, - and _, or a list of these',
    shown: 'none; receipts are rejected',
    isSecret: true,
  })
}
