/** Whom an event of the audit trail is about, and who brought it about. */
export type Trace = Readonly<{
  /** The e-mail address or the phone number that was meant, masked */
  subject: string
  address: string
  requestId: string
}>
