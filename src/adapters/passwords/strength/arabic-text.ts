// Folds Arabic text, and converts it between keyboard layouts.
import { asciiDigits } from '../../../domain/inputs.ts'

const LATIN_KEYS = "qwertyuiop[]asdfghjkl;'zxcvnm,./`"
const ARABIC_KEYS = 'ضصثقفغعهخحجدشسيبلاتنمكطئءؤرىةوزظذ'
/** The Arabic layout of Windows, by the Latin key; the `b` key types two letters. */
const KEYS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Array.from(LATIN_KEYS, (key, at) => [key, ARABIC_KEYS[at] ?? key])),
  b: 'لا',
}
const LETTERS = new Map(Object.entries(KEYS).map(([key, letter]) => [letter, key]))
/** Letters with the shift key, or of other layouts */
const OTHER_LETTERS = new Map(Object.entries({ أ: 'h', إ: 'h', آ: 'h', ٱ: 'h', ک: ';', ی: 'd' }))
const FOLDED = new Map(
  Object.entries({ أ: 'ا', إ: 'ا', آ: 'ا', ٱ: 'ا', ى: 'ي', ی: 'ي', ئ: 'ي', ؤ: 'و', ة: 'ه', ک: 'ك' }),
)

const ARABIC = /\p{Script=Arabic}/u
/** Tatweel and diacritics */
const MARKS = /[\u0640\u064b-\u065f\u0670]/g

export function hasArabic(text: string): boolean {
  return ARABIC.test(text)
}

/** Returns the text without optional marks and variants of letters, and with the digits 0 to 9. */
export function foldArabic(text: string): string {
  return [...asciiDigits(text.replaceAll(MARKS, ''))].map((letter) => FOLDED.get(letter) ?? letter).join('')
}

/** Returns what the same keys type in the Arabic layout. */
export function typedInArabic(text: string): string {
  return [...text.toLowerCase()].map((key) => KEYS[key] ?? key).join('')
}

/** Returns what the same keys type in the Latin layout. Lam followed by alef is one key or two. */
export function typedInLatin(text: string): string[] {
  const plain = asciiDigits(text.replaceAll(MARKS, ''))
  const letter = (each: string): string => LETTERS.get(each) ?? OTHER_LETTERS.get(each) ?? each
  return [plain, plain.replaceAll('لا', 'b')].map((each) => [...each].map(letter).join(''))
}
