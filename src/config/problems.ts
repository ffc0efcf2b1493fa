import { Value } from '@sinclair/typebox/value'
import { aboutVariable, Environment } from './environment.ts'
import { captchaProblems } from './security/captcha.ts'
import { databaseProblems } from './database.ts'
import { eventsProblems } from './events.ts'
import { filesProblems } from './files.ts'
import { insecureUrlProblems } from './insecure-urls.ts'
import { listeningProblems, proxyProblems } from './server.ts'
import { redisProblems } from './redis.ts'
import { mailProblems } from './mail.ts'
import { pagesProblems } from './pages.ts'
import { passkeyProblems } from './security/passkeys.ts'
import { isSecret } from './names/secrets.ts'
import { unknownTlsProblems } from './names/url-parameters.ts'
import { smsProblems } from './sms/index.ts'
import { portProblems } from './telemetry/index.ts'
import type { CountryProviders } from './sms/providers.ts'

/** Lists every invalid value and every missing variable. */
export function listProblems(given: Record<string, unknown>, countryProviders: CountryProviders): string[] {
  return [...wrongValues(given), ...missingValues(given, countryProviders)]
}

function wrongValues(given: Record<string, unknown>): string[] {
  const names = [...Value.Errors(Environment, given)].map(({ path }) => path.split('/')[1] as keyof Environment)
  return [...new Set(names)].map((name) => {
    const shown = isSecret(name) ? '' : ` ${JSON.stringify([given[name]].flat().join(','))}`
    return `${name}: invalid value${shown}. Expected ${aboutVariable(name).accepts}.`
  })
}

function missingValues(given: Partial<Environment>, countryProviders: CountryProviders): string[] {
  const missing = (name: keyof Environment, why: string): string[] =>
    given[name] === undefined ? [`${name} is not set: ${why} Expected ${aboutVariable(name).accepts}.`] : []
  const others = [
    ...databaseProblems(given, missing),
    ...unknownTlsProblems(given),
    ...redisProblems(given),
    ...smsProblems(given, missing, countryProviders),
    ...captchaProblems(given, missing),
    ...eventsProblems(given, missing),
    ...filesProblems(given, given.NODE_ENV === 'production', missing),
    ...listeningProblems(given),
    ...proxyProblems(given),
    ...portProblems(given),
    ...passkeyProblems(given),
    ...pagesProblems(given, missing),
  ]
  if (given.NODE_ENV !== 'production') return others
  return [
    ...missing('DATABASE_URL', 'production does not use the embedded database.'),
    ...missing('REDIS_URL', 'instances share rate limits through Redis in production.'),
    ...others,
    ...insecureUrlProblems(given),
    ...mailProblems(given),
    ...(given.KEYS === undefined
      ? missing('KEYS_FILE', 'production requires KEYS_FILE or KEYS. Create keys with npm run -s keys.')
      : []),
  ]
}
