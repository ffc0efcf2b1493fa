// Protection against SMS pumping in the whole service: budgets that confirmed codes extend, types of numbers, the mode that only
// records, and challenges.
import t, { type Test } from 'tap'
import type { Config } from '../../../src/config/index.ts'
import { clientRegistration } from '../../support/accounts/registrations.ts'
import { codeFor, mailsTo, settled } from '../../support/accounts/resets.ts'
import { localServer } from '../../support/servers/local-server.ts'
import type { Received } from '../../support/service/responses.ts'
import { sender, untilServed } from '../../support/service/sender.ts'
import { openService } from '../../support/service/service.ts'
import { openWorld, type Person, type World } from '../../support/service/world.ts'
import { readConfig } from '../../../src/config/index.ts'

const MINUTE_MS = 60_000
/** More requests would wait too long for a connection on a slow machine. */
const AT_ONCE = 50

async function openWith(t: Test, config: Partial<Config>): Promise<World> {
  const service = await openService({ config })
  t.teardown(() => service.close())
  return openWorld(service)
}

function smsConfig(variables: Record<string, string>): Pick<Config, 'sms' | 'captcha'> {
  const { sms, captcha } = readConfig({ NODE_ENV: 'test', ...variables })
  return { sms, captcha }
}

/** Egyptian mobile numbers that share no range */
const egyptian = (at: number): { phone_code: string; phone: string } => ({
  phone_code: '20',
  phone: `010${String(10_000_000 + at * 1_000_003)}`,
})

/** Sends a code from a network of its own. */
const sendTo = ({ service }: World, at: number): Promise<Received> =>
  sender(service.origin, 'checkPhone', `198.51.100.${at}`)({ form: egyptian(at) })

void t.test('extends the budget of a country by confirmed codes', async (t) => {
  // 12 at once, 6 of them without proof
  const world = await openWith(t, smsConfig({ SMS_UNCONFIRMED_PER_COUNTRY_PER_DAY: '24' }))
  for (let at = 0; at < 6; at++) t.equal((await sendTo(world, at)).status, 200)
  const rejected = await sendTo(world, 6)
  t.equal(rejected.headers['error-code'], 'rate_limited')
  t.notMatch(rejected.headers['ratelimit-policy'], /sms-/)
  t.equal((await world.send('checkPhone')({ form: { phone_code: '966', phone: world.newPhone() } })).status, 200)

  const { messages = [] } = world.service.app.outbox ?? {}
  const otp = /\d{6}/.exec(messages.find(({ to }) => to === `+20${egyptian(0).phone.slice(1)}`)?.text ?? '')?.[0] ?? ''
  for (let times = 0; times < 2; times++) {
    const confirmed = await world.send('confirmPhone')({ form: { ...egyptian(0), otp } })
    t.equal(confirmed.status, 200)
    await settled(world)
  }
  for (let at = 7; at < 12; at++) t.equal((await sendTo(world, at)).status, 200)
  t.equal((await sendTo(world, 12)).status, 429)
})

void t.test('only records what the rules would reject', async (t) => {
  const world = await openWith(t, smsConfig({ SMS_UNCONFIRMED_PER_COUNTRY_PER_DAY: '4', SMS_FRAUD_MODE: 'record' }))
  for (let at = 0; at < 4; at++) t.equal((await sendTo(world, at)).status, 200)
  const landline = { phone_code: '20', phone: '0221234567' }
  t.equal((await world.send('checkPhone')({ form: landline })).status, 200)
  const lines = world.service.log.filter((line) => line.includes('SMS fraud rules'))
  t.match(lines[0], /"rules":\["sms-unconfirmed-unsolved","sms-unconfirmed-free"\]/)
  t.notMatch(lines.join(), egyptian(2).phone.slice(1))
})

void t.test('resets the password of an existing account whose number is a landline', async (t) => {
  const variables = { SMS_UNCONFIRMED_PER_COUNTRY_PER_DAY: '1', SMS_PASSWORD_RESET: 'yes' }
  const world = await openWith(t, smsConfig(variables))
  const { id } = await world.person()
  const { prisma } = world.service.database
  await prisma.account.update({ where: { id }, data: { phone: '+20221234567', phoneCode: '20' } })
  await sendTo(world, 1)
  t.equal((await sendTo(world, 2)).status, 429)
  const json = { by: 'phone', phone_code: '20', phone: '0221234567' }
  t.equal((await world.send('requestPasswordReset')({ json })).status, 202)
  await settled(world)
  t.ok(world.service.app.outbox?.messages.some(({ to }) => to === '+20221234567'))
})

