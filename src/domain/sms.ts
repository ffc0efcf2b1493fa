/**
 * What became of a message. `refused`: by every provider, so nothing went out. `unknown`: a provider was given the message
 * and did not say whether it took it.
 */
export type SmsOutcome = 'taken' | 'refused' | 'unknown'
