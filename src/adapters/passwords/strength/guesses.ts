import { ZxcvbnFactory, type Options } from '@zxcvbn-ts/core'
import { adjacencyGraphs as graphs, dictionary as common } from '@zxcvbn-ts/language-common'
import { dictionary as english } from '@zxcvbn-ts/language-en'
import { foldArabic, hasArabic, typedInArabic, typedInLatin } from './arabic-text.ts'
import { arabicWords } from './arabic-words.ts'
import { mergeDictionaries, type Dictionaries } from './dictionaries.ts'
import { gulfWords } from './gulf-words.ts'

/** Only the beginning of longer passwords is judged, because the time grows faster than the length. */
const LENGTH_MAX = 64
/**
 * Limit of letters replaced by signs (`p@$$`). With zxcvbn's default of 100, the slowest passwords take ten times as
 * long.
 */
const SUBSTITUTIONS_MAX = 8
/** `Riyadh@2030`: zxcvbn would count the sign and the digits as random characters. */
const WORD_AND_DIGITS = /^([\p{L}\p{N}]+)[^\p{L}\p{N}](\p{N}+)$/u
/** Ten signs, which is what zxcvbn counts for a random character */
const SIGN_LOG10 = 1

export const SETTINGS = { graphs, maxLength: LENGTH_MAX, l33tMaxSubstitutions: SUBSTITUTIONS_MAX }
export const DICTIONARIES: Dictionaries = { ...common, ...english, ...arabicWords(), ...gulfWords() }

const zxcvbn = new ZxcvbnFactory(SETTINGS)
mergeDictionaries(zxcvbn['options'] as Options, DICTIONARIES)

/** A text that leads to the password, and the extra guesses to get from it to the password, as a decimal logarithm */
type Reading = Readonly<{ text: string; moreLog10: number }>

/**
 * Returns the decimal logarithm of the guesses of an attacker who knows the personal words: the minimum over all
 * readings. Stops at the first one below `enoughLog10`.
 */
export function estimateGuessesLog10(normalised: string, words: readonly string[], enoughLog10: number): number {
  const known = [...new Set(words.flatMap((word) => [word, foldArabic(word)]))]
  let lowest = Infinity
  for (const { text, moreLog10 } of listReadings(normalised.slice(0, LENGTH_MAX))) {
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
