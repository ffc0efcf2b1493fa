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

/** Masks a phone number to its first digits and its last three: `+966***001`. */
export function maskPhone(e164: string): string {
  return `${e164.slice(0, 4)}***${e164.slice(-3)}`
}
