// Each limit of openapi/rate-limits.yaml while a stranger has used it up × people who make an honest request: who is served.
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { LIMITS } from '../../generated/limits.ts'
import { readRateLimits, type Actor } from '../../scripts/generate/rate-limits.ts'
import { readConfig } from '../../src/config/index.ts'
import {
  enforceSendLimits,
  enforceTryLimits,
  type CodeEvent,
  type CodeHistory,
} from '../../src/domain/phones/otp-limits.ts'
import type { Counter } from '../../src/domain/rate-limiter.ts'
import type { OperationId } from '../../src/contract/operation.ts'
import { verificationTo } from '../support/accounts/emails.ts'
import { clientForm } from '../support/accounts/profile-forms.ts'
import { clientRegistration } from '../support/accounts/registrations.ts'
import { mailsTo } from '../support/accounts/resets.ts'
import { BY_PASSWORD, protectedPerson } from '../support/accounts/second-factors.ts'
import { localServer } from '../support/servers/local-server.ts'
import { sender, type Sent } from '../support/service/sender.ts'
import { openService } from '../support/service/service.ts'
import { receiptsConfig, signedReceipts } from '../support/sms/receipts.ts'
import { openWorld, PASSWORD, type Person, type World } from '../support/service/world.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const ACTORS = ['same_network', 'elsewhere', 'owner_known', 'owner_unknown', 'new_user', 'challenge'] as const
const WRONG = 'a wrong password'
/** These send notices: see adapters/sms-notices and scenario/auth/half-logins. */
const NOTICES = ['half-login-notices', 'sms-notices-account', 'sms-notices-number']

type Who = Readonly<{ person: Person; address: string; solution?: Readonly<{ challenge_response: string }> }>
type Env = Readonly<{
  world: World
  owner: Person
  stranger: Person
  address: string
  nextCode(): string
  next(): number
}>

/** What the stranger does, and an honest request. It is rejected if the status is 429. */
type Scenario = Readonly<{
  hostile(env: Env): Promise<unknown>
  honest(who: Who, env: Env): Promise<number>
  /** The counter that the stranger uses up, unless it has the name of the limit */
  counter?: string
  /** The time between two hostile requests, for limits that no counter has */
  pauseMs?: number
  isProtected?: true
  isUnverified?: true
}>

const captcha = await localServer(t, (_, response) => response.end(JSON.stringify({ success: true })))
const { captcha: verifier } = readConfig({ NODE_ENV: 'test', CAPTCHA_VERIFY_URL: captcha, CAPTCHA_SECRET: 'secret' })
const config = { ...receiptsConfig({ SMS_PROVIDERS: 'log,webhook' }), captcha: verifier }
const service = await openService({ config })
t.teardown(() => service.close())
const { origin } = service

const send = async (id: OperationId, address: string, request: Sent): Promise<number> =>
  (await sender(origin, id, address)(request)).status
const tokenOf = async (person: Person): Promise<{ token: string }> => ({ token: await person.token() })
const newEmail = (): string => `${randomUUID()}@example.org`
const logIn = (address: string, email: string, more: object = {}): Promise<number> =>
  send('login', address, { json: { email, password: PASSWORD, ...more } })
const askFor = (address: string, phone: string, more: object = {}, headers = {}): Promise<number> =>
  send('checkPhone', address, { form: { phone_code: '966', phone, ...more }, headers })
const register = (address: string, email = newEmail()): Promise<number> => {
  const foreign = { phone_code: '20', phone: '01012345678', challenge_response: randomUUID() }
  return send('register', address, { form: clientRegistration({ email, ...foreign }) })
}

