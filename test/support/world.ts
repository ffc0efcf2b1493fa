// A world is one story's own people, phone numbers and address, in a service that all stories of a file share.
import bcrypt from 'bcryptjs'
import t from 'tap'
import type { Received } from './answers.ts'
import { openService, type Service } from './service.ts'
import { sender, type Send } from './sender.ts'
import type { Config } from '../../src/config.ts'
import type { OperationId } from '../../src/contract.ts'

export type Person = {
  id: number
  email: string
  phone: string
  /** Logs in; gives the access token. */
  token(): Promise<string>
  /** Logs in on a device. */
  logIn(userAgent?: string): Promise<Tokens>
}

export type Tokens = { token: string; refresh: string }

export type World = {
  service: Service
  /** The address that requests of this world come from */
  address: string
  send(id: OperationId): Send
  /** Somebody with an account and a complete profile */
  person(about?: Partial<About>): Promise<Person>
  /** A phone number, as people write it in Saudi Arabia, that nobody has */
  newPhone(): string
  /** The texts that were sent to a number, newest first */
  textsTo(phone: string): string[]
  /** Lets time pass. */
  wait(ms: number): void
}

type About = {
  accountType: 'client' | 'lawyer'
  isAdmin: boolean
  status: 'active' | 'suspended'
  passwordHash: string
  /** Whether the e-mail address and the phone number are verified, and recover the account */
  isEmailVerified: boolean
  isPhoneVerified: boolean
}

export const PASSWORD = 'correct horse battery'
/** 37 letters of Arabic have 74 bytes, more than bcrypt takes. */
export const LONG_PASSWORD = 'دلةنحاسفوقرفخشبعتيقبجانبشباكطلعلىزقاق'
const passwordHash = bcrypt.hashSync(PASSWORD, 4)

/** Neighbouring numbers share a limit. Without a common factor with 10 no number comes twice. */
const FAR_APART = 1009

let numbers = 0
let services: Promise<Service> | undefined

/**
 * The service of this file; it is closed when the file is done.
 *
 * @param config what the first who asks wants it to have besides
 */
export function sharedService(config: Partial<Config> = {}): Promise<Service> {
  services ??= openService({ config }).then((service) => {
    t.teardown(() => service.close())
    return service
  })
  return services
}

export async function openWorld(given?: Service): Promise<World> {
  const service = given ?? (await sharedService())
  const number = ++numbers
  const address = `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`
  const { prisma } = service.database
  let passedMs = 0
  service.moveClock(passedMs)

  const world: World = {
    service,
    address,
    send: (id) => sender(service.origin, id, address),
    newPhone: () => `050${String((++numbers * FAR_APART) % 10_000_000).padStart(7, '0')}`,
    textsTo: (phone) =>
      (service.app.outbox?.messages ?? []).filter(({ to }) => to === `+966${phone.slice(1)}`).map(({ text }) => text),
    wait(ms) {
      passedMs += ms
      service.moveClock(passedMs)
    },
    async person({
      accountType = 'client',
      isAdmin = false,
      status = 'active',
      passwordHash: hash = passwordHash,
      isEmailVerified = true,
      isPhoneVerified = true,
    } = {}) {
      const email = `person-${++numbers}@example.org`
      const phone = world.newPhone()
      const profile = {
        name: 'سارة العتيبي',
        gender: 'Female',
        type: 1,
        longitude: 46.6753,
        latitude: 24.7136,
      } as const
      const places = { countryId: 682, regionId: 1, cityId: 1, nationalityId: 682 }
      const createdAt = new Date()
      const { id } = await prisma.account.create({
        data: {
          createdAt,
          ...(isEmailVerified && { emailVerifiedAt: createdAt, emailRecoversFrom: createdAt }),
          ...(isPhoneVerified && { phoneVerifiedAt: createdAt, phoneRecoversFrom: createdAt }),
          email,
          accountType,
          isAdmin,
          status,
          passwordHash: hash,
          phone: `+966${phone.slice(1)}`,
          phoneCode: '966',
          profile: { create: { ...profile, ...places } },
        },
      })
      const logIn: Person['logIn'] = async (userAgent = 'test') =>
        tokensIn(
          await world.send('login')({ json: { email, password: PASSWORD }, headers: { 'user-agent': userAgent } }),
        )
      return { id, email, phone, logIn, token: async () => (await logIn()).token }
    },
  }
  return world
}

/** The tokens in the answer of a login. */
export function tokensIn({ body }: Received): Tokens {
  const { account, session } = body.data as { account: { token: string }; session: { refresh_token: string } }
  return { token: account.token, refresh: session.refresh_token }
}
