/** Control characters (C0 and C1) except tab and line ends, and the replacement character of invalid bytes */
export const CONTROLS = String.raw`\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\uFFFD`
/** Bidirectional overrides and isolates. The marks U+200E, U+200F and U+061C are part of Arabic text. */
export const OVERRIDES = String.raw`\u202A-\u202E\u2066-\u2069`
/** Characters without a glyph that are copied with a text. Joiners are not among them, because names contain them. */
export const FORMATS = String.raw`\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF`
/** What is removed at the ends of texts */
const ENDS = String.raw`\s\u200C\u200D${FORMATS}`

const AT_ENDS = new RegExp(`^[${ENDS}]+|(?<![${ENDS}])[${ENDS}]+$`, 'g')
const FORMAT = new RegExp(`[${FORMATS}]`, 'g')

/** Longer texts are longer than every field allows. */
const LENGTH_MAX = 4000

const CLEAN = {
  /** A name or another text: format characters and spaces are removed at its ends only. A blank text remains, and is invalid. */
  text: (text: string): string => text.replaceAll(AT_ENDS, '') || text,
  /** A search or a number: without format characters, and with the digits, dashes and spaces of ASCII */
  plain(text: string): string {
    const ascii = asciiDigits(text.replaceAll(FORMAT, '').normalize('NFKC')).replaceAll(/[\p{Pd}\u2212]/gu, '-')
    return ascii.replaceAll(/\s/g, ' ').replaceAll(AT_ENDS, '')
  },
  /** The number of a document, in which hyphens count */
  identifier: (text: string): string => CLEAN.plain(text).replaceAll(/[\u200C\u200D ]/g, ''),
  code: (text: string): string => CLEAN.identifier(text).replaceAll('-', '').toUpperCase(),
  phone: (text: string): string => CLEAN.identifier(text).replaceAll(/^tel:|[().-]/gi, ''),
  /** In the form in which addresses are stored and compared: in lower case, and with the domain in ASCII */
  email: (text: string): string =>
    withAsciiDomain(
      CLEAN.plain(text)
        .replaceAll(/[\u200C\u200D]/g, '')
        .toLowerCase(),
    ),
} as const

/** How the texts of a field are cleaned. Passwords, tokens and file names have no kind: they remain as they are. */
export type InputKind = keyof typeof CLEAN

/** Returns a text without what people copy or type unknowingly. One that no field accepts is cut, so that judging it is fast. */
export function cleanInput(kind: InputKind, text: string): string {
  return text.length > LENGTH_MAX ? text.slice(0, LENGTH_MAX) : CLEAN[kind](text)
}

/** Writes a domain as DNS does (UTS 46): `موقع.السعودية` is `xn--4gbrim.xn--mgberp4a5d4ar`. */
function withAsciiDomain(email: string): string {
  const [, local = '', domain = ''] = /^([^@]*@)([\p{L}\p{M}\p{N}.-]+)$/u.exec(email) ?? []
  const isInternational = /[^\0-\x7F]/.test(domain) && URL.canParse(`http://${domain}`)
  return isInternational ? local + new URL(`http://${domain}`).hostname : email
}

/** Replaces Arabic-Indic (U+0660) and Persian (U+06F0) digits with ASCII digits. */
export function asciiDigits(text: string): string {
  return text.replaceAll(/[٠-٩۰-۹]/g, (digit) => String((digit.codePointAt(0) ?? 0) & 0xf))
}