const LOGIN: Pick<Scenario, 'honest'> = { honest: ({ address, person }) => logIn(address, person.email) }
const GUESS: Scenario = { ...LOGIN, hostile: ({ address }) => logIn(address, newEmail(), { password: WRONG }) }
const CODE: Scenario = {
  isProtected: true,
  hostile: ({ address, owner }) => logIn(address, owner.email, { code: '000000' }),
  honest: ({ address, person }, { owner, nextCode }) =>
    logIn(address, person.email, person === owner ? { code: nextCode() } : {}),
}
const ASK: Scenario = {
  hostile: ({ address, world }) => askFor(address, world.newPhone()),
  honest: ({ address, solution }, { world }) => askFor(address, world.newPhone(), solution),
}
const similar = (distance: number): Scenario => {
  const start = `055${distance % 7}`
  const number = ({ next }: Env): string => `${start}${String(300_000 + next() * distance).padStart(6, '0')}`
  return {
    hostile: (env) => askFor(env.address, number(env)),
    honest: ({ address, solution }, env) => askFor(address, number(env), solution),
  }
}
const withToken = (id: OperationId, request: () => Sent, wrong = request): Scenario => ({
  hostile: async ({ address, owner }) => send(id, address, { ...(await tokenOf(owner)), ...wrong() }),
  honest: async ({ address, person }) => send(id, address, { ...(await tokenOf(person)), ...request() }),
})
const VERIFY: Scenario = { ...withToken('requestEmailVerification', () => ({})), isUnverified: true }

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'register-taken': {
    hostile: ({ address, owner }) => register(address, owner.email),
    honest: ({ address }) => register(address),
  },
  'profile-taken': {
    hostile: async ({ address, owner, stranger }) =>
      send('updateProfile', address, {
        ...(await tokenOf(owner)),
        form: clientForm({ email: stranger.email, phone: owner.phone }),
      }),
    honest: async ({ address, person }) =>
      send('updateProfile', address, {
        ...(await tokenOf(person)),
        form: clientForm({ email: newEmail(), phone: person.phone }),
      }),
  },
  'register-hour': { hostile: ({ address }) => register(address), honest: ({ address }) => register(address) },
  'login-account': { ...LOGIN, hostile: ({ address, owner }) => logIn(address, owner.email, { password: WRONG }) },
  'login-address': GUESS,
  'login-56': GUESS,
  'login-48': GUESS,
  'known-password': withToken(
    'reauthenticate',
    () => ({ json: { method: 'password', password: PASSWORD } }),
    () => ({ json: { method: 'password', password: WRONG } }),
  ),
  'password-day': { ...LOGIN, hostile: ({ address, owner }) => logIn(address, owner.email, { password: WRONG }) },
  'code-day': CODE,
  'code-known-network': CODE,
  'check-phone-minute': ASK,
  'check-phone-hour': ASK,
  'sms-block': { ...similar(1), counter: 'sms-block-free' },
  'sms-block-network': similar(2),
  'sms-range': { ...similar(1009), counter: 'sms-range-free' },
  'sms-range-network': similar(1013),
  'confirm-phone-address': {
    hostile: ({ address, world }) =>
      send('confirmPhone', address, { form: { phone_code: '966', phone: world.newPhone(), otp: '000000' } }),
    honest: ({ address }, { world }) =>
      send('confirmPhone', address, { form: { phone_code: '966', phone: world.newPhone(), otp: '000000' } }),
  },
  'idempotency-keys': {
    hostile: ({ address, world }) => askFor(address, world.newPhone(), {}, { 'idempotency-key': randomUUID() }),
    honest: ({ address, solution }, { world }) =>
      askFor(address, world.newPhone(), solution, { 'idempotency-key': randomUUID() }),
  },
  'email-verifications': {
    ...VERIFY,
    hostile: async ({ address, owner: { email }, stranger }) => {
      const { account } = service.database.prisma
      await account.update({ where: { id: stranger.id }, data: { pendingEmail: email } })
      return send('requestEmailVerification', address, { ...(await tokenOf(stranger)), json: { email } })
    },
  },
  'account-export': withToken('exportAccount', () => ({})),
  'factor-changes': withToken('beginTotp', () => BY_PASSWORD),
  'passkey-options': {
    hostile: ({ address }) => send('beginPasskeyLogin', address, {}),
    honest: ({ address }) => send('beginPasskeyLogin', address, {}),
  },
  'passkey-reauthentication-options': withToken('beginPasskeyReauthentication', () => ({})),
  'factor-resets': {
    isProtected: true,
    hostile: ({ address, owner: { email } }) =>
      send('requestFactorReset', address, { json: { email, password: PASSWORD } }),
    honest: ({ address, person: { email } }, { world }) => {
      world.wait(6 * MINUTE_MS) // after the cooldown of the code
      return send('requestFactorReset', address, { json: { email, password: PASSWORD } })
    },
  },
  'refused-tokens': withToken(
    'checkToken',
    () => ({}),
    () => ({ token: 'wrong' }),
  ),
  'receipt-signatures': {
    hostile: ({ address }) =>
      send('receiveSmsReceipt', address, { path: { provider: 'webhook' }, json: { receipts: [] } }),
    honest: ({ address }, { world }) => {
      const signed = signedReceipts([], { nowMs: world.service.clock.nowMs() })
      return send('receiveSmsReceipt', address, { path: { provider: 'webhook' }, ...signed })
    },
  },
  'reset-mails': {
    hostile: async ({ address, owner: { email }, world }) => {
      await send('requestPasswordReset', address, { json: { by: 'email', email } })
      await mailsTo(world, email)
    },
    honest: async ({ address, solution, person: { email } }, { world }) => {
      const before = (await mailsTo(world, email)).length
      await send('requestPasswordReset', address, { json: { by: 'email', email, ...solution } })
      return (await mailsTo(world, email)).length > before ? 202 : 429
    },
  },
  'email-cooldown': { ...VERIFY, pauseMs: 0 },
  'email-sends-hour': { ...VERIFY, pauseMs: 2 * MINUTE_MS },
  'email-sends-day': { ...VERIFY, pauseMs: 20 * MINUTE_MS },
  'email-wrong-day': {
    isUnverified: true,
    pauseMs: 2 * MINUTE_MS,
    async hostile({ address, owner, world }) {
      const token = await tokenOf(owner)
      await send('requestEmailVerification', address, { ...token, json: {} })
      const { code } = await verificationTo(world, owner.email)
      const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
      return send('confirmEmail', address, { ...token, json: { by: 'code', code: wrong } })
    },
    honest: async ({ address, person }) =>
      send('confirmEmail', address, { ...(await tokenOf(person)), json: { by: 'code', code: '000000' } }),
  },
}

