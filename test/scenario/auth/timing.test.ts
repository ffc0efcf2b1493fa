// Rejected and accepted requests take the same time for all people, so that timing does not reveal accounts.
import bcrypt from 'bcryptjs'
import { randomInt, randomUUID } from 'node:crypto'
import t from 'tap'
import { bindings } from '../../../generated/operations.ts'
import { toHashInput } from '../../../src/adapters/passwords/pre-hash.ts'
import { PRE_HASH_TAG } from '../../../src/domain/passwords/password.ts'
import { LONG_PASSWORD, openWorld, type World } from '../../support/service/world.ts'
import { aucOf, stopwatch, compareTimes, type Pair } from '../../support/timing/timing.ts'

const BATCH = 50
const SETTLE_MS_MAX = 20_000
const MINUTE_MS = 60_000
const passwordHash = bcrypt.hashSync('correct horse battery', 4)
const longPasswordHash = PRE_HASH_TAG + bcrypt.hashSync(toHashInput(LONG_PASSWORD).text, 4)

/** Requests about two groups of people: those who have something, and the others */
type Case = {
  id: 'login' | 'requestPasswordReset' | 'confirmPhone'
  status: number
  have: Have
  others: Have
  body: (who: Who) => object
}
type Who = { email: string; phone: string }

/** Stores something for people. */
type Have = (world: World, who: readonly Who[]) => Promise<unknown>

const wrongPassword = ({ email }: Who): object => ({ email, password: 'a wrong password' })
const login = { id: 'login', status: 401, others: nothing, body: wrongPassword } as const
const reset = { id: 'requestPasswordReset', status: 202, have: accounts('active'), others: nothing } as const
const wrongCode = ({ phone }: Who): object => ({ phone_code: '966', phone, otp: '000000' })
const confirm = { id: 'confirmPhone', status: 400, have: windows(4 * MINUTE_MS), body: wrongCode } as const
const byEmail: Case = { ...reset, body: ({ email }) => ({ by: 'email', email }) }
const bySms: Case = { ...reset, body: ({ phone }) => ({ by: 'phone', phone_code: '966', phone }) }
const longLogin = { ...login, body: ({ email }: Who) => ({ email, password: 'كلمة سر خاطئة '.repeat(5) }) } as const
const cases: Record<string, Case> = {
  'a login with a wrong password': { ...login, have: accounts('active') },
  'a login with a wrong password, where the account is suspended': { ...login, have: accounts('suspended') },
  'a login with a wrong password, where the password of the account has more than 72 bytes': {
    ...login,
    have: accounts('active', longPasswordHash),
  },
  'a login with a wrong password of more than 72 bytes': { ...longLogin, have: accounts('active') },
  'a login with a wrong password of more than 72 bytes, where that of the account has too': {
    ...longLogin,
    have: accounts('active', longPasswordHash),
  },
  'a forgotten password, by e-mail': byEmail,
  'a forgotten password, by SMS': bySms,
  'a wrong code for a number that was sent one or none': { ...confirm, others: nothing },
  'a wrong code for a number whose code is live or has expired': { ...confirm, others: windows(-MINUTE_MS) },
}

const watch = stopwatch()
t.teardown(() => watch.close())
let people = 0
let addresses = 0

/** Returns items one after the other, and fetches many at a time. */
function queueOf<Item>(fetchMany: () => Promise<Item[]>): () => Promise<Item> {
  let items: Item[] = []
  return async () => {
    if (items.length === 0) items = await fetchMany()
    const item = items.pop()
    if (item === undefined) throw new Error('there is nothing more')
    return item
  }
}

/** Creates new people, and stores what they have. */
async function peopleIn(world: World, have: Have): Promise<Who[]> {
  const who = Array.from({ length: BATCH }, () => ({
    email: `person-${String(++people).padStart(6, '0')}@example.org`,
    phone: world.newPhone(),
  }))
  await have(world, who)
  return who
}

function nothing(): Promise<void> {
  return Promise.resolve()
}

function accounts(status: 'active' | 'suspended', hash = passwordHash): Have {
  const now = new Date()
  const verified = { emailVerifiedAt: now, emailRecoversFrom: now, phoneVerifiedAt: now, phoneRecoversFrom: now }
  const common = { passwordHash: hash, phoneCode: '966', ...verified, accountType: 'client', status } as const
  return ({ service }, who) => {
    const data = who.map(({ email, phone }) => ({ ...common, email, phone: `+966${phone.slice(1)}` }))
    return service.database.prisma.account.createMany({ data })
  }
}

/** Stores sent codes that expire in the given number of milliseconds. */
function windows(leftMs: number): Have {
  return ({ service }, who) => {
    const expiresAt = new Date(Date.now() + leftMs)
    const startedAt = new Date(expiresAt.getTime() - 5 * MINUTE_MS)
    const state = 'sent' as const
    const common = { state, startedAt, expiresAt, sentAt: [startedAt], wrongAt: [], version: 1 }
    const data = who.map(({ phone }) => ({ ...common, windowId: randomUUID(), phone: `+966${phone.slice(1)}` }))
    return service.database.prisma.phoneVerification.createMany({ data })
  }
}

/** Returns the time until the response arrives; each request has its own address. */
async function timeOf(world: World, { id, status, body }: Case, who: Who): Promise<number> {
  const { method, path } = bindings[id]
  const address = `172.${16 + ((++addresses >> 16) & 15)}.${(addresses >> 8) & 255}.${addresses & 255}`
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': address }
  const timedRequest = { url: world.service.origin + path, method, headers, body: JSON.stringify(body(who)) }
  const { ms, status: receivedStatus } = await watch.time(timedRequest)
  if (receivedStatus === status) return ms
  throw new Error(`${id} returned ${receivedStatus}`)
}

for (const [title, each] of Object.entries(cases)) {
  void t.test(`${title}: the time does not reveal accounts`, async (t) => {
    const world = await openWorld()
    const [nextKnown, nextUnknown] = [
      queueOf(() => peopleIn(world, each.have)),
      queueOf(() => peopleIn(world, each.others)),
    ]
    const time = (who: Who): Promise<number> => timeOf(world, each, who)
    const sample = async (): Promise<Pair> => {
      await world.service.app.context.background.settle(SETTLE_MS_MAX)
      const [known, unknown] = [await nextKnown(), await nextUnknown()]
      if (randomInt(2) === 0) return [await time(unknown), await time(known)]
      const knownMs = await time(known)
      return [await time(unknown), knownMs]
    }
    const { isDistinguishable, auc, pairs } = await compareTimes(sample)
    t.notOk(isDistinguishable, `AUC ${auc.toFixed(3)} of ${pairs} pairs`)
  })
}

/** Numbers from 0 to 1 that are the same in every run (Park and Miller) */
function chance(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

void t.test('detects a difference in time with the same measure', async (t) => {
  t.equal(aucOf([[1, 2]]), 1)
  t.equal(aucOf([[2, 1]]), 0)
  t.equal(
    aucOf([
      [1, 1],
      [2, 2],
    ]),
    0.5,
  )
  const random = chance(7)
  const verdicts = async (shift: number): Promise<boolean[]> => {
    const found: boolean[] = []
    for (let run = 0; run < 40; run++) {
      found.push((await compareTimes(() => [random(), random() + shift])).isDistinguishable)
    }
    return found
  }
  t.same(new Set(await verdicts(0)), new Set([false]))
  t.ok((await verdicts(0.15)).filter(Boolean).length >= 36, 'an AUC of 0.64 is found')
  t.same(new Set(await verdicts(0.3)), new Set([true]))
})
