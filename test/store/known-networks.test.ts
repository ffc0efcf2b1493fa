// The networks from which an account has recently logged in.
import t from 'tap'
import { protect } from '../support/accounts/second-factors.ts'
import { openWorld } from '../support/service/world.ts'

const DAY_MS = 86_400_000

void t.test('recognizes the networks of the sessions of the last 90 days, also of ended ones', async (t) => {
  const world = await openWorld()
  const { database, app } = world.service
  const { id: accountId, email } = await world.person()
  const other = await world.person()
  const sessions = [
    { accountId, address: '203.0.113.7', endedAt: new Date() },
    { accountId, address: '2001:db8:1:2::5' },
    { accountId, address: '198.51.100.1', createdAt: new Date(Date.now() - 91 * DAY_MS) },
    { accountId, address: '198.51.100.2', createdAt: new Date(Date.now() - 89 * DAY_MS) },
    { accountId: other.id, address: '192.0.2.1' },
  ]
  await database.prisma.session.createMany({ data: sessions })
  const networks = {
    '203.0.113.7': true,
    '203.0.113.6': false,
    '2001:db8:1:2::/64': true,
    '2001:db8:1:3::/64': false,
    '2001:db8:1:1::/64': false,
    '198.51.100.1': false,
    '198.51.100.2': true,
    '192.0.2.1': false,
  }
  for (const [network, isKnown] of Object.entries(networks)) {
    const credentials = await app.context.store.accounts.loginCredentials(email, network)
    t.match(credentials, { isKnownNetwork: isKnown, isProvenNetwork: false }, network)
  }
})

void t.test('knows for the second factor the networks of sessions since the first one', async (t) => {
  const world = await openWorld()
  const { database, app } = world.service
  const person = await world.person()
  const { id: accountId, email } = person
  await protect(world, person)
  const sessions = [
    { accountId, address: '203.0.113.8', createdAt: new Date(Date.now() - DAY_MS) },
    { accountId, address: '203.0.113.9', createdAt: new Date(Date.now() + 1000) },
  ]
  await database.prisma.session.createMany({ data: sessions })
  for (const [network, isProvenNetwork] of [
    ['203.0.113.8', false],
    ['203.0.113.9', true],
  ] as const) {
    const credentials = await app.context.store.accounts.loginCredentials(email, network)
    t.match(credentials, { isKnownNetwork: true, isProvenNetwork }, network)
  }
})

void t.test(
  'trusts networks of logins a day ago, with a verified number and what a login requires, by an index',
  async (t) => {
    const world = await openWorld()
    const { database, app } = world.service
    const ago = (hours: number): Date => new Date(Date.now() - hours * 3_600_000)
    const { id } = await world.person()
    const [unverified, isProtected] = [await world.person({ isPhoneVerified: false }), await world.person()]
    const later = await world.person()
    await database.prisma.account.updateMany({
      where: { id: { in: [id, isProtected.id] } },
      data: { phoneVerifiedAt: ago(4000) },
    })
    await database.prisma.account.update({ where: { id: later.id }, data: { phoneVerifiedAt: ago(25) } })
    await protect(world, isProtected)
    await database.prisma.account.update({ where: { id: isProtected.id }, data: { factorsSince: ago(30) } })
    const sessions: [accountId: number, address: string, hours: number, isTrusted: boolean][] = [
      [id, '203.0.113.70', 25, true],
      [id, '203.0.113.71', 23, false],
      [id, '203.0.113.72', 91 * 24, false],
      [id, '2001:db8:7:2::5', 89 * 24, true],
      [unverified.id, '203.0.113.73', 25, false],
      [later.id, '203.0.113.74', 26, false],
      [isProtected.id, '203.0.113.75', 31, false],
      [isProtected.id, '203.0.113.76', 29, true],
    ]
    await database.prisma.session.createMany({
      data: sessions.map(([accountId, address, hours]) => ({
        accountId,
        address,
        createdAt: ago(hours),
        endedAt: new Date(),
      })),
    })
    const { isTrustedNetwork } = app.context.store.sessions
    for (const [accountId, address, , isTrusted] of sessions) {
      const network = address.includes(':') ? '2001:db8:7:2::/64' : address
      t.equal(await isTrustedNetwork(network), isTrusted, network)
      t.equal(await isTrustedNetwork(network, accountId), isTrusted)
      t.equal(await isTrustedNetwork(network, accountId + 1000), false, 'another account')
    }
    t.equal(await isTrustedNetwork('2001:db8:7:3::/64'), false)
    const { rows } = await database.pool.query<{ definition: string }>(
      `SELECT indexdef AS definition FROM pg_indexes WHERE indexname = 'sessions_network_idx'`,
    )
    t.match(rows[0]?.definition, /\(\(address\)::inet\), created_at/)
  },
)