let networks = 0
const newAddress = (isV6: boolean): string => {
  networks++
  return isV6 ? `2001:db8:${networks.toString(16)}::1` : `100.${100 + (networks >> 8)}.${networks & 255}.1`
}

/** Uses up the counters of a limit that the hostile request uses, or repeats it until the limit rejects it. */
async function useUp(name: string, { hostile, counter = name, pauseMs }: Scenario, env: Env): Promise<void> {
  if (pauseMs !== undefined) {
    for (let requests = 0; requests < 12 && (await hostile(env)) !== 429; requests++) env.world.wait(pauseMs)
    return
  }
  const { limits } = service.app.context
  const { consume, countFailures } = limits
  const used: Counter[] = []
  const note = (counters: Counter | readonly Counter[]): void => {
    used.push(...[counters].flat().filter(({ policy }) => policy.name === counter))
  }
  limits.consume = (counters, report) => (note(counters), consume(counters, report))
  limits.countFailures = (counters, ...rest) => (note(counters), countFailures(counters, ...rest))
  await hostile(env)
  Object.assign(limits, { consume, countFailures })
  if (used.length === 0) throw new Error(`the hostile request does not count in ${counter}`)
  for (const each of used) {
    for (let points = 0; points < each.policy.points; points++) await consume(each).catch(() => undefined)
  }
}

const rateLimits = await readRateLimits(structuredClone(LIMITS))
const limits = Object.entries({ ...rateLimits.counters, ...rateLimits.codes })
const findLimit = (name: string): (typeof limits)[number][1] => {
  const found = limits.find(([each]) => each === name)
  if (!found) throw new Error(`no limit ${name}`)
  return found[1]
}

for (const [name, scenario] of Object.entries(SCENARIOS)) {
  void t.test(name, async (t) => {
    const { per, rejects } = findLimit(name)
    const world = await openWorld(service)
    const attributes = { isEmailVerified: !scenario.isUnverified }
    const person = (): Promise<Person> => world.person(attributes)
    const [given, stranger] = [await person(), await person()]
    const isOfNetwork = per.some((each) => each.startsWith('network'))
    const address = newAddress(per.some((each) => /_(48|56)$/.test(each)))
    const known = isOfNetwork ? address : newAddress(false)
    const isProtected = scenario.isProtected && (await protectedPerson(world, given))
    const { account, session } = service.database.prisma
    const ago = (hours: number): Date => new Date(service.clock.nowMs() - hours * HOUR_MS)
    const verified = {
      ...(!scenario.isUnverified && { phoneVerifiedAt: ago(26) }),
      ...(isProtected && { factorsSince: ago(26) }),
    }
    await account.update({ where: { id: given.id }, data: verified })
    await session.create({ data: { accountId: given.id, address: known, createdAt: ago(25) } })
    let numbers = 0
    const nextCode = isProtected ? isProtected.nextCode : () => ''
    const env: Env = { world, owner: given, stranger, address, nextCode, next: () => ++numbers }
    await useUp(name, scenario, env)

    const people: Record<Actor, Who> = {
      same_network: { person: await person(), address },
      elsewhere: { person: await person(), address: newAddress(false) },
      owner_known: { person: given, address: known },
      owner_unknown: { person: given, address: newAddress(false) },
      new_user: { person: await person(), address },
      challenge: { person: await person(), address, solution: { challenge_response: randomUUID() } },
    }
    for (const actor of ACTORS) {
      const status = await scenario.honest(people[actor], env)
      t.equal(status === 429, rejects.includes(actor), `${actor}: ${status}`)
      t.ok(status < 500, `${status}`)
    }
  })
}

