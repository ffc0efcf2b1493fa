/** What the sender of a request may have signed, for operations with `x-tawthiq-signed` */
export type SignedRequest = Readonly<{
  /** The body as it was received */
  bytes: Uint8Array
  /** The path and the query string as they were received */
  url: string
  /** Returns the value of a header, whose name is in lower case. */
  header(name: string): string | undefined
}>
