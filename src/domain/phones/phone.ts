/** A possible phone number. `e164` is stored, unique, and the key of all limits. */
export type Phone = Readonly<{ e164: string; callingCode: string }>

/** Returns the national number, without a leading zero. */
export function nationalNumber({ e164, callingCode }: Phone): string {
  return e164.slice(1 + callingCode.length)
}

/** Replaces Arabic-Indic (U+0660) and Persian (U+06F0) digits with ASCII digits. */
export function asciiDigits(text: string): string {
  return text.replaceAll(/[٠-٩۰-۹]/g, (digit) => String((digit.codePointAt(0) ?? 0) & 0xf))
}
