import { LIMITS } from '../../../generated/limits.ts'
import type { FieldCode } from '../failure.ts'
import { asciiDigits } from '../inputs.ts'

/** The prefix of the hash of a password that was hashed before bcrypt, because it exceeds bcrypt's limit */
export const PRE_HASH_TAG = '$tw1$'

/**
 * Returns the form of a password for hashing and checks: NFKC (NIST SP 800-63B-4, 3.1.1.2), so that the same characters
 * from different keyboards are the same password.
 */
export function normalisePassword(password: string): string {
  return password.normalize('NFKC')
}

/** Returns the part of a stored hash that bcrypt made. */
export function extractBcryptHash(hash: string): string {
  return hash.startsWith(PRE_HASH_TAG) ? hash.slice(PRE_HASH_TAG.length) : hash
}

/** Returns the faults of a new password, apart from its strength. NFKC can make a text longer than the document allows. */
export function findPasswordFaults(normalised: string, email: string | undefined): FieldCode[] {
  if ([...normalised].length > LIMITS.password.characters_max) return ['password_too_long']
  return normalised.toLowerCase() === email ? ['password_is_email'] : []
}

/** The personal data of the owner of a password */
export type PersonalDetails = Readonly<{
  email?: string | undefined
  name?: string | undefined
  /** In E.164 or as entered */
  phone?: string | undefined
}>

/** The name of the product, which every attacker knows */
const PRODUCT = ['tawthiq', 'توثيق']
/** Shorter words occur in too many random passwords. */
const WORD_LENGTH_MIN = 3
const WORD_LENGTH_MAX = 64
const WORDS_MAX = 50

/** Returns the words in lower case that an attacker with personal knowledge tries first. */
export function listPersonalWords({ email = '', name = '', phone = '' }: PersonalDetails): string[] {
  const [local = '', domain = ''] = email.split('@')
  const names = name.split(/[^\p{L}\p{M}]+/u)
  const digits = asciiDigits(phone).replaceAll(/[^0-9]/g, '')
  const national = [9, 10].map((length) => digits.slice(-length).replace(/^0/, ''))
  const words = [
    ...PRODUCT,
    ...names,
    ...names.map((each) => each.replace(/^ال/u, '')),
    names.join(''),
    names.slice(0, 2).join(''),
    local,
    ...local.split(/[^\p{L}]+/u),
    email,
    domain,
    ...domain.split('.').slice(0, -1),
    digits,
    ...national.flatMap((each) => [each, `0${each}`]),
    digits.slice(-7),
  ]
  const usable = words.filter(({ length }) => length >= WORD_LENGTH_MIN && length <= WORD_LENGTH_MAX)
  return [...new Set(usable.map((word) => normalisePassword(word).toLowerCase()))].slice(0, WORDS_MAX)
}

/**
 * Adds a reset token to the fragment of a page's URL. Browsers do not send fragments to servers or in `Referer`.
 *
 * An existing fragment is preserved: if it is a client-side route (starting with `/` or `!`), the token becomes a
 * parameter of the route, as in `#/reset?token=…`; otherwise it becomes another member, as in `#a=1&token=…`.
 *
 * @returns only the token if there is no page
 */
export function buildResetLink(page: string | undefined, token: string): string {
  if (page === undefined) return token
  const url = new URL(page)
  const { route, parameters } = splitFragment(url.hash.slice(1))
  const others = parameters.split('&').filter((each) => each !== '' && !/^token(=|$)/.test(each))
  const all = [...others, `token=${token}`].join('&')
  url.hash = route === '' ? all : `${route}?${all}`
  return url.href
}

function splitFragment(fragment: string): { route: string; parameters: string } {
  if (!/^[/!]/.test(fragment)) return { route: '', parameters: fragment }
  const [route = '', ...parameters] = fragment.split('?')
  return { route, parameters: parameters.join('?') }
}
