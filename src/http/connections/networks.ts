import ipaddr from 'ipaddr.js'

type Network = [address: ipaddr.IPv4 | ipaddr.IPv6, bits: number]

const MAPPED_BITS = 96

/** Makes a test of whether an address belongs to one of the networks, each an address or a CIDR block. */
export function networkMatcher(networks: readonly string[]): (address: string) => boolean {
  if (networks.length === 0) return () => false
  const parsed = networks.map(parseNetwork)
  return (address) => {
    const ip = ipaddr.process(address)
    return parsed.some(([network, bits]) => network.kind() === ip.kind() && ip.match(network, bits))
  }
}

function parseNetwork(text: string): Network {
  const [address, bits] = text.includes('/') ? ipaddr.parseCIDR(text) : wholeAddress(text)
  const isMapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= MAPPED_BITS
  return isMapped ? [address.toIPv4Address(), bits - MAPPED_BITS] : [address, bits]
}

function wholeAddress(text: string): Network {
  const address = ipaddr.parse(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}
