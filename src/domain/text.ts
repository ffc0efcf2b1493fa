/**
 * Controls (C0 and C1) other than tab and line ends, those that turn the direction of the text around them, and what
 * stands in place of bytes that were no text. The marks U+200E, U+200F and U+061C are part of Arabic text and pass.
 */
const CONTROLS = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069\uFFFD]/

/** Letters, digits, punctuation and symbols, less those that fonts show as nothing: fillers, blanks, joiners and tags */
const VISIBLE = /(?![\p{Default_Ignorable_Code_Point}\u2800\uFFFC\u{13441}\u{13442}\u{1D159}])[\p{L}\p{N}\p{P}\p{S}]/u

/** Whether a text has no controls and no half characters, which a database would store as something else. */
export function isCleanText(text: string): boolean {
  return text.isWellFormed() && !CONTROLS.test(text)
}

/** Whether a text shows anything: spaces, joiners and combining marks alone do not. */
export function isVisibleText(text: string): boolean {
  return VISIBLE.test(text)
}
