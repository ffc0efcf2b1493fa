import type { Receipt } from '../../../domain/phones/sms-messages.ts'

/** A request of a provider, as it was received */
export type ReceiptRequest = Readonly<{
  bytes: Uint8Array
  /** The path and the query string */
  url: string
  /** Returns the value of a header, whose name is in lower case. */
  header(name: string): string | undefined
  /** The parsed body */
  fields: Readonly<Record<string, unknown>>
}>

/** Reads the receipts of a provider. */
export type ReceiptReader = Readonly<{
  /** Returns whether the provider has sent the request. The time that this takes does not depend on the signature. */
  isGenuine(request: ReceiptRequest): boolean
  /**
   * Returns the receipts with a final state.
   *
   * @throws Failure 422 on a field that is missing or invalid
   */
  read(request: Pick<ReceiptRequest, 'fields'>): Receipt[]
}>

/** How a provider proves that it has sent a receipt, and the variables that say so */
export type ReceiptConfig = Readonly<{ variables: readonly string[] }> & ReceiptProof
type ReceiptProof = Readonly<
  | { kind: 'twilio'; authToken: string; url: string }
  | { kind: 'webhook'; secrets: readonly string[] }
  | { kind: 'unifonic' | 'taqnyat'; tokens: readonly string[] }
>