void t.test('sends to known networks from the reserve of a country', async (t) => {
  const world = await openWith(t, smsConfig({ SMS_UNCONFIRMED_PER_COUNTRY_PER_DAY: '24' }))
  const person = await world.person()
  for (let at = 0; at < 6; at++) t.equal((await sendTo(world, at)).status, 200)
  const ask = (at: number): Promise<Received> => world.send('checkPhone')({ form: egyptian(at) })
  const rejected = await ask(20)
  t.equal(rejected.headers['error-code'], 'rate_limited')
  t.ok(Number(rejected.headers['retry-after']) <= 15 * 60)
  await person.token() // logs in from the network of the world
  t.equal((await ask(20)).status, 429, 'on the same day')
  await trust(world, [person], [world.address])
  t.equal((await ask(20)).status, 200)
})

/** Stores logins of yesterday from networks, by accounts whose numbers were verified before. */
async function trust({ service }: World, people: readonly Person[], addresses: readonly string[]): Promise<void> {
  const { account, session } = service.database.prisma
  const ago = (hours: number): Date => new Date(service.clock.nowMs() - hours * 60 * MINUTE_MS)
  await account.updateMany({ where: { id: { in: people.map(({ id }) => id) } }, data: { phoneVerifiedAt: ago(26) } })
  await session.createMany({
    data: addresses.map((address, at) => ({
      accountId: people[at % people.length]?.id ?? 0,
      address,
      createdAt: ago(25),
    })),
  })
}

/** Egyptian mobile numbers, few of which share a range */
const egyptianOf = (at: number): { phone_code: string; phone: string } => ({
  phone_code: '20',
  phone: `01${'0125'[at % 4]}${String((at * 61_803_399) % 100_000_000).padStart(8, '0')}`,
})

/** How many hostile requests were sent a code, and the error codes of the others */
type Attack = { sent: number; rejected: Map<string, number> }

const hostileAddress = (at: number): string => `203.0.${113 + (at >> 8)}.${at & 255}`

/** Sends requests for random numbers of a country from many networks, each as fast as its own limits allow. */
async function attack(world: World, { requests, networks }: { requests: number; networks: number }): Promise<Attack> {
  const rejected = new Map<string, number>()
  let sent = 0
  const request = async (at: number): Promise<void> => {
    const send = sender(world.service.origin, 'checkPhone', hostileAddress(at % networks))
    const received = await untilServed(send, { form: egyptianOf(100 + at) })
    const code = received.headers['error-code']
    if (code === undefined) sent++
    else rejected.set(code, (rejected.get(code) ?? 0) + 1)
  }
  for (let at = 0; at < requests; at += AT_ONCE) {
    if (at % networks === 0) world.wait(MINUTE_MS / 10)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => request(at + index)))
  }
  return { sent, rejected }
}

void t.test('sends codes to new users at the second try during an attack on their country', async (t) => {
  const { config, verified } = await openVerifier(t, { SMS_UNCONFIRMED_PER_COUNTRY_PER_DAY: '100' })
  const world = await openWith(t, config)
  const { sent, rejected } = await attack(world, { requests: 400, networks: 50 })
  t.equal(sent, 25, 'the share of the country without a challenge')
  t.same([...rejected], [['challenge_required', 375]])
  for (let user = 0; user < 20; user++) {
    const from = sender(world.service.origin, 'checkPhone', `192.0.2.${user}`)
    const form = egyptianOf(2000 + user)
    t.equal((await from({ form })).headers['error-code'], 'challenge_required')
    t.equal(
      (await from({ form: { ...form, challenge_response: 'wrong' } })).headers['error-code'],
      'challenge_required',
    )
    t.equal((await from({ form: { ...form, challenge_response: `right-${user}` } })).status, 200)
  }
  t.equal(verified.filter((each) => each.startsWith('right')).length, 20)
  const reused = await sender(
    world.service.origin,
    'checkPhone',
    '192.0.2.99',
  )({
    form: { ...egyptianOf(3000), challenge_response: 'right-1' },
  })
  t.equal(reused.headers['error-code'], 'challenge_required', 'a solution is valid once')
})

