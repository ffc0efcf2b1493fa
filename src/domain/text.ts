import { CONTROLS, OVERRIDES } from './inputs.ts'

const CONTROL = new RegExp(`[${CONTROLS}${OVERRIDES}]`)

/** Letters, digits, punctuation and symbols, except those without a glyph: fillers, blanks, joiners and tags */
const VISIBLE = /(?![\p{Default_Ignorable_Code_Point}\u2800\uFFFC\u{13441}\u{13442}\u{1D159}])[\p{L}\p{N}\p{P}\p{S}]/u

/** Returns whether a text has no control characters and no lone surrogates, which a database would change. */
export function isCleanText(text: string): boolean {
  return text.isWellFormed() && !CONTROL.test(text)
}

/** Returns whether a text has a visible character: spaces, joiners and combining marks alone do not count. */
export function isVisibleText(text: string): boolean {
  return VISIBLE.test(text)
}

/** The maximum length of an e-mail address. Masking can make a short local part longer. */
const LENGTH_MAX = 254

/** Masks an e-mail address so that only its owner recognizes it: `client@demo.test` becomes `c***@demo.test`. */
export function maskEmail(email: string): string {
  return email.replace(/^(.).*(?=@)/u, '$1***').slice(0, LENGTH_MAX)
}

/** Masks an IP address to its network: `203.0.113.*`, or the first half of IPv6. */
export function maskAddress(address: string): string {
  if (!address.includes(':')) return address.replace(/\d+$/, '*')
  const [head = ''] = address.split('::')
  return `${head.split(':').slice(0, 3).join(':')}:*`
}

const IPV4 = /^(?:\d{1,3}\.){3}\d{1,3}$/
const MASKED = /^(?:(?:\d{1,3}\.){3}|(?:[\da-f]{0,4}:){1,3})\*$/

/** Returns the masked form of an IP address that a person has entered in any form; undefined if the text is none. */
export function parseNetwork(text: string): string | undefined {
  const address = text.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '') // IPv4 in IPv6 is IPv4
  if (MASKED.test(address)) return address
  const host = address.includes(':') ? `[${address}]` : IPV4.test(address) ? address : ''
  if (!URL.canParse(`http://${host}`)) return undefined
  const { hostname } = new URL(`http://${host}`) // writes IPv6 in its shortest form, as it is stored
  return maskAddress(hostname.replaceAll(/[[\]]/g, ''))
}

/** Masks a phone number to its first digits and its last three: `+966***001`. */
export function maskPhone(e164: string): string {
  return `${e164.slice(0, 4)}***${e164.slice(-3)}`
}

/** Returns JSON in which the members of objects have a fixed order. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member
    return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}
