// Each limit that `GET /api/v1/meta/limits` lists: requests up to the limit are accepted, the next one is rejected with its
// error code, and after `Retry-After` the service accepts requests again.
import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { RATE_LIMITS } from '../../../generated/rate-limits.ts'
import { newAddress, pendingChange, verificationTo } from '../../support/accounts/emails.ts'
import { clientForm } from '../../support/accounts/profile-forms.ts'
import { clientRegistration } from '../../support/accounts/registrations.ts'
import type { OperationId } from '../../../src/contract/operation.ts'
import type { Received } from '../../support/service/responses.ts'
import { sender, type Send } from '../../support/service/sender.ts'
import { receiptsConfig } from '../../support/sms/receipts.ts'
import { BY_PASSWORD, protectedPerson } from '../../support/accounts/second-factors.ts'
import { openWorld, PASSWORD, sharedService, type Person, type World } from '../../support/service/world.ts'

type RateLimit = {
  name: string
  limit: number
  window_seconds: number
  delays_seconds?: number[]
  error_code: string
}

/** Makes the request with this number, from 0, that counts towards a limit. */
type Attempt = (number: number) => Promise<Received>

type Driver = (world: Driven) => Promise<{
  attempt: Attempt
  /** The time after each attempt, so that no shorter limit is reached */
  pauseSeconds?: number
  /** The time after which the limit eases, if that is before the end of its window */
  easesAfterSeconds?: number
  /** The number of the first attempt */
  first?: number
  /** The number of the attempt from which the window counts, if it is not the first one */
  opened?: number
}>

type Driven = World & {
  /** Sends from another client address */
  from(address: string, id: OperationId): Send
  /** Consumes all points but three of a counter of this client address, for limits of many expensive requests. */
  useUp(name: keyof typeof RATE_LIMITS): Promise<void>
}

/** The points that `useUp` leaves */
const LEFT = 3

const WRONG_CODE = '000000'
const MINUTE = 60
/** The requests of a test take time, by which `Retry-After` is shorter. */
const TOLERANCE_SECONDS = 50

let blocks = 0

/** Returns phone numbers that differ only in their last digits. */
function newBlock(): (number: number) => string {
  const block = `0559${String(++blocks).padStart(3, '0')}`
  return (number) => `${block}${String(number).padStart(3, '0')}`
}

let ranges = 0

/** Returns phone numbers of one range, few of which are neighbours. */
function newRange(): (number: number) => string {
  const range = `0558${++ranges}`
  return (number) => `${range}${String((number * 397) % 100_000).padStart(5, '0')}`
}

let customers = 0

/** Returns client addresses in one /48, each in another /56. */
function newCustomer(): (number: number) => string {
  const customer = (++customers).toString(16)
  return (number) => `2001:db8:${customer}:${number.toString(16)}00::1`
}

/** Returns client addresses in different /48s. */
function newNetworks(): (number: number) => string {
  const customer = (++customers).toString(16)
  return (number) => `2001:${customer}:${number.toString(16)}::1`
}

const logIn = (send: Send, email: string): Promise<Received> => send({ json: { email, password: 'wrong password' } })
const askForCode = (send: Send, phone: string): Promise<Received> => send({ form: { phone_code: '966', phone } })
const guess = (send: Send, phone: string): Promise<Received> =>
  send({ form: { phone_code: '966', phone, otp: WRONG_CODE } })

/** Logs in for each attempt, because access tokens expire during long windows. */
function asPerson(person: Person, attempt: (token: string, number: number) => Promise<Received>): Attempt {
  return async (number) => attempt(await person.token(), number)
}

