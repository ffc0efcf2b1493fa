import type { Channel } from './sms.ts'

/** A message that a provider has received. It is recorded without its number, text and code. */
export type SentMessage = Readonly<{
  provider: string
  /** The identifier of the provider, or our reference if the provider gives none */
  key: string
  channel: Channel
  callingCode: string
  purpose: string
  /** The network that requested the message, as a keyed hash */
  network: string
  /** The window of the code; undefined for notices */
  windowId: string | undefined
  sentAtMs: number
}>

/** A code that was confirmed. The last message of its window gets the credit. */
export type ConfirmedCode = Readonly<{ windowId: string; confirmedAtMs: number }>

/** The final states that providers report, in ascending order of precedence */
const FINAL_STATES = ['failed', 'delivered'] as const
export type FinalState = (typeof FINAL_STATES)[number]

/** What a provider reports about a message. `key` is as in `SentMessage`. */
export type Receipt = Readonly<{ key: string; state: FinalState }>

/** Returns one receipt for each message, with the state that takes precedence, in the order of the keys. */
export function mergeReceipts(receipts: readonly Receipt[]): Receipt[] {
  const states = new Map<string, FinalState>()
  for (const { key, state } of receipts) states.set(key, later(states.get(key) ?? state, state))
  return [...states].map(([key, state]) => ({ key, state })).sort(byKey)
}

function later(one: FinalState, other: FinalState): FinalState {
  return FINAL_STATES.indexOf(one) > FINAL_STATES.indexOf(other) ? one : other
}

function byKey(one: Receipt, other: Receipt): number {
  return one.key < other.key ? -1 : 1
}
