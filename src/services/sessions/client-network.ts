import type { Client } from '../../contract/operation.ts'

/**
 * Returns the network that limits on phone numbers and SMS count: an IPv4 address or an IPv6 /48, because one customer may
 * have all its /64s.
 */
export function toNetwork48({ network, wideNetworks }: Pick<Client, 'network' | 'wideNetworks'>): string {
  return wideNetworks[1] ?? network
}