const DRIVERS: Record<string, Driver> = {
  'register-taken': async (world) => {
    const { email } = await world.person()
    return { attempt: () => world.send('register')({ form: clientRegistration({ email }) }) }
  },
  'profile-taken': async (world) => {
    const [{ email }, person] = [await world.person(), await world.person()]
    const networks = newNetworks()
    const token = await person.token()
    const form = clientForm({ email, phone: person.phone })
    return { attempt: (number) => world.from(networks(number), 'updateProfile')({ token, form }) }
  },
  'register-hour': async (world) => {
    await world.useUp('register-hour')
    return {
      first: RATE_LIMITS['register-hour'].points - LEFT,
      attempt: () => world.send('register')({ form: clientRegistration() }),
    }
  },
  'login-account': async (world) => {
    const email = newAddress()
    return { attempt: () => logIn(world.send('login'), email) }
  },
  'login-address': async (world) => ({ attempt: () => logIn(world.send('login'), newAddress()) }),
  'login-56': async (world) => {
    const addresses = newCustomer()
    return {
      attempt: (number) => logIn(world.from(addresses(1).replace('00::', `0${number % 8}::`), 'login'), newAddress()),
    }
  },
  'login-48': async (world) => {
    const addresses = newCustomer()
    return { attempt: (number) => logIn(world.from(addresses(number), 'login'), newAddress()) }
  },
  'known-password': async (world) => {
    const token = await (await world.person()).token()
    const json = { method: 'password', password: 'wrong password' }
    return { attempt: () => world.send('reauthenticate')({ token, json }) }
  },
  'password-day': async (world) => {
    const [email, networks] = [newAddress(), newNetworks()]
    return { attempt: (number) => logIn(world.from(networks(number), 'login'), email) }
  },
  'code-day': async (world) => {
    const { person } = await protectedPerson(world)
    const [json, networks] = [{ email: person.email, password: PASSWORD, code: WRONG_CODE }, newNetworks()]
    return { attempt: (number) => world.from(networks(number), 'login')({ json }) }
  },
  'code-known-network': async (world) => {
    const { person, nextCode } = await protectedPerson(world)
    const json = { email: person.email, password: PASSWORD, code: WRONG_CODE }
    await world.send('login')({ json: { ...json, code: nextCode() } })
    return { attempt: () => world.send('login')({ json }) }
  },
  'check-phone-minute': async (world) => ({ attempt: () => askForCode(world.send('checkPhone'), world.newPhone()) }),
  'check-phone-hour': async (world) => ({
    attempt: () => askForCode(world.send('checkPhone'), world.newPhone()),
    pauseSeconds: 10,
  }),
  'sms-block': async (world) => {
    const [block, networks] = [newBlock(), newNetworks()]
    const attempt: Attempt = (number) => askForCode(world.from(networks(number), 'checkPhone'), block(number))
    return { attempt, easesAfterSeconds: 15 * MINUTE }
  },
  'sms-block-network': async (world) => {
    const block = newBlock()
    return { attempt: (number) => askForCode(world.send('checkPhone'), block(number)) }
  },
  'sms-range': async (world) => {
    const [range, networks] = [newRange(), newNetworks()]
    const attempt: Attempt = (number) => askForCode(world.from(networks(number), 'checkPhone'), range(number))
    return { attempt, easesAfterSeconds: 15 * MINUTE }
  },
  'sms-range-network': async (world) => {
    const range = newRange()
    return { attempt: (number) => askForCode(world.send('checkPhone'), range(number)), pauseSeconds: 10 }
  },
  'confirm-phone-address': async (world) => ({ attempt: () => guess(world.send('confirmPhone'), world.newPhone()) }),
  'idempotency-keys': async (world) => {
    const [phone, key] = [world.newPhone(), randomUUID()]
    const retry = (): Promise<Received> =>
      world.send('checkPhone')({ form: { phone_code: '966', phone }, headers: { 'idempotency-key': key } })
    await retry()
    world.wait(2 * MINUTE * 1000)
    return { attempt: retry }
  },
  'email-verifications': async (world) => {
    const { email } = await pendingChange(world) // its message is the first one
    const { prisma } = world.service.database
    return {
      first: 1,
      attempt: async () => {
        const person = await world.person()
        await prisma.account.update({ where: { id: person.id }, data: { pendingEmail: email } })
        return world.send('requestEmailVerification')({ token: await person.token(), json: { email } })
      },
    }
  },
  'account-export': async (world) => {
    const person = await world.person()
    return { attempt: asPerson(person, (token) => world.send('exportAccount')({ token })) }
  },
  'factor-changes': async (world) => {
    const person = await world.person()
    return { attempt: asPerson(person, (token) => world.send('beginTotp')({ token, ...BY_PASSWORD })) }
  },
  'passkey-options': (world) => Promise.resolve({ attempt: () => world.send('beginPasskeyLogin')() }),
  'passkey-reauthentication-options': async (world) => {
    const person = await world.person()
    return { attempt: asPerson(person, (token) => world.send('beginPasskeyReauthentication')({ token })) }
  },
  'factor-resets': async (world) => {
    const { person } = await protectedPerson(world)
    const json = { email: person.email, password: PASSWORD }
    return { pauseSeconds: 301, attempt: () => world.send('requestFactorReset')({ json }) } // after the cooldown of the code
  },
  'refused-tokens': async (world) => {
    await world.useUp('refused-tokens')
    return {
      first: RATE_LIMITS['refused-tokens'].points - LEFT,
      attempt: () => world.send('checkToken')({ token: 'wrong' }),
    }
  },
  'receipt-signatures': async (world) => ({
    attempt: () => world.send('receiveSmsReceipt')({ path: { provider: 'webhook' }, json: { receipts: [] } }),
  }),
  'otp-cooldown-network': async (world) => {
    const phone = world.newPhone()
    return { attempt: () => askForCode(world.send('checkPhone'), phone) }
  },
  'otp-cooldown': async (world) => {
    const [phone, networks] = [world.newPhone(), newNetworks()]
    return { attempt: (number) => askForCode(world.from(networks(number), 'checkPhone'), phone) }
  },
  'otp-sends-hour': async (world) => {
    const [phone, addresses] = [world.newPhone(), newCustomer()]
    return {
      attempt: (number) => askForCode(world.from(addresses(number), 'checkPhone'), phone),
      pauseSeconds: 6 * MINUTE,
    }
  },
  'otp-sends-day': async (world) => {
    const [phone, addresses] = [world.newPhone(), newCustomer()]
    return {
      attempt: (number) => askForCode(world.from(addresses(number), 'checkPhone'), phone),
      pauseSeconds: 20 * MINUTE,
    }
  },
  'otp-networks-day': async (world) => {
    const [phone, networks] = [world.newPhone(), newNetworks()]
    return {
      attempt: (number) => askForCode(world.from(networks(number), 'checkPhone'), phone),
      pauseSeconds: 2 * MINUTE,
    }
  },
  'otp-sends-number-day': async (world) => {
    const [phone, networks] = [world.newPhone(), newNetworks()]
    return {
      attempt: (number) => askForCode(world.from(networks(number % 8), 'checkPhone'), phone),
      pauseSeconds: 2 * MINUTE,
    }
  },
  'otp-wrong': async (world) => {
    const [phone, networks] = [world.newPhone(), newNetworks()]
    return { attempt: (number) => guess(world.from(networks(number), 'confirmPhone'), phone) }
  },
  'otp-wrong-day': async (world) => {
    const phone = world.newPhone()
    await askForCode(world.send('checkPhone'), phone)
    return { attempt: () => guess(world.send('confirmPhone'), phone), pauseSeconds: 3 * MINUTE }
  },
  'otp-wrong-shared-day': async (world) => {
    const [phone, networks] = [world.newPhone(), newNetworks()]
    return {
      attempt: (number) => guess(world.from(networks(number), 'confirmPhone'), phone),
      pauseSeconds: 3 * MINUTE,
    }
  },
  'otp-wrong-number-day': async (world) => {
    const [phone, networks] = [world.newPhone(), newNetworks()]
    for (let number = 0; number < 8; number++) {
      await askForCode(world.from(networks(number), 'checkPhone'), phone)
      world.wait(2 * MINUTE * 1000)
    }
    const others = newNetworks()
    // The networks that requested a code guess five times each, and others ten times.
    const addressOf = (number: number): string => (number < 40 || number >= 50 ? networks(number % 8) : others(number))
    return {
      attempt: (number) => guess(world.from(addressOf(number), 'confirmPhone'), phone),
      pauseSeconds: 3 * MINUTE,
      opened: 40, // the first attempt that all networks share
    }
  },
  'email-cooldown': async (world) => {
    const person = await world.person({ isEmailVerified: false })
    return { attempt: asPerson(person, (token) => world.send('requestEmailVerification')({ token })) }
  },
  'email-sends-hour': async (world) => {
    const person = await world.person({ isEmailVerified: false })
    const attempt = asPerson(person, (token) => world.send('requestEmailVerification')({ token }))
    return { attempt, pauseSeconds: 2 * MINUTE }
  },
  'email-sends-day': async (world) => {
    const person = await world.person({ isEmailVerified: false })
    const attempt = asPerson(person, (token) => world.send('requestEmailVerification')({ token }))
    return { attempt, pauseSeconds: 20 * MINUTE }
  },
  'email-wrong-day': async (world) => {
    const person = await world.person({ isEmailVerified: false })
    const attempt = asPerson(person, async (token, number) => {
      if (number % 5 === 0) await world.send('requestEmailVerification')({ token })
      const { code } = await verificationTo(world, person.email)
      const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
      return world.send('confirmEmail')({ token, json: { by: 'code', code: wrong } })
    })
    return { attempt, pauseSeconds: 2 * MINUTE }
  },
}

