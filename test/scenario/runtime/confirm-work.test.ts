// A wrong code makes the service do the same work whether a code is live or not: the same statements, with one row written.
import { randomUUID } from 'node:crypto'
import t from 'tap'
import type { Prisma } from '../../../generated/prisma/client.ts'
import { clientRegistration } from '../../support/accounts/registrations.ts'
import { sender } from '../../support/service/sender.ts'
import { openWorld, type World } from '../../support/service/world.ts'

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
  const window = {
    windowId: randomUUID(),
    startedAt,
    expiresAt,
    sentAt: [startedAt],
    sentBy: [''],
    wrongAt: [],
    version: 1,
  }
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
    const json = { by: 'phone', phone_code: '966', phone, otp: WRONG, password: 'olive3kayak' }
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
    void t.test(`${id} runs the same statements for a wrong code when ${title}`, async (t) => {
      const world = await openWorld()
      const [active, inactive] = [await numberIn(world, {}), await numberIn(world, state)]
      const whenActive = await statementsOf(world, () => tryCode(world, active))
      const whenInactive = await statementsOf(world, () => tryCode(world, inactive))
      t.same(whenInactive, whenActive)
      const kinds = whenActive.map(({ text, rowCount }) => `${/\w+/.exec(text)?.[0] ?? ''} ${rowCount ?? ''}`)
      t.same(kinds, ['SELECT 1', 'WITH 1'], 'the event is recorded together with the window')
    })
  }
}

void t.test('counts a wrong code for a number without an active code', async (t) => {
  const world = await openWorld()
  const phone = await numberIn(world, states['the code was used'])
  const where = { phone: `+966${phone.slice(1)}` }
  const { prisma } = world.service.database
  const { wrongAt: _at, wrongBy: _by, ...before } = await prisma.phoneVerification.findUniqueOrThrow({ where })
  await confirm(world, phone)
  const { wrongAt, wrongBy, ...after } = await prisma.phoneVerification.findUniqueOrThrow({ where })
  t.same(after, { ...before, wrongTries: 1, version: before.version + 1 })
  t.equal(wrongAt.length, 1)
  t.match(wrongBy, [/^[\w-]{22}$/], 'the network is not stored as it is')
})

const sequences: Record<string, State> = { 'a code is live': {}, ...states }

void t.test('rejects excess attempts equally with and without an active code', async (t) => {
  const world = await openWorld()
  const responses = await Promise.all(
    Object.values(sequences).map(async (state) => {
      const phone = await numberIn(world, state)
      const found: string[] = []
      for (let tries = 0; tries < 8; tries++) {
        const json = { phone_code: '966', phone, otp: WRONG }
        const { status, body, headers } = await world.send('confirmPhone')({ json })
        const seconds = Number(headers['retry-after'] ?? 0)
        const about = [
          status,
          headers['error-code'],
          body.message,
          Math.ceil(seconds / 60),
          Object.keys(headers).sort(),
        ]
        found.push(JSON.stringify(about))
      }
      return found
    }),
  )
  t.match(responses[0]?.[4], /^\[400,"otp_wrong"/)
  t.match(responses[0]?.[5], /^\[429,"otp_tries_exhausted"/)
  for (const [at, title] of Object.keys(sequences).entries()) t.same(responses[at], responses[0], title)
})

void t.test('does not reveal accounts by wrong codes of a reset', async (t) => {
  const world = await openWorld()
  const resetPassword = sender(world.service.origin, 'resetPassword', '203.0.113.77')
  const other = sender(world.service.origin, 'confirmPhone', '203.0.113.78')
  const responsesFor = async (phone: string): Promise<string[]> => {
    const requestReset = sender(world.service.origin, 'requestPasswordReset', '203.0.113.77')
    t.equal((await requestReset({ json: { by: 'phone', phone_code: '966', phone } })).status, 202)
    await world.service.app.context.background.settle(20_000)
    const found: string[] = []
    for (let tries = 0; tries < 7; tries++) {
      const json = { by: 'phone', phone_code: '966', phone, otp: WRONG, password: 'olive3kayak' }
      const { status, headers } = await resetPassword({ json })
      found.push(`${status} ${headers['error-code']}`)
    }
    for (let tries = 0; tries < 7; tries++) {
      const { status, headers } = await other({ json: { phone_code: '966', phone, otp: WRONG } })
      found.push(`${status} ${headers['error-code']}`)
    }
    return found
  }
  const { phone } = await world.person()
  const known = await responsesFor(phone)
  t.same(await responsesFor(world.newPhone()), known)
  t.same(known.slice(4, 8), ['422 invalid_data', ...Array<string>(2).fill('429 otp_tries_exhausted'), '400 otp_wrong'])
  t.equal(world.textsTo(phone).length, 1, 'only the account gets a message')
})

void t.test('deletes rows of numbers without a code after a day', async (t) => {
  const world = await openWorld()
  const { prisma } = world.service.database
  const phones = Array.from({ length: 30 }, () => world.newPhone())
  await Promise.all(phones.map((phone) => confirm(world, phone)))
  const where = { phone: { in: phones.map((phone) => `+966${phone.slice(1)}`) } }
  t.equal(await prisma.phoneVerification.count({ where }), 30)
  const dayAgo = new Date(Date.now() - 25 * 60 * MINUTE_MS)
  await prisma.phoneVerification.updateMany({ where, data: { expiresAt: dayAgo } })
  await world.service.app.context.store.deleteExpired(1)
  t.equal(await prisma.phoneVerification.count({ where }), 30, 'wrong attempts of the last day count')
  await prisma.phoneVerification.updateMany({ where, data: { wrongAt: [dayAgo] } })
  await world.service.app.context.store.deleteExpired(1)
  t.equal(await prisma.phoneVerification.count({ where }), 0)
})
