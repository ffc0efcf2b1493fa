// What is refused or begun takes the same time, whoever it is about: an account cannot be found by the clock.
import bcrypt from 'bcryptjs'
import { randomInt } from 'node:crypto'
import t from 'tap'
import { bindings } from '../../generated/operations.ts'
import { openWorld, type World } from '../support/world.ts'
import { aucOf, stopwatch, tellsApart, type Pair } from '../support/timing.ts'

const BATCH = 100
const SETTLE_MS_MAX = 20_000
const passwordHash = bcrypt.hashSync('correct horse battery', 4)

/** What is sent about somebody who has an account, and about nobody */
type Case = {
  id: 'login' | 'requestPasswordReset'
  status: number
  accounts: 'active' | 'suspended'
  body: (who: Who) => object
}
type Who = { email: string; phone: string }

const wrongPassword = ({ email }: Who): object => ({ email, password: 'a wrong password' })
const login = { id: 'login', status: 401, body: wrongPassword } as const
const reset = { id: 'requestPasswordReset', status: 202, accounts: 'active' } as const
const byEmail: Case = { ...reset, body: ({ email }) => ({ by: 'email', email }) }
const bySms: Case = { ...reset, body: ({ phone }) => ({ by: 'phone', phone_code: '966', phone }) }
const cases: Record<string, Case> = {
  'a login with a wrong password': { ...login, accounts: 'active' },
  'a login with a wrong password, where the account is suspended': { ...login, accounts: 'suspended' },
  'a forgotten password, by e-mail': byEmail,
  'a forgotten password, by SMS': bySms,
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

/** People of whom nobody has heard, or who have accounts */
async function peopleIn(world: World, status?: Case['accounts']): Promise<Who[]> {
  const { prisma } = world.service.database
  const who = Array.from({ length: BATCH }, () => ({
    email: `somebody-${String(++people).padStart(6, '0')}@example.org`,
    phone: world.newPhone(),
  }))
  const common = { passwordHash, phoneCode: '966', phoneVerified: true, accountType: 'client' } as const
  const rows = who.map(({ email, phone }) => ({ ...common, email, phone: `+966${phone.slice(1)}` }))
  if (status) await prisma.account.createMany({ data: rows.map((row) => ({ ...row, status })) })
  return who
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
  void t.test(`${title}: time does not tell whether there is an account`, async (t) => {
    const world = await openWorld()
    const [somebody, nobody] = [queueOf(() => peopleIn(world, each.accounts)), queueOf(() => peopleIn(world))]
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
