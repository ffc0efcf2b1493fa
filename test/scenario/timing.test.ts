// What is refused or begun takes the same time, whoever it is about: an account cannot be found by the clock.
import bcrypt from 'bcryptjs'
import { randomInt, randomUUID } from 'node:crypto'
import t from 'tap'
import { bindings } from '../../generated/operations.ts'
import { hashable } from '../../src/adapters/pre-hash.ts'
import { PRE_HASH_TAG } from '../../src/domain/password.ts'
import { LONG_PASSWORD, openWorld, type World } from '../support/world.ts'
import { aucOf, stopwatch, tellsApart, type Pair } from '../support/timing.ts'

const BATCH = 100
const SETTLE_MS_MAX = 20_000
const MINUTE_MS = 60_000
const passwordHash = bcrypt.hashSync('correct horse battery', 4)
const longPasswordHash = PRE_HASH_TAG + bcrypt.hashSync(hashable(LONG_PASSWORD).text, 4)

/** What is sent about two kinds of people: about those who have something, and about the others */
type Case = {
  id: 'login' | 'requestPasswordReset' | 'confirmPhone'
  status: number
  have: Have
  others: Have
  body: (who: Who) => object
}
type Who = { email: string; phone: string }

/** Gives something to people. */
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

/** One after the other, fetched many at a time */
function queueOf<Item>(fetchMany: () => Promise<Item[]>): () => Promise<Item> {
  let items: Item[] = []
  return async () => {
    if (items.length === 0) items = await fetchMany()
    const item = items.pop()
    if (item === undefined) throw new Error('there is nothing more')
    return item
  }
}

/** People of whom nobody has heard, and what they have */
async function peopleIn(world: World, have: Have): Promise<Who[]> {
  const who = Array.from({ length: BATCH }, () => ({
    email: `somebody-${String(++people).padStart(6, '0')}@example.org`,
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

/** Codes that were sent, and that expire in so many milliseconds */
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

/** How long it takes until the answer is there; each from an address of its own */
async function timeOf(world: World, { id, status, body }: Case, who: Who): Promise<number> {
  const { method, path } = bindings[id]
  const address = `172.${16 + ((++addresses >> 16) & 15)}.${(addresses >> 8) & 255}.${addresses & 255}`
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': address }
  const asked = { url: world.service.origin + path, method, headers, body: JSON.stringify(body(who)) }
  const { ms, status: answered } = await watch.time(asked)
  if (answered === status) return ms
  throw new Error(`${id} answered ${answered}`)
}

for (const [title, each] of Object.entries(cases)) {
  void t.test(`${title}: time does not tell`, async (t) => {
    const world = await openWorld()
    const [somebody, nobody] = [queueOf(() => peopleIn(world, each.have)), queueOf(() => peopleIn(world, each.others))]
    const time = (who: Who): Promise<number> => timeOf(world, each, who)
    const sample = async (): Promise<Pair> => {
      await world.service.app.context.background.settle(SETTLE_MS_MAX)
      const [known, unknown] = [await somebody(), await nobody()]
      if (randomInt(2) === 0) return [await time(unknown), await time(known)]
      const knownMs = await time(known)
      return [await time(unknown), knownMs]
    }
    const { isTold, auc, pairs } = await tellsApart(sample)
    t.notOk(isTold, `AUC ${auc.toFixed(3)} of ${pairs} pairs`)
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

void t.test('the judgement itself', async (t) => {
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
      found.push((await tellsApart(() => [random(), random() + shift])).isTold)
    }
    return found
  }
  t.same(new Set(await verdicts(0)), new Set([false]))
  t.ok((await verdicts(0.15)).filter(Boolean).length >= 36, 'an AUC of 0.64 is found')
  t.same(new Set(await verdicts(0.3)), new Set([true]))
})
