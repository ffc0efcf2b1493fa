/** As long as the longest address: what hides a letter may take more room than it */
const LENGTH_MAX = 254

/** An e-mail address that its owner recognises and nobody else can use: `client@demo.test` is `c***@demo.test`. */
export function maskEmail(email: string): string {
  return email.replace(/^(.).*(?=@)/u, '$1***').slice(0, LENGTH_MAX)
}

/** The network of an address, without who of it: `203.0.113.*`, or the first half of IPv6. */
export function maskAddress(address: string): string {
  if (!address.includes(':')) return address.replace(/\d+$/, '*')
  const [head = ''] = address.split('::')
  return `${head.split(':').slice(0, 3).join(':')}:*`
}

/** A phone number with its calling code's first digits and its last three: `+966***001`. */
export function maskPhone(e164: string): string {
  return `${e164.slice(0, 4)}***${e164.slice(-3)}`
}
