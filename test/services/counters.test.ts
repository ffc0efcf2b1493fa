// By what attempts are counted.
import t from 'tap'
import { failureSubject, loginCounters } from '../../src/services/password/guess-counters.ts'
import { toNetwork48 } from '../../src/services/phone/code-requests.ts'

const account = {
  id: 7,
  email: 'sara@example.org',
  passwordHash: 'hash',
  status: 'active',
  isKnownNetwork: false,
  isProvenNetwork: false,
  factors: null,
} as const
const client = {
  network: '203.0.113.7',
  address: '203.0.113.7',
  wideNetworks: [],
  userAgent: 'x',
  requestId: 'r',
} as const

void t.test('counts wrong passwords by account and password, so that a new password clears them', (t) => {
  t.not(failureSubject('x', account), failureSubject('x', { ...account, passwordHash: 'other' }))
  t.not(failureSubject('x', account), failureSubject('x', { ...account, id: 8 }))
  t.equal(failureSubject('x', account), failureSubject('y', account))
  t.equal(failureSubject('x', undefined), 'x', 'an unknown address')
  t.end()
})

void t.test('counts 100 wrong passwords a day for all unknown networks, and known ones apart', (t) => {
  const named = (name: string, of: typeof account | undefined, network: string): unknown =>
    loginCounters('x', of, { ...client, network }).find(({ policy }) => policy.name === name)
  const unknown = named('password-day', account, client.network)
  t.match(unknown, { policy: { points: 100, seconds: 86_400, isHidden: true } })
  t.same(named('password-day', account, '198.51.100.1'), unknown, 'networks share a counter')
  t.match(named('password-day', undefined, client.network), { key: 'x' }, 'an unknown address')
  const known = { ...account, isKnownNetwork: true } as unknown as typeof account
  t.equal(named('password-day', known, client.network), undefined)
  t.match(named('login-account', known, client.network), { policy: { points: 10, seconds: 900 } })
  t.match(named('login-address', known, client.network), { onlyCounts: true })
  t.match(named('login-address', account, client.network), { onlyCounts: false })
  t.end()
})

void t.test('counts an IPv6 client by its /48, and an IPv4 client by its address', (t) => {
  const network = '2001:db8:1:2::/64'
  t.equal(toNetwork48({ network, wideNetworks: ['2001:db8:1::/56', '2001:db8:1::/48'] }), '2001:db8:1::/48')
  t.equal(toNetwork48({ ...client, wideNetworks: [] }), '203.0.113.7')
  t.end()
})
