// A wrong code makes the service do the same work whether a code is live or not: the same statements, with one row written.
import { randomUUID } from 'node:crypto'
import t from 'tap'
import type { Prisma } from '../../generated/prisma/client.ts'
import { clientRegistration } from '../support/registrations.ts'
import { openWorld, type World } from '../support/world.ts'

const MINUTE_MS = 60_000
const WRONG = '000000'

type Statement = { text: string; rowCount: number | null }
type Query = (...args: unknown[]) => Promise<{ rowCount: number | null }>

/** Resolves to the statements about codes that run meanwhile. */
async function statementsOf({ service }: World, run: () => Promise<unknown>): Promise<Statement[]> {
  const pool = service.database.pool as unknown as { query: Query }
  const { query } = pool
  const found: Statement[] = []
  pool.query = async (...args) => {
    const result = await query.apply(pool, args)
    const text = typeof args[0] === 'string' ? args[0] : (args[0] as { text: string }).text
    if (/phone_verifications|audit_events/.test(text)) found.push({ text, rowCount: result.rowCount })
    return result
  }
  try {
    await run()
  } finally {
    pool.query = query
  }
  return found
}

type State = Partial<Prisma.PhoneVerificationCreateManyInput> | undefined

const states: Record<string, State> = {
  'no code was sent': undefined,
  'the code has expired': { expiresAt: new Date(Date.now() - MINUTE_MS) },
  'the code was used': { state: 'used', confirmedAt: new Date() },
  'the confirmation has expired': { state: 'confirmed', confirmedAt: new Date(Date.now() - 40 * MINUTE_MS) },
}

async function numberIn(world: World, state: State): Promise<string> {
  const phone = world.newPhone()
  if (!state) return phone
  const startedAt = new Date(Date.now() - MINUTE_MS)
  const expiresAt = new Date(Date.now() + 4 * MINUTE_MS)
  const window = { windowId: randomUUID(), startedAt, expiresAt, sentAt: [startedAt], wrongAt: [], version: 1 }
  const data = { ...window, phone: `+966${phone.slice(1)}`, state: 'sent' as const, ...state }
  await world.service.database.prisma.phoneVerification.create({ data })
  return phone
}

type Use = (world: World, phone: string) => Promise<void>

const confirm: Use = async (world, phone) => {
  const { status } = await world.send('confirmPhone')({ json: { phone_code: '966', phone, otp: WRONG } })
  t.equal(status, 400)
}

const uses: Record<string, Use> = {
  confirmPhone: confirm,
  resetPassword: async (world, phone) => {
    const json = { by: 'phone', phone_code: '966', phone, otp: WRONG, password: 'another horse battery' }
    const { body } = await world.send('resetPassword')({ json })
    t.same(body.data.codes, { otp: ['otp_wrong'] })
  },
  register: async (world, phone) => {
    const json = clientRegistration({ phone_code: '966', phone, otp: WRONG })
    const { body } = await world.send('register')({ json })
    t.same(body.data.codes, { otp: ['otp_wrong'] })
  },
}

for (const [id, tryCode] of Object.entries(uses)) {
  for (const [title, state] of Object.entries(states)) {
    void t.test(`${id} does the same for a wrong code when ${title}`, async (t) => {
      const world = await openWorld()
      const [live, dead] = [await numberIn(world, {}), await numberIn(world, state)]
      const whenLive = await statementsOf(world, () => tryCode(world, live))
      const whenDead = await statementsOf(world, () => tryCode(world, dead))
      t.same(whenDead, whenLive)
      const kinds = whenLive.map(({ text, rowCount }) => `${/\w+/.exec(text)?.[0] ?? ''} ${rowCount ?? ''}`)
      t.same(kinds, ['SELECT 1', 'UPDATE 1', 'INSERT 1'])
    })
  }
}

void t.test('a wrong code changes nothing of a number without a live code', async (t) => {
  const world = await openWorld()
  const phone = await numberIn(world, states['the code was used'])
  const where = { phone: `+966${phone.slice(1)}` }
  const { prisma } = world.service.database
  const before = await prisma.phoneVerification.findUniqueOrThrow({ where })
  await confirm(world, phone)
  t.same(await prisma.phoneVerification.findUniqueOrThrow({ where }), before)
})

void t.test('wrong codes for invented numbers add no rows, and do not wait for each other', async (t) => {
  const world = await openWorld()
  const { prisma } = world.service.database
  const before = await prisma.phoneVerification.count()
  await Promise.all(Array.from({ length: 50 }, () => confirm(world, world.newPhone())))
  t.equal(await prisma.phoneVerification.count(), before)
})

void t.test('decoys never expire, so that a sweep deletes none', async (t) => {
  const world = await openWorld()
  const { prisma } = world.service.database
  const decoys = await prisma.phoneVerification.findMany({ where: { phone: { startsWith: 'decoy-' } } })
  t.equal(decoys.length, 1024)
  t.ok(decoys.every(({ expiresAt, version }) => expiresAt.getUTCFullYear() === 9999 && version === 1))
})
