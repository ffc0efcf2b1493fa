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

void t.test('recognizes the networks from which any account has logged in, by an index', async (t) => {
  const world = await openWorld()
  const { database, app } = world.service
  const { id: accountId } = await world.person()
  const before = new Date(Date.now() - 91 * DAY_MS)
  await database.prisma.session.createMany({
    data: [
      { accountId, address: '203.0.113.70', endedAt: new Date() },
      { accountId, address: '2001:db8:7:2::5' },
      { accountId, address: '203.0.113.71', createdAt: before },
    ],
  })
  const networks = {
    '203.0.113.70': true,
    '2001:db8:7:2::/64': true,
    '2001:db8:7:3::/64': false,
    '203.0.113.71': false,
  }
  for (const [network, isKnown] of Object.entries(networks))
    t.equal(await app.context.store.sessions.isKnownNetwork(network), isKnown, network)
  const { rows } = await database.pool.query<{ definition: string }>(
    `SELECT indexdef AS definition FROM pg_indexes WHERE indexname = 'sessions_network_idx'`,
  )
  t.match(rows[0]?.definition, /\(\(address\)::inet\), created_at/)
})
