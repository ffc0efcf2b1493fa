/** Whom an event of the audit trail is about, and who brought it about. */
export type Trace = Readonly<{
  /** The e-mail address or the phone number that was meant, masked; null where the account says enough */
  subject: string | null
  address: string
  requestId: string
}>

/** The trace of what somebody does to an account of their own. */
export function traceOf({ address, requestId }: Omit<Trace, 'subject'>): Trace {
  return { subject: null, address, requestId }
}
