import type { Client } from '../../contract.ts'

/**
 * The network of a client as the limits of phone numbers and of SMS count it: an IPv4 address or an IPv6 /48, of which one
 * customer may have all /64s.
 */
export function siteOf({ network, wideNetworks }: Pick<Client, 'network' | 'wideNetworks'>): string {
  return wideNetworks[1] ?? network
}
