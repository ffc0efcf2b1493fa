import { Value } from '@sinclair/typebox/value'
import { StartupError } from '../lib/startup-error.ts'
import { buildConfig, Environment, type Variables } from './environment.ts'
import { readSecretFiles } from './names/secrets.ts'
import { nearMisses } from './names/unknown-variables.ts'
import { developmentRisks, missingValues, wrongValues } from './problems.ts'
import { readCountryProviders } from './sms/providers.ts'
import { listWarnings } from './warnings.ts'

/** The warnings tell operators what is ignored or missing. */
export type Config = ReturnType<typeof buildConfig> & Readonly<{ warnings: readonly string[] }>

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
    ...wrongValues(given),
    ...missingValues(given, countryProviders),
    ...nearMisses(variables),
  ]
  if (problems.length === 0 && Value.Check(Environment, given))
    return { ...buildConfig(given, countryProviders), warnings: listWarnings(given, countryProviders, variables) }
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
