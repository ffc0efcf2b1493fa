import { SMS_PROVIDERS, type SmsProviderName } from './provider-names.ts'

const NAME = /^SMS_PROVIDERS_([1-9][0-9]{0,3})$/
const KNOWN = new Set<string>(SMS_PROVIDERS)

/** The lists of SMS_PROVIDERS_966 and the like, by calling code. Names of providers are not checked. */
export type CountryProviders = ReadonlyMap<string, readonly string[]>

export function isCountryProviders(name: string): boolean {
  return NAME.test(name)
}

export function readCountryProviders(variables: Readonly<Record<string, string | undefined>>): CountryProviders {
  return new Map(
    Object.entries(variables).flatMap(([name, text]) => {
      const callingCode = NAME.exec(name)?.[1]
      const list = text?.trim()
      return callingCode !== undefined && list ? [[callingCode, list.split(',').map((item) => item.trim())]] : []
    }),
  )
}

/** Lists unknown names of providers. */
export function countryProvidersProblems(countries: CountryProviders): string[] {
  return [...countries].flatMap(([callingCode, names]) =>
    names.every(isProviderName)
      ? []
      : [
          `SMS_PROVIDERS_${callingCode}: invalid value ${JSON.stringify(names.join(','))}. Expected a list of ${SMS_PROVIDERS.join(', ')}.`,
        ],
  )
}

/** Returns the lists of providers by the name of their variable, without unknown names, which are reported elsewhere. */
export function listProviders(
  providers: readonly string[] = ['log'],
  countryProviders: CountryProviders,
): ReadonlyMap<string, readonly SmsProviderName[]> {
  const lists = [...countryProviders].map(([code, names]) => [`SMS_PROVIDERS_${code}`, names] as const)
  const known = [['SMS_PROVIDERS', providers] as const, ...lists].map(
    ([variable, names]) => [variable, names.filter(isProviderName)] as const,
  )
  return new Map(known.filter(([, names]) => names.length > 0))
}

export function isProviderName(name: string): name is SmsProviderName {
  return KNOWN.has(name)
}
