import { BlockList, isIP } from 'node:net'

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8)
LOOPBACK.addAddress('::1', 'ipv6')

/** Returns whether only this machine can connect to a host. The only name that counts as loopback is localhost. */
export function isLoopback(host: string): boolean {
  if (host.toLowerCase() === 'localhost') return true
  const version = isIP(host)
  if (version === 0 || host.includes('%')) return false // an address with a zone belongs to a network interface
  return LOOPBACK.check(host, version === 4 ? 'ipv4' : 'ipv6')
}
