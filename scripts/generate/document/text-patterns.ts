// The patterns that the document publishes for the texts of users. The service judges a text after it has cleaned it.
import { CONTROLS, FORMATS, OVERRIDES, type InputKind } from '../../../src/domain/inputs.ts'

/** A kind of texts. Without `input`, the service does not clean them. */
export type TextKind = Readonly<{ pattern: string; input?: InputKind; isVisible?: boolean }>

/** What is removed at the ends of texts. Some languages do not count all of these spaces as `\s`. */
const SPACES = String.raw`\s\u00AD\u061C\u2000-\u200F\u202A-\u202F\u205F-\u206F\uFEFF`
const SEPARATORS = String.raw`${SPACES}\u2010-\u2015\u2212-`
const GROUPING = String.raw`().${SEPARATORS}`
const DIGITS = '0-9٠-٩۰-۹０-９'
const WORDS = `${DIGITS}A-Za-zＡ-Ｚａ-ｚ`

/**
 * The frequent characters that are not visible, for regular expressions of any language: spaces, default ignorables, blanks,
 * and the combining marks of Arabic and Latin. `isVisibleText` is exact.
 */
const INVISIBLE = [
  String.raw`\s\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F`,
  String.raw`\u2800\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFC`,
  String.raw`\u0300-\u036F\u0600-\u0605\u0610-\u061A\u064B-\u065F\u0670\u06D6-\u06DD\u06DF-\u06E4\u20D0-\u20F0`,
].join('')

/** A visible text without controls and overrides, except at its ends, where those of `removed` are removed */
function visibleText(removed: string, controls: string): string {
  const text = `(?:[${SPACES}]*[${removed}])?[^${controls}${OVERRIDES}]*(?:[${removed}][${SPACES}]*)?`
  return String.raw`^(?=[\s\S]*[^${INVISIBLE}])${text}$`
}

const LINE = visibleText(String.raw`\t\n\r${OVERRIDES}`, String.raw`\u0000-\u001F\u007F-\u009F\uFFFD`)

/** The address with the limits of RFC 5321 (4.5.3.1) and RFC 1035 (2.3.4). The domain can be in any script. */
function emailPattern(): string {
  const local = String.raw`[\w!#$%&'*+/=?^\x60{|}~${FORMATS}-]+`
  const letters = String.raw`a-zA-Z0-9\u00A1-\uFFEF`
  const label = `[${letters}](?:[${letters}-]{0,61}[${letters}])?`
  return String.raw`^[${SPACES}]*(?![^@]{65})${local}(?:\.${local})*@(?:${label}\.)+${label}[${SPACES}]*$`
}

export function textKinds(otpDigits: number): Readonly<Record<string, TextKind>> {
  const word = `^[${SEPARATORS}]*[${WORDS}][${WORDS}${SEPARATORS}]*$`
  const prefix = `^[${GROUPING}]*(?:[Tt][Ee][Ll]:)?[+＋]?[${GROUPING}]*`
  return {
    line: { pattern: LINE, input: 'text', isVisible: true },
    optional_line: { pattern: `^$|${LINE}`, input: 'text', isVisible: true },
    lines: { pattern: visibleText(OVERRIDES, CONTROLS), input: 'text', isVisible: true },
    secret: { pattern: `^[^${CONTROLS}${OVERRIDES}]*$` },
    search: { pattern: `^[^${CONTROLS}]*$`, input: 'plain' },
    email: { pattern: emailPattern(), input: 'email' },
    phone: { pattern: `${prefix}[${DIGITS}][${DIGITS}${GROUPING}]*$`, input: 'phone' },
    phone_code: {
      pattern: `^[${SPACES}]*(?:[+＋]|00|٠٠|۰۰|００)?(?:[${SPACES}]*[${DIGITS}]){1,4}[${SPACES}]*$`,
      input: 'phone',
    },
    one_time_code: {
      pattern: `^(?:[${SEPARATORS}]*[${DIGITS}]){${otpDigits}}[${SEPARATORS}]*$`,
      input: 'code',
    },
    code: { pattern: word, input: 'code' },
    network: { pattern: String.raw`^[${SPACES}]*[0-9A-Fa-f.:]+\*?[${SPACES}]*$`, input: 'identifier' },
    identifier: { pattern: word, input: 'identifier' },
  }
}
