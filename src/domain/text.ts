/**
 * Control characters (C0 and C1) except tab and line ends, bidirectional overrides and isolates, and the replacement
 * character of invalid bytes. The marks U+200E, U+200F and U+061C are part of Arabic text and are allowed.
 */
const CONTROLS = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069\uFFFD]/

/** Letters, digits, punctuation and symbols, except those without a glyph: fillers, blanks, joiners and tags */
const VISIBLE = /(?![\p{Default_Ignorable_Code_Point}\u2800\uFFFC\u{13441}\u{13442}\u{1D159}])[\p{L}\p{N}\p{P}\p{S}]/u

/** Returns whether a text has no control characters and no lone surrogates, which a database would change. */
export function isCleanText(text: string): boolean {
  return text.isWellFormed() && !CONTROLS.test(text)
}

/** Returns whether a text has a visible character: spaces, joiners and combining marks alone do not count. */
export function isVisibleText(text: string): boolean {
  return VISIBLE.test(text)
}
