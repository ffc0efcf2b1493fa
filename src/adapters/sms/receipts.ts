// Receipts of providers: what became of messages.
import type { Clock } from '../../domain/clock.ts'
import { failuresAt, invalidData } from '../../domain/failure.ts'
import type { FinalState, Receipt } from '../../domain/phones/sms.ts'
import type { SignedRequest } from '../../domain/signed-request.ts'
import type { Log } from '../../lib/log.ts'
import { isSame } from '../keys/keyed-hash.ts'

/** A request of a provider, and its parsed body */
export type ReceiptRequest = SignedRequest & Readonly<{ fields: Fields }>
type Fields = Readonly<Record<string, unknown>>

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

/** The readers of the providers whose receipts are configured, by name */
export type ReceiptReaders = ReadonlyMap<string, ReceiptReader>

/** The limit of the stored key. Longer identifiers are not those of messages that were sent. */
const LENGTH_MAX = 100
const LOG_INTERVAL_MS = 60_000

/** Final states in lower case, Other texts, such as `sent` or `pending`, are not final. */
const STATES: Readonly<Record<string, FinalState>> = {
  delivered: 'delivered',
  delivrd: 'delivered',
  undeliverable: 'failed',
  undelivered: 'failed',
  undeliv: 'failed',
  failed: 'failed',
  rejected: 'failed',
  rejectd: 'failed',
  expired: 'failed',
}

/** The names of the fields of a receipt, of which the first one counts, and its final states, if they are not the usual ones */
export type ReceiptFields = Readonly<{
  key: readonly string[]
  state: readonly string[]
  states?: Readonly<Record<string, FinalState>>
}>

/**
 * Returns the receipt of one message; none if its state is not final.
 *
 * @throws Failure 422 on a field that is missing, too long or of another type
 */
export function readReceipt(
  fields: Fields,
  { key: keyNames, state: stateNames, states = STATES }: ReceiptFields,
): Receipt[] {
  const key = requireText(fields, keyNames)
  const word = requireText(fields, stateNames).toLowerCase()
  const state = Object.hasOwn(states, word) ? states[word] : undefined
  return state === undefined ? [] : [{ key, state }]
}

/**
 * Reads receipts of a provider that does not sign them: a secret token in the query string proves where they come from.
 *
 * @param tokens any of them is accepted
 */
export function tokenReceipts(names: ReceiptFields, tokens: readonly string[]): ReceiptReader {
  return {
    isGenuine({ url }) {
      const given = new URL(url, 'http://localhost').searchParams.get('token') ?? ''
      return tokens.map((token) => isSame(given, token)).includes(true)
    },
    read: ({ fields }) => readReceipt(fields, names),
  }
}

/**
 * Logs which variables to check when receipts of a provider are rejected. Anyone can send requests without a valid signature,
 * so there is at most one line per minute.
 */
export function withRejectionLog(
  reader: ReceiptReader,
  { provider, variables }: { provider: string; variables: readonly string[] },
  { clock, log }: { clock: Clock; log: Log },
): ReceiptReader {
  let rejected = 0
  let quietUntilMs = -Infinity
  return {
    ...reader,
    isGenuine(request) {
      if (reader.isGenuine(request)) return true
      rejected++
      if (clock.nowMs() < quietUntilMs) return false
      const details = { provider, variables, rejected }
      log.warn(details, 'SMS receipts rejected: the signature or the token does not match the variables')
      rejected = 0
      quietUntilMs = clock.nowMs() + LOG_INTERVAL_MS
      return false
    },
  }
}

/** Returns the first of several fields that has a text or a number, as text. */
function requireText(fields: Fields, names: readonly string[]): string {
  const name = names.find((each) => Object.hasOwn(fields, each) && fields[each] !== '' && fields[each] !== null)
  if (name === undefined) throw invalidData(failuresAt(names[0] ?? '', 'required'))
  const value = fields[name]
  if (typeof value !== 'string' && typeof value !== 'number') throw invalidData(failuresAt(name, 'wrong_type'))
  const text = String(value)
  if (text.length > LENGTH_MAX) throw invalidData(failuresAt(name, { code: 'too_long', values: { limit: LENGTH_MAX } }))
  return text
}
