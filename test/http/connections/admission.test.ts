// The limit of connections that one network may have.
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { networkMatcher } from '../../../src/http/request/client-address.ts'
import { openEdgeServer, rawClient, SHORT_LIMITS, type RawClient } from '../../support/servers/edge-server.ts'

const GET = 'GET /small HTTP/1.1\r\nHost: x\r\n\r\n'
const PER_NETWORK = 5
const connectionLimits = { ...SHORT_LIMITS, perNetwork: PER_NETWORK, headMs: 30_000, requestMs: 60_000, idleMs: 60_000 }

function manyFrom(origin: string, localAddress: string, count: number): RawClient[] {
  return Array.from({ length: count }, () => rawClient(origin, '', { localAddress }))
}

void t.test('rejects the connections of a network that has reached its limit', async (t) => {
  const edge = await openEdgeServer({ connectionLimits })
  const held = manyFrom(edge.origin, '127.0.0.2', PER_NETWORK)
  await edge.untilConnections(PER_NETWORK)

  const surplus = rawClient(edge.origin, GET, { localAddress: '127.0.0.2' })
  await surplus.closed
  t.match(surplus.received(), /^HTTP\/1\.1 503 /)
  t.match(surplus.received(), /\r\nerror-code: overloaded\r\n/i)
  t.match(surplus.received(), /\r\nretry-after: \d+\r\n/i)
  t.match(surplus.received(), /\{"status":false,"code":503,/)
  t.same(edge.served, [], 'its request is not served')

  const other = rawClient(edge.origin, GET, { localAddress: '127.0.0.3' })
  await other.until('{"small":true}')
  t.match(other.received(), /^HTTP\/1\.1 200 /, 'another network is served')

  held[0]?.socket.destroy()
  await edge.untilConnections(PER_NETWORK)
  const next = rawClient(edge.origin, GET, { localAddress: '127.0.0.2' })
  await next.until('{"small":true}')
  t.match(next.received(), /^HTTP\/1\.1 200 /, 'a closed connection frees its place')
})

void t.test('does not limit the connections of a trusted proxy', async (t) => {
  const edge = await openEdgeServer({ connectionLimits, trustedProxies: ['127.0.0.0/30'] })
  manyFrom(edge.origin, '127.0.0.2', 2 * PER_NETWORK)
  await edge.untilConnections(2 * PER_NETWORK)
  const client = rawClient(edge.origin, GET, { localAddress: '127.0.0.2' })
  await client.until('{"small":true}')
  t.match(client.received(), /^HTTP\/1\.1 200 /)
})

void t.test('logs rejected connections once a second, with their number', async (t) => {
  const edge = await openEdgeServer({ connectionLimits })
  manyFrom(edge.origin, '127.0.0.2', PER_NETWORK)
  await edge.untilConnections(PER_NETWORK)
  await Promise.all(manyFrom(edge.origin, '127.0.0.2', 300).map(({ closed }) => closed))

  const logged = (): { rejected: number; network: string }[] => edge.log.map((line) => JSON.parse(line) as never)
  const total = (): number => logged().reduce((sum, { rejected }) => sum + rejected, 0)
  while (total() < 300) await sleep(20)
  t.equal(total(), 300)
  t.ok(logged().length < 30, `${logged().length} lines`)
  t.equal(logged()[0]?.network, '127.0.0.2')
})

void t.test('recognizes the networks of proxies', (t) => {
  const isTrusted = networkMatcher(['10.0.0.0/8', '192.0.2.7', '2001:db8::/32', '::ffff:198.51.100.0/120'])
  for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '192.0.2.7', '2001:db8:7::1', '198.51.100.9'])
    t.ok(isTrusted(address), address)
  for (const address of ['11.1.2.3', '192.0.2.8', '2001:db9::1', '198.51.101.9', '::1'])
    t.notOk(isTrusted(address), address)
  for (const none of [undefined, '', 'unknown', '10.1.2.3:80', '1'.repeat(100)]) t.notOk(isTrusted(none), String(none))
  for (let host = 0; host < 3000; host++)
    t.equal(isTrusted(`${host % 2 ? 10 : 11}.1.${host >> 8}.${host % 256}`), host % 2 === 1)
  t.notOk(networkMatcher([])('127.0.0.1'))
  t.end()
})
