// A check takes up to half a second of CPU time, and its dictionaries 40 MB, so both are in a worker thread.
import { ZxcvbnFactory, type Options } from '@zxcvbn-ts/core'
import { adjacencyGraphs as graphs, dictionary as common } from '@zxcvbn-ts/language-common'
import { dictionary as english } from '@zxcvbn-ts/language-en'
import { foldArabic, hasArabic, typedInArabic, typedInLatin } from './arabic-text.ts'
import { ARABIC_WORDS } from './arabic-words.ts'
import { GULF_WORDS } from './gulf-words.ts'

/** Only the beginning of longer passwords is measured, because the time grows faster than the length. */
const LENGTH_MAX = 64
/** Limit of letters replaced by signs (`p@$$`). With zxcvbn's default of 100, the slowest passwords take ten times as long. */
const SUBSTITUTIONS_MAX = 8
/** `Riyadh@2030`: zxcvbn would count the sign and the digits as random characters. */
const WORD_AND_DIGITS = /^([\p{L}\p{N}]+)[^\p{L}\p{N}](\p{N}+)$/u
/** Ten signs, which is what zxcvbn counts for a random character */
const SIGN_LOG10 = 1

/** One of zxcvbn's names for words that form sequences (`monday`, `tuesday`), which have a matcher of their own */
const SEQUENCES = 'cardinalNumbers'

type Dictionaries = Readonly<Record<string, readonly string[]>>

export const SETTINGS = { graphs, maxLength: LENGTH_MAX, l33tMaxSubstitutions: SUBSTITUTIONS_MAX }
export const DICTIONARIES: Dictionaries = { ...common, ...english, ...ARABIC_WORDS, ...GULF_WORDS }

const zxcvbn = new ZxcvbnFactory(SETTINGS)
mergeDictionaries(zxcvbn['options'] as Options, DICTIONARIES)

export type Task = Readonly<{ password: string; words: readonly string[]; enoughLog10: number }>

/** A text that leads to the password, and the extra guesses to get from it to the password, as a decimal logarithm */
type Reading = Readonly<{ text: string; moreLog10: number }>

/**
 * Returns the decimal logarithm of the guesses of an attacker who knows the personal words: the minimum over all
 * readings of the normalised password. Stops at the first one below `enoughLog10`.
 */
export default function run({ password, words, enoughLog10 }: Task): number {
  const known = [...new Set(words.flatMap((word) => [word, foldArabic(word)]))]
  let lowest = Infinity
  for (const { text, moreLog10 } of listReadings(password.slice(0, LENGTH_MAX))) {
    lowest = Math.min(lowest, zxcvbn.check(text, known).guessesLog10 + moreLog10)
    if (lowest < enoughLog10) break
  }
  return lowest
}

/** Returns the password as it is typed, in folded Arabic, without its sign, and typed in the other layout. */
function listReadings(password: string): Reading[] {
  const folded = foldArabic(password)
  const otherLayout = hasArabic(password) ? typedInLatin(password) : toArabic(password)
  const readings = [password, folded, ...otherLayout].map((text) => ({ text, moreLog10: 0 }))
  const [, word, digits] = WORD_AND_DIGITS.exec(folded) ?? []
  if (word !== undefined && digits !== undefined) readings.push({ text: word + digits, moreLog10: SIGN_LOG10 })
  return readings.filter(({ text }, at) => readings.findIndex((other) => other.text === text) === at)
}

/** With the shift key, a Latin layout types no Arabic letters that are common in passwords. */
function toArabic(password: string): string[] {
  return /\p{Lu}/u.test(password) ? [] : [foldArabic(typedInArabic(password))]
}

/**
 * Replaces the dictionaries of zxcvbn by merged ones. zxcvbn looks up every part of a password, in several spellings, in each
 * of thirty dictionaries. Merged into one, with the best rank of each word, they give the same number of guesses in a fifth
 * of the time.
 *
 * @param dictionaries words, most common first
 */
export function mergeDictionaries(options: Options, dictionaries: Dictionaries): void {
  const lists = Object.entries(dictionaries)
  const words = merge(lists.filter(([name]) => !options.isWordSequence(name)).map(([, list]) => list))
  const sequences = merge(lists.filter(([name]) => options.isWordSequence(name)).map(([, list]) => list))
  options.rankedDictionaries = { words: words.ranks, [SEQUENCES]: sequences.ranks }
  options.rankedDictionariesMaxWordSize = { words: words.lengthMax, [SEQUENCES]: sequences.lengthMax }
}

type Merged = { ranks: Record<string, number>; lengthMax: number }

function merge(lists: readonly (readonly string[])[]): Merged {
  const merged: Merged = { ranks: Object.create(null) as Record<string, number>, lengthMax: 0 }
  for (const list of lists) {
    for (const [index, word] of list.entries()) {
      merged.ranks[word] = Math.min(index + 1, merged.ranks[word] ?? Infinity)
      merged.lengthMax = Math.max(merged.lengthMax, word.length)
    }
  }
  return merged
}
