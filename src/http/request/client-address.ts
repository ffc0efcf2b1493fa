import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import { isIPv4 } from 'node:net'
import type { Client } from '../../contract/operation.ts'
import { parseNetwork } from '../../lib/networks.ts'

const USER_AGENT_LENGTH_MAX = 256
const IPV6_NETWORK_BITS = 64
/** `203.0.113.7:4711` or `[2001:db8::1]:4711` */
const WITH_PORT = /^(?:([\d.]+):\d+|\[([\da-f:.]+)\](?::\d+)?)$/i

type Address = { address: string; network: string }

/** Stands for a client without an address. All such clients share their limits. */
const UNKNOWN_ADDRESS: Address = { address: '0.0.0.0', network: '0.0.0.0' }

/** Returns the address of a client. It has none if its connection was reset before the service accepted it. */
export function addressOf({ ip }: Readonly<{ ip: string | undefined }>): string | undefined {
  return ip // Fastify's type says that there is always one
}

/** Returns the client of a request. Limits count IPv4 by address and IPv6 by /64, the smallest network of a customer. */
export function readClient(request: FastifyRequest): Client {
  const { socket, headers, id } = request
  const { address, network } = parseAddress(addressOf(request)) ?? parseAddress(socket.remoteAddress) ?? UNKNOWN_ADDRESS
  const userAgent = headers['user-agent']?.slice(0, USER_AGENT_LENGTH_MAX)
  return { address, network, wideNetworks: toWideNetworks(address), userAgent, requestId: id }
}

/** Returns the /56 and the /48 around an IPv6 address, the usual networks of a provider's customer. */
export function toWideNetworks(address: string): Client['wideNetworks'] {
  return isIPv4(address) ? [] : [toNetwork(address, 56), toNetwork(address, 48)]
}

function toNetwork(address: string, bits: number): string {
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`).toString()}/${bits}`
}

/** Parses an address that a proxy reports: it may have a port or a zone, or not be an address. */
export function parseAddress(reported: string | undefined): Address | undefined {
  if (reported === undefined) return undefined
  if (isIPv4(reported)) return { address: reported, network: reported }
  const ip = WITH_PORT.exec(reported)?.slice(1).find(Boolean) ?? reported.split('%')[0] ?? ''
  if (!ipaddr.isValid(ip)) return undefined
  const parsed = ipaddr.process(ip) // IPv4 in IPv6 is IPv4
  if (parsed.kind() === 'ipv4') return { address: parsed.toString(), network: parsed.toString() }
  const address = parsed.toString()
  return { address, network: toNetwork(address, IPV6_NETWORK_BITS) }
}

/** What is remembered of addresses, which are mostly those of proxies and of clients that return */
const ADDRESSES_MAX = 1000
const ADDRESS_LENGTH_MAX = 45

/** Returns whether a text is an address of certain networks. The address of a client that has disconnected is undefined. */
export type NetworkMatcher = (address: string | undefined) => boolean

/** Makes a test of whether a text is an address of one of the networks, each an address or a CIDR block. */
export function networkMatcher(networks: readonly string[]): NetworkMatcher {
  if (networks.length === 0) return () => false
  const parsed = networks.map(parseNetwork)
  const belongs = (address: string): boolean => {
    if (!ipaddr.isValid(address)) return false
    const ip = ipaddr.process(address)
    return parsed.some(([network, bits]) => network.kind() === ip.kind() && ip.match(network, bits))
  }
  const known = new LRUCache<string, boolean>({ max: ADDRESSES_MAX, memoMethod: belongs })
  return (address = '') => address.length <= ADDRESS_LENGTH_MAX && known.memo(address)
}
