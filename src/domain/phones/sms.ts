/**
 * The outcome of a message. `refused`: rejected by every provider, nothing was sent. `unknown`: a provider received the
 * message but did not confirm it.
 */
export type SmsOutcome = 'taken' | 'refused' | 'unknown'