type CodeCase = Readonly<{ history: Partial<CodeHistory>; known: string; isTry?: true }>
const NOW_MS = 1000 * HOUR_MS
const at = (minutesAgo: number, by: string): CodeEvent => ({
  atMs: NOW_MS - minutesAgo * MINUTE_MS,
  by,
})
const times = (count: number, make: (index: number) => CodeEvent): CodeEvent[] =>
  Array.from({ length: count }, (_, index) => make(index)).sort((one, other) => one.atMs - other.atMs)
const ASKED = [at(60, 'owner')]

/** The codes and tries of a number after what a stranger has done, and the known network of its owner */
const CODES: Readonly<Record<string, CodeCase>> = {
  'otp-cooldown-network': { history: { sends: [at(2.1, 'here'), at(1.1, 'here')] }, known: 'here' },
  'otp-cooldown': { history: { sends: [at(0.5, 'here')] }, known: 'owner' },
  'otp-sends-hour': { history: { sends: times(5, (n) => at(6 + 6 * n, 'here')) }, known: 'here' },
  'otp-sends-day': { history: { sends: times(10, (n) => at(61 + 20 * n, 'here')) }, known: 'here' },
  'otp-networks-day': { history: { sends: times(8, (n) => at(60 + n, n === 0 ? 'owner' : `${n}`)) }, known: 'owner' },
  'otp-sends-number-day': {
    history: { sends: [...times(22, (n) => at(70 + n, `${1 + (n % 7)}`)), ...ASKED] },
    known: 'owner',
  },
  'otp-wrong': {
    history: { sends: [at(6, 'here')], wrong: times(5, () => at(1, 'here')) },
    known: 'here',
    isTry: true,
  },
  'otp-wrong-day': {
    history: { sends: [at(70, 'here')], wrong: times(10, (n) => at(n < 5 ? 40 : 60, 'here')) },
    known: 'here',
    isTry: true,
  },
  'otp-wrong-shared-day': {
    history: { sends: ASKED, wrong: times(10, (n) => at(20 + 10 * n, `${n}`)) },
    known: 'owner',
    isTry: true,
  },
  'otp-wrong-number-day': {
    history: {
      sends: [...times(7, (n) => at(200 + n, `${n}`)), ...ASKED],
      wrong: times(45, (n) => at(20 + 3 * n, n < 35 ? `${n % 7}` : 'others')),
    },
    known: 'owner',
    isTry: true,
  },
}

for (const [name, { history, known, isTry }] of Object.entries(CODES)) {
  void t.test(name, (t) => {
    const { rejects } = findLimit(name)
    const number = { sends: [], wrong: [], ...history }
    const isRejected = (of: CodeHistory, by: string): boolean => {
      try {
        if (!isTry) enforceSendLimits(of, by, NOW_MS)
        enforceTryLimits(of, by, NOW_MS)
        return false
      } catch {
        return true
      }
    }
    for (const actor of ACTORS) {
      const isOwner = actor.startsWith('owner')
      const by = actor === 'owner_known' ? known : isOwner || actor === 'elsewhere' ? 'elsewhere' : 'here'
      const other = { sends: [], wrong: [] } // other people have other numbers
      t.equal(isRejected(isOwner ? number : other, by), rejects.includes(actor), actor)
    }
    t.end()
  })
}

void t.test('every limit is in the matrix', (t) => {
  t.same([...Object.keys(SCENARIOS), ...Object.keys(CODES), ...NOTICES].sort(), limits.map(([name]) => name).sort())
  t.end()
})
