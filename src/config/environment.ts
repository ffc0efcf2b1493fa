import { Type } from '@sinclair/typebox'
import { databaseConfig, databaseVariables } from './database.ts'
import { eventsConfig, eventsVariables } from './events.ts'
import { filesConfig, filesVariables } from './files.ts'
import { insecureUrlVariables } from './insecure-urls.ts'
import { mailConfig, mailVariables } from './mail.ts'
import { accountPagesUrl, pagesConfig, pagesVariables, servesPages } from './pages.ts'
import { passkeyConfig, passkeyVariables } from './security/passkeys.ts'
import { redisConfig, redisVariables } from './redis.ts'
import { captchaVariables, securityConfig, securityVariables, tokenVariables } from './security/index.ts'
import { serverConfig, serverVariables } from './server.ts'
import { smsConfig, smsVariables } from './sms/index.ts'
import type { CountryProviders } from './sms/providers.ts'
import { telemetryConfig, telemetryVariables } from './telemetry/index.ts'
import type { About, Values } from './variable-kinds.ts'

/** The variables by topic, in the order of the documentation. */
export const VARIABLE_GROUPS = {
  Server: serverVariables,
  Database: databaseVariables,
  Redis: redisVariables,
  'Keys and tokens': tokenVariables,
  'Passwords, identity documents and audit trail': securityVariables,
  Passkeys: passkeyVariables,
  SMS: smsVariables,
  CAPTCHA: captchaVariables,
  'E-mail': mailVariables,
  'Account pages': pagesVariables,
  Webhooks: eventsVariables,
  Files: filesVariables,
  'Metrics, access lines and traces': telemetryVariables,
  'TLS exceptions': insecureUrlVariables,
}
type Group = (typeof VARIABLE_GROUPS)[keyof typeof VARIABLE_GROUPS]
/** Has the members of all types of a union. */
type Merged<Each> = (Each extends unknown ? (each: Each) => void : never) extends (all: infer All) => void ? All : never

/** Every environment variable that the service reads. */
export const Environment = Type.Object(Object.assign({}, ...Object.values(VARIABLE_GROUPS)) as Merged<Group>, {
  additionalProperties: false,
})

/** Environment variables as they are given, also unknown ones */
export type Variables = Readonly<Record<string, string | undefined>>
export type Environment = Values<Merged<Group>>
export type VariableName = keyof Environment
export const VARIABLE_NAMES = Object.keys(Environment.properties) as VariableName[] // the object has no other keys

/** Returns the documentation of a variable. */
export function aboutVariable(name: VariableName): Required<Omit<About, 'default'>> {
  const schema: object = Environment.properties[name]
  const { about, accepts = '', isSecret = false, ...documented } = schema as About<string | number> // every kind is made of one
  return { about, accepts, shown: documented.shown ?? documented.default?.toString() ?? 'none', isSecret }
}

/** Builds the configuration from values that the schema accepts. */
export const buildConfig = (given: Environment, countryProviders: CountryProviders) =>
  ({
    ...serverConfig(given),
    ...databaseConfig(given),
    ...redisConfig(given),
    ...securityConfig(given),
    ...passkeyConfig(given),
    ...filesConfig(given),
    ...eventsConfig(given),
    sms: smsConfig(given, countryProviders),
    mail: mailConfig(given, servesPages(given) ? accountPagesUrl(given) : undefined),
    /** undefined: the account pages are not served */
    pages: servesPages(given) ? pagesConfig(given, passkeyConfig(given).passkeys?.origins ?? []) : undefined,
    telemetry: telemetryConfig(given),
  }) as const
