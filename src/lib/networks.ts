import ipaddr from 'ipaddr.js'
import { isIP } from 'node:net'

/** An address or a CIDR block. IPv4 in IPv6 is IPv4. */
type Network = [address: ipaddr.IPv4 | ipaddr.IPv6, bits: number]

const MAPPED_BITS = 96

/** Returns the host of a URL, in which an IPv6 address has brackets, as an address. */
export function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1')
}

/** Returns whether a text is an IP address, or a network such as 10.0.0.0/8. */
export function isNetwork(text: string): boolean {
  const [, address = '', bits = '1'] = /^([^/]*)(?:\/([0-9]{1,3}))?$/.exec(text) ?? []
  return isIP(address) > 0 && Number(bits) > 0 && Number(bits) <= (isIP(address) === 4 ? 32 : 128)
}

export function parseNetwork(text: string): Network {
  const [address, bits] = ipaddr.parseCIDR(text.includes('/') ? text : `${text}/${text.includes(':') ? 128 : 32}`)
  const isMapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= MAPPED_BITS
  return isMapped ? [address.toIPv4Address(), bits - MAPPED_BITS] : [address, bits]
}

/** All IPv4 addresses, and the IPv6 addresses of the internet */
const SPACES = ['0.0.0.0/0', '2000::/3'].map(parseNetwork)

/** Returns whether networks together have more than half of the addresses of IPv4 or IPv6. A repeated one counts twice. */
export function coverMost(networks: readonly string[]): boolean {
  const parsed = networks.map(parseNetwork)
  return SPACES.some((space) => {
    const parts = parsed.flatMap((each) => (contains(each, space) ? [space] : contains(space, each) ? [each] : []))
    return parts.reduce((share, [, bits]) => share + 2 ** (space[1] - bits), 0) > 1 / 2
  })
}

function contains([outer, outerBits]: Network, [inner, innerBits]: Network): boolean {
  return outer.kind() === inner.kind() && outerBits <= innerBits && inner.match(outer, outerBits)
}
