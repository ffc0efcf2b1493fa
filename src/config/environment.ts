import { Type, type Static } from '@sinclair/typebox'
import { captchaVariables } from './security/captcha.ts'
import { databaseVariables } from './database.ts'
import { eventsVariables } from './events.ts'
import { filesVariables } from './files.ts'
import { insecureUrlVariables } from './insecure-urls.ts'
import { mailVariables } from './mail.ts'
import { pagesVariables } from './pages.ts'
import { passkeyVariables } from './security/passkeys.ts'
import { redisVariables } from './redis.ts'
import { securityVariables, tokenVariables } from './security/index.ts'
import { serverVariables } from './server.ts'
import { smsVariables } from './sms/index.ts'
import { telemetryVariables } from './telemetry/index.ts'
import type { About } from './variable-kinds.ts'

/** Every environment variable that the service reads. */
export const Environment = Type.Object(
  {
    ...serverVariables,
    ...databaseVariables,
    ...redisVariables,
    ...tokenVariables,
    ...securityVariables,
    ...passkeyVariables,
    ...smsVariables,
    ...captchaVariables,
    ...mailVariables,
    ...pagesVariables,
    ...eventsVariables,
    ...filesVariables,
    ...telemetryVariables,
    ...insecureUrlVariables,
  },
  { additionalProperties: false },
)

/** Environment variables as they are given, also unknown ones */
export type Variables = Readonly<Record<string, string | undefined>>
export type Environment = Static<typeof Environment>
export type VariableName = keyof Environment

/** The variables by topic, in the order of the documentation. */
export const VARIABLE_GROUPS = {
  Server: namesIn(serverVariables),
  Database: namesIn(databaseVariables),
  Redis: namesIn(redisVariables),
  'Keys and tokens': namesIn(tokenVariables),
  'Passwords, identity documents and audit trail': namesIn(securityVariables),
  Passkeys: namesIn(passkeyVariables),
  SMS: namesIn(smsVariables),
  CAPTCHA: namesIn(captchaVariables),
  'E-mail': namesIn(mailVariables),
  'Account pages': namesIn(pagesVariables),
  Webhooks: namesIn(eventsVariables),
  Files: namesIn(filesVariables),
  'Metrics, access lines and traces': namesIn(telemetryVariables),
  'TLS exceptions': namesIn(insecureUrlVariables),
} satisfies Record<string, readonly VariableName[]>

/** Returns the documentation of a variable. */
export function aboutVariable(name: VariableName): Pick<About, 'about' | 'accepts' | 'shown'> {
  const schema: object = Environment.properties[name]
  const documented = schema as About<string | number> // every kind is made of one
  const shown = documented.shown ?? documented.default?.toString()
  return { about: documented.about, accepts: documented.accepts, ...(shown !== undefined && { shown }) }
}

function namesIn<Variables extends object>(variables: Variables): readonly (keyof Variables)[] {
  return Object.keys(variables) as (keyof Variables)[] // an object literal has no other keys
}
