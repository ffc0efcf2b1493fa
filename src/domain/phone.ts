/** A phone number that can exist. `e164` is what is stored, unique, and the key of every limit. */
export type Phone = Readonly<{ e164: string; callingCode: string }>

/** The national number of a stored one, without a leading zero. */
export function nationalNumber({ e164, callingCode }: Phone): string {
  return e164.slice(1 + callingCode.length)
}

/** Arabic-Indic (U+0660) and Persian (U+06F0) digits as ASCII digits; all else stays. */
export function asciiDigits(text: string): string {
  return text.replaceAll(/[٠-٩۰-۹]/g, (digit) => String((digit.codePointAt(0) ?? 0) & 0xf))
}
