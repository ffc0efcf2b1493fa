import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { Client } from '../contract.ts'

const USER_AGENT_LENGTH_MAX = 256
const IPV6_NETWORK_BITS = 64

/** Who asks. IPv4 is counted by address and IPv6 by /64 network, of which one customer has at least one. */
export function clientOf({ ip, headers, id }: FastifyRequest): Client {
  const { address, network } = addressOf(ip)
  return { address, network, userAgent: headers['user-agent']?.slice(0, USER_AGENT_LENGTH_MAX), requestId: id }
}

export function addressOf(ip: string): { address: string; network: string } {
  if (!ip.includes(':')) return { address: ip, network: ip }
  const parsed = ipaddr.process(ip) // IPv4 in IPv6 is IPv4
  if (parsed.kind() === 'ipv4') return { address: parsed.toString(), network: parsed.toString() }
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${IPV6_NETWORK_BITS}`)
  return { address: parsed.toString(), network: `${network.toString()}/${IPV6_NETWORK_BITS}` }
}