void t.test(
  'sends a code at the first try with a solution, although 500 accounts of an attacker know its networks',
  async (t) => {
    const { config } = await openVerifier(t, { SMS_UNCONFIRMED_PER_COUNTRY_PER_DAY: '100' })
    const world = await openWith(t, config)
    const people = await world.people(500)
    await trust(
      world,
      people,
      Array.from({ length: 500 }, (_, at) => hostileAddress(at)),
    )
    const { sent, rejected } = await attack(world, { requests: 1000, networks: 500 })
    t.equal(sent, 37, 'the share without a challenge')
    t.same([...rejected], [['challenge_required', 963]])
    for (let user = 0; user < 10; user++) {
      const from = sender(world.service.origin, 'checkPhone', `192.0.2.${user}`)
      const form = { ...egyptianOf(2000 + user), challenge_response: `right-${user}` }
      t.equal((await from({ form })).status, 200)
    }
  },
)

void t.test(
  'requires a solution to register with a number that is not confirmed, if a CAPTCHA is configured',
  async (t) => {
    const { config, fail } = await openVerifier(t)
    const world = await openWith(t, config)
    const foreign = (more: object = {}): Promise<Received> =>
      world.send('register')({ form: clientRegistration({ ...egyptian(30), ...more }) })
    for (const more of [{}, { challenge_response: 'wrong' }])
      t.equal((await foreign(more)).headers['error-code'], 'challenge_required')
    t.equal((await foreign({ challenge_response: 'right-1' })).status, 201)
    t.equal((await foreign({ challenge_response: 'right-1' })).headers['error-code'], 'challenge_required')
    const form = { ...egyptian(31), otp: await codeTo(world, egyptian(31)) }
    t.equal((await world.send('register')({ form: clientRegistration(form) })).status, 201, 'a confirmed number')
    fail()
    await foreign({ challenge_response: 'right-2' })
    t.equal((await foreign()).status, 201, 'while the verifier is unavailable')
  },
)

/** Sends a code, and returns it. */
async function codeTo(world: World, form: ReturnType<typeof egyptian>): Promise<string> {
  await world.send('checkPhone')({ form })
  const { messages = [] } = world.service.app.outbox ?? {}
  return /\d{6}/.exec(messages.find(({ to }) => to === `+20${form.phone.slice(1)}`)?.text ?? '')?.[0] ?? ''
}

void t.test('reserves e-mails that reset a password for known networks and solved challenges', async (t) => {
  const { config } = await openVerifier(t)
  const world = await openWith(t, config)
  const request = async (address: string, email: string, solution?: string): Promise<number> => {
    const json = { by: 'email', email, ...(solution === undefined ? {} : { challenge_response: solution }) }
    return (await sender(world.service.origin, 'requestPasswordReset', address)({ json })).status
  }
  const sentTo = async (email: string): Promise<number> => (await mailsTo(world, email)).length
  const [owner, other] = [await world.person(), await world.person()]
  await trust(world, [owner], ['192.0.2.7'])
  for (const { email } of [owner, other]) {
    for (let at = 0; at < 7; at++) t.equal(await request(hostileAddress(at), email), 202)
    t.equal(await sentTo(email), 3, 'of a stranger')
    t.equal(await request('192.0.2.7', email), 202)
  }
  t.equal(await sentTo(owner.email), 4, 'from a known network')
  t.equal(await sentTo(other.email), 3, 'a network that another account knows')
  t.equal(await request(hostileAddress(8), other.email, 'wrong'), 429)
  t.equal(await request(hostileAddress(8), other.email, 'right-1'), 202)
  t.equal(await sentTo(other.email), 4, 'with a solution')
})

void t.test('sends codes to new users again 15 minutes after an attack on their country', async (t) => {
  const world = await openWith(t, smsConfig({ SMS_UNCONFIRMED_PER_COUNTRY_PER_DAY: '100' }))
  const { sent, rejected } = await attack(world, { requests: 400, networks: 50 })
  t.equal(sent, 25)
  t.same([...rejected], [['rate_limited', 375]])
  const ask = (at: number): Promise<Received> =>
    sender(world.service.origin, 'checkPhone', `192.0.2.${at}`)({ form: egyptianOf(2000 + at) })
  const early = await ask(0)
  t.equal(early.status, 429)
  world.wait(Number(early.headers['retry-after']) * 1000)
  for (let at = 1; at <= 12; at++) t.equal((await ask(at)).status, 200)
  t.ok(sent + 12 <= 110, 'the cost is within the daily figure')
})

type Verifier = { config: Pick<Config, 'sms' | 'captcha'>; verified: string[]; fail(): void }

