import { Type, type Static, type TObject } from '@sinclair/typebox'
import { webAddress } from '../variable-kinds.ts'
import { receiptTokens, secret, sender, tokenReceipts, type ProviderKind, type TokenReceipts } from './provider-kind.ts'

/** Variables of the provider `unifonic`. */
export const unifonicVariables = {
  UNIFONIC_APP_SID: Type.Optional(secret('Application of the provider `unifonic`. Required with it.')),
  UNIFONIC_SENDER_ID: Type.Optional(sender('unifonic')),
  UNIFONIC_API_URL: webAddress({ about: 'Origin of the API of Unifonic.', default: 'https://el.cloud.unifonic.com' }),
  UNIFONIC_RECEIPT_TOKENS: Type.Optional(receiptTokens('unifonic')),
}

export type UnifonicConfig = Readonly<{
  kind: 'unifonic'
  name: 'unifonic'
  apiUrl: string
  appSid: string
  senderId: string
  receipts: TokenReceipts | undefined
}>

export const unifonic: ProviderKind<Static<TObject<typeof unifonicVariables>>, UnifonicConfig> = {
  required: ['UNIFONIC_APP_SID', 'UNIFONIC_SENDER_ID'],
  parse: ({ UNIFONIC_APP_SID: appSid = '', UNIFONIC_SENDER_ID: senderId = '', ...given }) => ({
    kind: 'unifonic',
    name: 'unifonic',
    apiUrl: given.UNIFONIC_API_URL,
    appSid,
    senderId,
    receipts: tokenReceipts('UNIFONIC_RECEIPT_TOKENS', given.UNIFONIC_RECEIPT_TOKENS),
  }),
}
