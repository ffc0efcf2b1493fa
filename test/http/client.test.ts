// The address and the networks of a client, from whatever a proxy reports.
import t from 'tap'
import { parseAddress, toWideNetworks } from '../../src/http/request/client-address.ts'

const reported: Record<string, [address: string, network: string] | undefined> = {
  '203.0.113.7': ['203.0.113.7', '203.0.113.7'],
  '203.0.113.7:4711': ['203.0.113.7', '203.0.113.7'],
  '::ffff:203.0.113.7': ['203.0.113.7', '203.0.113.7'],
  '2001:db8:1:2:3:4:5:6': ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  '[2001:db8:1:2::7]:4711': ['2001:db8:1:2::7', '2001:db8:1:2::/64'],
  '[2001:db8:1:2::7]': ['2001:db8:1:2::7', '2001:db8:1:2::/64'],
  'fe80::1%eth0': ['fe80::1', 'fe80::/64'],
  unknown: undefined,
  '': undefined,
  '203.0.113.700': undefined,
  "' OR 1=1": undefined,
}

for (const [text, expected] of Object.entries(reported)) {
  void t.test(`'${text}'`, (t) => {
    t.same(parseAddress(text), expected && { address: expected[0], network: expected[1] })
    t.end()
  })
}

void t.test('gives IPv6 addresses a /56 and a /48, and IPv4 addresses no wider network', (t) => {
  t.same(toWideNetworks('203.0.113.7'), [])
  t.same(toWideNetworks('2001:db8:1:2fe:3:4:5:6'), ['2001:db8:1:200::/56', '2001:db8:1::/48'])
  t.end()
})
