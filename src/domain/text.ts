/**
 * Controls other than tab and line ends, those that turn the direction of the text around them, and what
 * stands in place of bytes that were no text. The marks U+200E, U+200F and U+061C are part of Arabic text and pass.
 */
const CONTROLS = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F\u202A-\u202E\u2066-\u2069\uFFFD]/

/** Whether a text has no controls and no half characters, which a database would store as something else. */
export function isCleanText(text: string): boolean {
  return text.isWellFormed() && !CONTROLS.test(text)
}
