import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { isIPv4 } from 'node:net'
import type { Client } from '../contract.ts'

const USER_AGENT_LENGTH_MAX = 256
const IPV6_NETWORK_BITS = 64
/** `203.0.113.7:4711` or `[2001:db8::1]:4711` */
const WITH_PORT = /^(?:([\d.]+):\d+|\[([\da-f:.]+)\](?::\d+)?)$/i

type Address = { address: string; network: string }

/** A connection that is over already has no address. */
const NOBODY: Address = { address: '0.0.0.0', network: '0.0.0.0' }

/** Who asks. IPv4 is counted by address and IPv6 by /64 network, of which one customer has at least one. */
export function clientOf({ ip, socket, headers, id }: FastifyRequest): Client {
  const { address, network } = addressOf(ip) ?? addressOf(socket.remoteAddress) ?? NOBODY
  const userAgent = headers['user-agent']?.slice(0, USER_AGENT_LENGTH_MAX)
  return { address, network, wideNetworks: wideNetworksOf(address), userAgent, requestId: id }
}

/** The networks of a provider's customer around an IPv6 address. */
export function wideNetworksOf(address: string): Client['wideNetworks'] {
  return isIPv4(address) ? [] : [networkOf(address, 56), networkOf(address, 48)]
}

function networkOf(address: string, bits: number): string {
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`).toString()}/${bits}`
}

/** What a proxy reports may have a port, a zone, or be no address at all. */
export function addressOf(reported: string | undefined): Address | undefined {
  if (reported === undefined) return undefined // the connection is over
  if (isIPv4(reported)) return { address: reported, network: reported }
  const ip = WITH_PORT.exec(reported)?.slice(1).find(Boolean) ?? reported.split('%')[0] ?? ''
  if (!ipaddr.isValid(ip)) return undefined
  const parsed = ipaddr.process(ip) // IPv4 in IPv6 is IPv4
  if (parsed.kind() === 'ipv4') return { address: parsed.toString(), network: parsed.toString() }
  const address = parsed.toString()
  return { address, network: networkOf(address, IPV6_NETWORK_BITS) }
}
