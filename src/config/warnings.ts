// What the service ignores, or does with less than it could. It starts nevertheless.
import { isLoopback } from '../lib/loopback.ts'
import { withoutBrackets } from '../lib/networks.ts'
import type { Environment, Variables } from './environment.ts'
import { servesPages } from './pages.ts'
import { developmentRisks } from './problems.ts'
import { unknownVariableWarnings } from './names/unknown-variables.ts'
import { unknownParameterWarnings } from './names/url-parameters.ts'
import { homeCountries, servedCountries } from './sms/index.ts'
import type { CountryProviders } from './sms/providers.ts'

/** The pages that e-mails link to, and what an e-mail has in their place */
const PAGES = ['PASSWORD_RESET_URL', 'EMAIL_CONFIRMATION_URL', 'FACTOR_RESET_URL'] as const
/** Amounts, each with the one that bounds it */
const BOUNDED = [
  ['DATABASE_IDLE_CONNECTIONS', 'DATABASE_CONNECTIONS'],
  ['SMS_BUDGET_PER_COUNTRY_PER_DAY', 'SMS_BUDGET_PER_DAY'],
  ['SMS_UNCONFIRMED_PER_HOME_COUNTRY_PER_DAY', 'SMS_BUDGET_PER_COUNTRY_PER_DAY'],
  ['SMS_UNCONFIRMED_PER_COUNTRY_PER_DAY', 'SMS_UNCONFIRMED_PER_HOME_COUNTRY_PER_DAY'],
] as const
/** Hosts with which a server listens on every network */
const ANY_HOST: readonly string[] = ['0.0.0.0', '::']
const NO_PROXY =
  'TRUST_PROXY is not set: behind a proxy, all clients share the rate limits of one address. Set it to the addresses of your proxies.'
const PUBLIC_MANAGEMENT =
  'MANAGEMENT_HOST has every network of this machine, and the management server has no authentication. Set it to the address that Prometheus uses.'

/** Lists the warnings, each with what to do. */
export function listWarnings(given: Environment, countryProviders: CountryProviders, variables: Variables): string[] {
  return [
    ...developmentRisks(variables, 'development'),
    ...unknownVariableWarnings(variables),
    ...unknownParameterWarnings(given),
    ...smsWarnings(given, countryProviders, variables),
    ...(given.KEYS !== undefined && given.KEYS_FILE !== undefined ? [TWO_KEYS] : []),
    ...(given.NODE_ENV === 'production' ? productionWarnings(given, variables) : []),
  ]
}

const TWO_KEYS = 'KEYS and KEYS_FILE are set. KEYS is used, which no rotation changes. Remove one of them.'

/** Lists settings of SMS that have no effect, because others exclude them. */
function smsWarnings(given: Environment, countryProviders: CountryProviders, variables: Variables): string[] {
  const served = servedCountries(given)
  const isIgnored = (callingCode: string): boolean => served?.has(callingCode) === false
  const homes = homeCountries(given).filter(isIgnored)
  const lists = [...countryProviders.keys()].filter(isIgnored)
  const exceeding = BOUNDED.filter(([part, whole]) => variables[part]?.trim() && given[part] > given[whole])
  return [
    ...homes.map(
      (code) =>
        `SMS_HOME_COUNTRIES includes ${code}, but SMS_COUNTRIES does not. Set it to the countries of most users, which have a larger budget.`,
    ),
    ...lists.map((code) => `SMS_PROVIDERS_${code} has no effect, because SMS_COUNTRIES does not include ${code}.`),
    ...exceeding.map(
      ([part, whole]) => `${part} is ${given[part]}, but ${whole} only ${given[whole]}. Set it to less.`,
    ),
  ]
}

function productionWarnings(given: Environment, variables: Variables): string[] {
  const { MANAGEMENT_PORT: port, MANAGEMENT_HOST: host, TRUST_PROXY } = given
  // a pod has a network of its own, and policies that restrict it
  const isPublic = port !== undefined && ANY_HOST.includes(host) && variables['KUBERNETES_SERVICE_HOST'] === undefined
  const needsPages = given.SMTP_URL !== undefined && !servesPages(given)
  const missingPages = needsPages ? PAGES.filter((name) => given[name] === undefined) : []
  return [
    ...(TRUST_PROXY === undefined ? [NO_PROXY] : []),
    ...(isPublic ? [PUBLIC_MANAGEMENT] : []),
    ...([...PAGES, 'PUBLIC_URL'] as const).flatMap((name) => localhostWarnings(name, given[name])),
    ...missingPages.map(
      (name) =>
        `${name} is not set: e-mails contain a token without a link. Set it to the URL of your page, or PAGES=on.`,
    ),
  ]
}

function localhostWarnings(name: string, url: string | undefined): string[] {
  if (url === undefined || !isLoopback(withoutBrackets(new URL(url).hostname))) return []
  const what = name === 'PUBLIC_URL' ? 'the service' : 'your page'
  return [`${name} is on localhost, which users cannot reach. Set it to the public URL of ${what}.`]
}