const limits = await listLimits(await openDriven())

void t.test('every limit is driven here', (t) => {
  t.same(
    limits.map(({ name }) => name),
    Object.keys(DRIVERS),
  )
  t.end()
})

for (const [name, driver] of Object.entries(DRIVERS)) {
  void t.test(name, async (t) => {
    const world = drive(await openDriven())
    const limit = limits.find((each) => each.name === name)
    if (!limit) throw new Error(`no limit ${name}`)
    const { attempt, pauseSeconds = 0, first = 0, opened = first, ...given } = await driver(world)
    if (limit.delays_seconds) return driveDelays(t, limit, limit.delays_seconds, { attempt, world })

    for (let number = first; number < limit.limit; number++) {
      t.not((await attempt(number)).status, 429, `request ${number + 1}`)
      world.wait(pauseSeconds * 1000)
    }
    const number = limit.limit
    const seconds = rejection(t, limit, await attempt(number))
    const { easesAfterSeconds = limit.window_seconds } = given
    const expected = easesAfterSeconds - pauseSeconds * (number - opened)
    t.ok(seconds <= expected && seconds > expected - TOLERANCE_SECONDS, `${seconds} s of ${expected} s`)
    world.wait(seconds * 1000)
    t.not((await attempt(number)).status, 429, 'is accepted after Retry-After')
  })
}

