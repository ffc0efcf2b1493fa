import { Value } from '@sinclair/typebox/value'
import { StartupError } from '../lib/startup-error.ts'
import { databaseConfig } from './database.ts'
import { Environment, type Variables } from './environment.ts'
import { eventsConfig } from './events.ts'
import { filesConfig } from './files.ts'
import { mailConfig } from './mail.ts'
import { readSecretFiles } from './names/secrets.ts'
import { nearMisses } from './names/unknown-variables.ts'
import { accountPagesUrl, pagesConfig, servesPages } from './pages.ts'
import { developmentRisks, listProblems } from './problems.ts'
import { redisConfig } from './redis.ts'
import { securityConfig } from './security/index.ts'
import { parsePasskeyConfig, passkeyConfig } from './security/passkeys.ts'
import { serverConfig } from './server.ts'
import { smsConfig } from './sms/index.ts'
import { readCountryProviders, type CountryProviders } from './sms/providers.ts'
import { telemetryConfig } from './telemetry/index.ts'
import { listWarnings } from './warnings.ts'

const buildConfig = (given: Environment, countryProviders: CountryProviders, variables: Variables) =>
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
    pages: servesPages(given) ? pagesConfig(given, parsePasskeyConfig(given)?.origins ?? []) : undefined,
    telemetry: telemetryConfig(given),
    /** What is ignored or missing, for operators */
    warnings: listWarnings(given, countryProviders, variables),
  }) as const

export type Config = ReturnType<typeof buildConfig>

/**
 * Reads the configuration from environment variables. An empty value counts as unset.
 *
 * @throws StartupError that lists every problem
 */
export function readConfig(environment: Variables): Config {
  const { variables, problems: fileProblems } = readSecretFiles(environment)
  const given = parseValues(variables)
  const countryProviders = readCountryProviders(variables)
  const problems = [
    ...developmentRisks(variables, ''),
    ...fileProblems,
    ...listProblems(given, countryProviders),
    ...nearMisses(variables),
  ]
  if (problems.length === 0 && Value.Check(Environment, given)) return buildConfig(given, countryProviders, variables)
  throw new StartupError(`The configuration is invalid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
}

/** Returns the variables with their defaults, converted to numbers and lists as the schema requires. */
function parseValues(variables: Variables): Record<string, unknown> {
  const given = Object.entries(Environment.properties).flatMap(([name, { type }]) => {
    const text = variables[name]?.trim()
    return text ? [[name, parseValue(text, type as unknown)] as const] : []
  })
  return Value.Default(Environment, Object.fromEntries(given)) as Record<string, unknown> // Default returns its input, an object
}

function parseValue(text: string, type: unknown): unknown {
  if (type === 'array') return text.split(',').map((item) => item.trim())
  return type === 'integer' && /^[0-9]{1,9}$/.test(text) ? Number(text) : text
}
