import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs as graphs, dictionary as common } from '@zxcvbn-ts/language-common'
import { dictionary as english } from '@zxcvbn-ts/language-en'
import { foldArabic, hasArabic, typedInArabic, typedInLatin } from './arabic-text.ts'
import { arabicWords } from './arabic-words.ts'
import { gulfWords } from './gulf-words.ts'

/** Longer passwords are judged by their beginning: the time grows faster than the length. */
const LENGTH_MAX = 64
/** Of letters by signs (`p@$$`); with the default of 100 the slowest passwords take ten times as long. */
const SUBSTITUTIONS_MAX = 8
/** `Riyadh@2030`: zxcvbn takes the sign and the digits together for random characters. */
const WORD_AND_DIGITS = /^([\p{L}\p{N}]+)[^\p{L}\p{N}](\p{N}+)$/u
/** Ten signs are tried, as many as zxcvbn counts for a random character. */
const SIGN_LOG10 = 1

const zxcvbn = new ZxcvbnFactory({
  dictionary: { ...common, ...english, ...arabicWords(), ...gulfWords() },
  graphs,
  maxLength: LENGTH_MAX,
  l33tMaxSubstitutions: SUBSTITUTIONS_MAX,
})

/** A text that an attacker who guesses it has the password, with what it costs besides, as a decimal logarithm */
type Reading = Readonly<{ text: string; moreLog10: number }>

/**
 * Returns the decimal logarithm of how many guesses an attacker needs who knows the words of the person: the lowest of
 * all readings. It stops at the first one below `enoughLog10`.
 */
export function guessesLog10(normalised: string, words: readonly string[], enoughLog10: number): number {
  const known = [...new Set(words.flatMap((word) => [word, foldArabic(word)]))]
  let lowest = Infinity
  for (const { text, moreLog10 } of readingsOf(normalised.slice(0, LENGTH_MAX))) {
    lowest = Math.min(lowest, zxcvbn.check(text, known).guessesLog10 + moreLog10)
    if (lowest < enoughLog10) break
  }
  return lowest
}

/** Returns the password as it is typed, without what varies in Arabic, without its sign, and typed in the other layout. */
function readingsOf(password: string): Reading[] {
  const folded = foldArabic(password)
  const otherLayout = hasArabic(password) ? typedInLatin(password) : arabicOf(password)
  const readings = [password, folded, ...otherLayout].map((text) => ({ text, moreLog10: 0 }))
  const [, word, digits] = WORD_AND_DIGITS.exec(folded) ?? []
  if (word !== undefined && digits !== undefined) readings.push({ text: word + digits, moreLog10: SIGN_LOG10 })
  return readings.filter(({ text }, at) => readings.findIndex((other) => other.text === text) === at)
}

/** The shift key of a Latin layout types no Arabic letters that people use in passwords. */
function arabicOf(password: string): string[] {
  return /\p{Lu}/u.test(password) ? [] : [foldArabic(typedInArabic(password))]
}