/** A verifier that accepts solutions that begin with `right` */
async function openVerifier(t: Test, variables: Record<string, string> = {}): Promise<Verifier> {
  const verified: string[] = []
  let isFailing = false
  const origin = await localServer(t, (request, response) => {
    let text = ''
    request.on('data', (bytes: Buffer) => (text += bytes.toString()))
    request.on('end', () => {
      const solution = new URLSearchParams(text).get('response') ?? ''
      verified.push(solution)
      if (isFailing) response.writeHead(500).end()
      else response.end(JSON.stringify({ success: solution.startsWith('right') }))
    })
  })
  const config = smsConfig({ CAPTCHA_VERIFY_URL: `${origin}/siteverify`, CAPTCHA_SECRET: 'secret', ...variables })
  return { config, verified, fail: () => (isFailing = true) }
}

const ask = (world: World, solution?: string): Promise<Received> => {
  const form = { phone_code: '966', phone: world.newPhone() }
  return world.send('checkPhone')({ form: solution === undefined ? form : { ...form, challenge_response: solution } })
}

/** Sends requests that need no solution, until only the last ones of the hour are left. */
async function useUpFreeRequests(t: Test, world: World): Promise<void> {
  for (let requests = 0; requests < 24; requests++) {
    t.equal((await ask(world, 'not-verified')).status, 200)
    world.wait(10_000)
  }
}

const codesOf = (received: readonly Received[]): (string | undefined)[] =>
  received.map(({ headers }) => headers['error-code'])

void t.test('requires solutions for the last requests of an hour, and no more than these', async (t) => {
  const { config, verified } = await openVerifier(t)
  const world = await openWith(t, config)
  await useUpFreeRequests(t, world)
  t.same(verified, [])
  t.same(codesOf([await ask(world), await ask(world)]), ['challenge_required', 'challenge_required'])
  for (let at = 0; at < 6; at++) {
    t.equal((await ask(world, `right ${at}`.replace(' ', '-'))).status, 200)
    world.wait(10_000)
  }
  t.equal(verified.length, 6)
  const limited = [await ask(world, 'right-7'), await ask(world)]
  t.same(codesOf(limited), ['rate_limited', 'rate_limited'], 'a solution would be of no use')
  t.equal(verified.length, 6)
  world.wait(60 * MINUTE_MS)
  t.equal((await ask(world)).status, 200)
})

void t.test('verifies a solution once, also if it is sent several times at once', async (t) => {
  const { config, verified } = await openVerifier(t)
  const world = await openWith(t, config)
  await useUpFreeRequests(t, world)
  world.wait(MINUTE_MS)
  const received = await Promise.all(Array.from({ length: 8 }, () => ask(world, 'right')))
  t.equal(received.filter(({ status }) => status === 200).length, 1)
  t.equal(verified.length, 1)
})

void t.test('verifies few wrong solutions of a network', async (t) => {
  const { config, verified } = await openVerifier(t)
  const world = await openWith(t, config)
  await useUpFreeRequests(t, world)
  world.wait(MINUTE_MS)
  for (let at = 0; at < 20; at++) await ask(world, `wrong-${at}`)
  t.equal(verified.length, 6, 'they count towards the limit of the hour')
})

void t.test('applies the limits without challenges while the verifier is unavailable', async (t) => {
  const { config, fail } = await openVerifier(t)
  const world = await openWith(t, config)
  await useUpFreeRequests(t, world)
  fail()
  t.equal((await ask(world)).headers['error-code'], 'challenge_required')
  t.equal((await ask(world, 'any')).status, 200)
  t.equal((await ask(world)).status, 200, 'no solution is required for a while')
  world.wait(10_000)
  t.equal((await ask(world)).headers['error-code'], 'challenge_required')
})

void t.test('requires solutions of a network that requests many codes in a day', async (t) => {
  const { config } = await openVerifier(t, { SMS_PASSWORD_RESET: 'yes' })
  const { sms } = config
  const world = await openWith(t, { ...config, sms: { ...sms, budgets: { ...sms.budgets, perCountryPerDay: 100 } } })
  for (let requests = 0; requests < 4; requests++) {
    await world.send('requestPasswordReset')({ json: { by: 'phone', phone_code: '966', phone: world.newPhone() } })
  }
  t.equal((await ask(world)).headers['error-code'], 'challenge_required')
  const { phone } = await world.person()
  const json = { by: 'phone', phone_code: '966', phone, challenge_response: 'right' }
  t.equal((await world.send('requestPasswordReset')({ json })).status, 202)
  t.match(await codeFor(world, phone), /^\d{6}$/)
})