/** SMS are listed in the outbox, and receipts of another provider are configured. */
async function openDriven(): Promise<World> {
  return openWorld(await sharedService(receiptsConfig({ SMS_PROVIDERS: 'log,webhook' })))
}

async function listLimits(world: World): Promise<RateLimit[]> {
  const { body } = await world.send('listRateLimits')()
  return body.data.items as RateLimit[]
}

function drive(world: World): Driven {
  const { origin, app } = world.service
  return Object.assign(world, {
    from: (address: string, id: OperationId) => sender(origin, id, address),
    async useUp(name: keyof typeof RATE_LIMITS) {
      const policy = RATE_LIMITS[name]
      for (let used = LEFT; used < policy.points; used++)
        await app.context.limits.consume({ policy, key: world.address })
    },
  })
}

/** Each delay passes between two requests; a request before its end is rejected. */
async function driveDelays(
  t: Test,
  limit: RateLimit,
  delays: readonly number[],
  { attempt, world }: { attempt: Attempt; world: World },
): Promise<void> {
  for (const [number, delay] of delays.entries()) {
    t.not((await attempt(number)).status, 429)
    const seconds = rejection(t, limit, await attempt(number + 1))
    t.ok(seconds <= delay && seconds > delay - TOLERANCE_SECONDS, `${seconds} s of ${delay} s`)
    world.wait(seconds * 1000)
  }
  t.not((await attempt(delays.length)).status, 429)
}

/** Returns `Retry-After` of a rejection. */
function rejection(t: Test, { error_code: code }: RateLimit, { status, headers }: Received): number {
  t.equal(status, 429)
  t.equal(headers['error-code'], code)
  return Number(headers['retry-after'])
}
