import type { AccountType } from '../../domain/accounts/account.ts'
import type { AccountStatus } from '../../domain/accounts/administration.ts'
import type { ReviewStatus } from '../../domain/profiles/profile.ts'

// The keys of the index of searches: the twin of the function `search_keys` of the database.

/** Ids of accounts with equal higher bits belong to one block. */
export const BLOCK_BITS = 12
/** A key has the number of its block above these bits. */
export const KEY_BITS = 33

const CHARACTER_BITS = 11n
const CHARACTER_MASK = (1n << CHARACTER_BITS) - 1n
/** More keys of one text hardly exclude any further account, but each has to be looked up in each block. */
const TEXT_KEYS_MAX = 12

/** The key of every account */
const ANY = 0n
const TYPES: Readonly<Record<AccountType, bigint>> = { client: 1n, lawyer: 2n }
const STATUSES: Readonly<Record<AccountStatus, bigint>> = { active: 3n, suspended: 4n }
const REVIEW_STATUSES: Readonly<Record<ReviewStatus, bigint>> = { pending: 5n, approved: 6n, rejected: 7n }

/** What an account must have */
export type Wanted = Readonly<{
  accountType: AccountType | undefined
  status: AccountStatus | undefined
  reviewStatus: ReviewStatus | undefined
  /** A part of one of its texts, folded */
  text?: string
}>

/**
 * Returns keys that all accounts with these values have, without their block. An account with all keys can still lack a
 * value: characters share keys, and the three characters of each key can be anywhere in its texts.
 */
export function searchKeys({ accountType, status, reviewStatus, text = '' }: Wanted): string[] {
  const keys = [
    ...(accountType === undefined ? [] : [TYPES[accountType]]),
    ...(status === undefined ? [] : [STATUSES[status]]),
    ...(reviewStatus === undefined ? [] : [REVIEW_STATUSES[reviewStatus]]),
    ...textKeys(text),
  ]
  return (keys.length === 0 ? [ANY] : keys).map(String) // pg sends no bigint in an array
}

/** Returns a key for three characters each, spread over a long text; none for a shorter text. */
function textKeys(text: string): bigint[] {
  const characters = Array.from(text, (character) => BigInt(character.codePointAt(0) ?? 0) & CHARACTER_MASK)
  const all = characters.slice(2).map((third, at) => {
    const [first = 0n, second = 0n] = characters.slice(at)
    return (((first << CHARACTER_BITS) | second) << CHARACTER_BITS) | third
  })
  const step = Math.max(1, all.length / TEXT_KEYS_MAX)
  const places = Array.from({ length: Math.min(all.length, TEXT_KEYS_MAX) }, (_, index) => Math.floor(index * step))
  return [...new Set(places.map((place) => all[place] ?? ANY))]
}
