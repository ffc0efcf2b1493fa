import type { Failure } from '../failure.ts'
import type { CodePurpose } from './phone-verification.ts'

/** How a code reaches a number, in the order in which clients get the list. `voice` reads it aloud in a call. */
export const CHANNELS = ['sms', 'whatsapp', 'voice'] as const

export type Channel = (typeof CHANNELS)[number]

/**
 * The outcome of a message. `refused`: rejected by every provider, nothing was sent. `unknown`: a provider received the
 * message but did not confirm it.
 */
export type SmsOutcome = 'taken' | 'refused' | 'unknown'

/** What became of a message. The rest is known unless it was refused. */
export type SmsResult = Readonly<{
  outcome: SmsOutcome
  provider?: string
  /** The identifier that the provider gave the message */
  providerId?: string | undefined
  /** The channel by which it was sent, which can differ from the requested one */
  channel?: Channel
}>

export type Language = 'ar' | 'en'

/** The operator's own texts for codes, by purpose and language. They contain `{code}`. */
export type CodeTexts = Readonly<Partial<Record<CodePurpose, Readonly<Partial<Record<Language, string | undefined>>>>>>

/** What a call says instead of a text: `prompt`, which asks for the key `{key}`, and `text` after that key was pressed. */
export type Speech = Readonly<{ prompt: string; text: string }>

/** What lets a message use more of a budget: a network that an account knows, or the solution of a challenge, which counts more */
export type Proof = 'none' | 'known_network' | 'challenge'

/**
 * Returns the next better proof of a request, when the share of a budget for the present one is used up; undefined if it has none.
 *
 * @param used the failure of the share
 * @throws Failure if the client has to prove something first
 */
export type FindProof = (used: Failure, present: Proof) => Promise<Proof | undefined>

/**
 * Daily limits of SMS: in total, and per calling code. One network may use `networkPercent` of each, and `resetPercent`
 * of each is reserved for password resets of existing accounts. Requests without the solution of a challenge may use most.
 */
export type SmsBudgets = Readonly<{
  perDay: number
  perCountryPerDay: number
  networkPercent: number
  resetPercent: number
}>

/** How many messages per day may go to a calling code without a confirmed code. Half of it can be used at once. */
export type UnconfirmedBudgets = Readonly<{
  /** Calling codes where many users are expected, even before the first one has confirmed a code */
  homeCountries: ReadonlySet<string>
  perHomeCountry: number
  perOtherCountry: number
  /** The share of one network, in percent */
  networkPercent: number
}>

export type FraudOptions = Readonly<{
  /** Whether the rules reject messages, or only record which ones they would reject */
  mode: 'enforce' | 'record'
  unconfirmed: UnconfirmedBudgets
}>

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
  /** The verification of the code; undefined for notices */
  windowId: string | undefined
  sentAtMs: number
}>

/** A code that was confirmed. The last message of its verification gets the credit. */
export type ConfirmedCode = Readonly<{ windowId: string; confirmedAtMs: number }>

export type FinalState = 'failed' | 'delivered'

/** What a provider reports about a message. `key` is as in `SentMessage`. */
export type Receipt = Readonly<{ key: string; state: FinalState }>

/** Returns one receipt for each message, in the order of the keys. That of a delivery takes precedence. */
export function mergeReceipts(receipts: readonly Receipt[]): Receipt[] {
  const states = new Map<string, FinalState>()
  for (const { key, state } of receipts) if (states.get(key) !== 'delivered') states.set(key, state)
  return [...states].map(([key, state]) => ({ key, state })).sort((one, other) => (one.key < other.key ? -1 : 1))
}
