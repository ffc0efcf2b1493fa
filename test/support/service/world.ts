// A world is the users, phone numbers and client address of one test, in a service that all tests of a file share.
import bcrypt from 'bcryptjs'
import t from 'tap'
import type { Received } from './responses.ts'
import { openService, type Service } from './service.ts'
import { sender, type Send } from './sender.ts'
import { storePerson, type Attributes } from './stored-person.ts'
import type { Config } from '../../../src/config/index.ts'
import type { OperationId } from '../../../src/contract/operation.ts'

export type Person = {
  id: number
  email: string
  phone: string
  /** Logs in. Returns the access token. */
  token(): Promise<string>
  /** Logs in on a device. */
  logIn(userAgent?: string): Promise<Tokens>
}

export type Tokens = { token: string; refresh: string }

export type World = {
  service: Service
  /** The client address of all requests in this world */
  address: string
  send(id: OperationId): Send
  /** Creates a user with a complete profile. */
  person(attributes?: Partial<Attributes>): Promise<Person>
  /** Creates many of them, one after the other: all at once would wait too long for a connection. */
  people(count: number): Promise<Person[]>
  /** Returns an unused phone number in Saudi national format. */
  newPhone(): string
  /** Returns the SMS texts to a number, newest first. */
  textsTo(phone: string): string[]
  /** The one-time codes that were sent to a number, the last one first. Notices can be sent between them. */
  codesTo(phone: string): string[]
  /** Moves the clock forward. */
  wait(ms: number): void
}

export const PASSWORD = 'correct horse battery'
/** 37 Arabic letters are 74 bytes, more than bcrypt accepts. */
export const LONG_PASSWORD = 'دلةنحاسفوقرفخشبعتيقبجانبشباكطلعلىزقاق'
const USUAL: Attributes = {
  accountType: 'client',
  isAdmin: false,
  status: 'active',
  passwordHash: bcrypt.hashSync(PASSWORD, 4),
  isEmailVerified: true,
  isPhoneVerified: true,
}

/** Neighbouring numbers share a rate limit. The golden section spreads numbers evenly; without a factor of 10, none repeats. */
const NUMBER_STEP = 6_180_339

let numbers = 0
let services: Promise<Service> | undefined

/**
 * Returns the service that all tests of a file share. It is closed at the end of the file.
 *
 * @param config additional configuration; only that of the first call applies
 */
export function sharedService(config: Partial<Config> = {}): Promise<Service> {
  services ??= openService({ config }).then((service) => {
    t.teardown(() => {
      services = undefined // another test file may follow in this process
      return service.close()
    })
    return service
  })
  return services
}

export async function openWorld(given?: Service): Promise<World> {
  const service = given ?? (await sharedService())
  const number = ++numbers
  const address = `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`
  let passedMs = 0
  if (service.clock.shiftMs() > 0) await sendMails(service)
  service.moveClock(passedMs)

  const world: World = {
    service,
    address,
    send: (id) => sender(service.origin, id, address),
    newPhone: () => `050${String((++numbers * NUMBER_STEP) % 10_000_000).padStart(7, '0')}`,
    codesTo: (phone) =>
      (service.app.outbox?.messages ?? []).flatMap(({ to, code }) =>
        to === `+966${phone.slice(1)}` ? (code ?? []) : [],
      ),
    textsTo: (phone) =>
      (service.app.outbox?.messages ?? []).filter(({ to }) => to === `+966${phone.slice(1)}`).map(({ text }) => text),
    wait(ms) {
      passedMs += ms
      service.moveClock(passedMs)
    },
    async person(attributes) {
      const email = `person-${++numbers}@example.org`
      const phone = world.newPhone()
      const contacts = { email, e164: `+966${phone.slice(1)}` }
      const id = await storePerson(service.database.pool, contacts, { ...USUAL, ...attributes })
      const logIn: Person['logIn'] = async (userAgent = 'test') =>
        tokensIn(
          await world.send('login')({ json: { email, password: PASSWORD }, headers: { 'user-agent': userAgent } }),
        )
      return { id, email, phone, logIn, token: async () => (await logIn()).token }
    },
    async people(count) {
      const people: Person[] = []
      while (people.length < count) people.push(await world.person())
      return people
    },
  }
  return world
}

const WAIT_MS_MAX = 20_000

/** Sends the e-mails of earlier tests. By a clock that goes back, they would not be due for days. */
async function sendMails({ app }: Service): Promise<void> {
  await app.context.background.settle(WAIT_MS_MAX)
  await app.deliverMails()
}

/** Returns the tokens in a login response. */
export function tokensIn({ body }: Received): Tokens {
  const { account, session } = body.data as { account: { token: string }; session: { refresh_token: string } }
  return { token: account.token, refresh: session.refresh_token }
}
