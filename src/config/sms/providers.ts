import { Type } from '@sinclair/typebox'
import type { serverVariables } from '../server.ts'
import { list, type Missing, type ProviderKind, type Values } from '../variable-kinds.ts'
import { taqnyat, taqnyatVariables, unifonic, unifonicVariables } from './saudi-providers.ts'
import { twilio, twilioVariables } from './twilio.ts'
import { namedWebhookProblems, parseNamedWebhooks, webhook, webhookVariables } from './webhooks.ts'

const PROVIDER_VARIABLES = { ...webhookVariables, ...twilioVariables, ...unifonicVariables, ...taqnyatVariables }

type Given = Values<typeof PROVIDER_VARIABLES & Pick<typeof serverVariables, 'PUBLIC_URL'>>
type LogConfig = Readonly<{ kind: 'log'; name: 'log'; receipts?: undefined }>

/** The providers by name. `log` sends nothing. */
const PROVIDERS = {
  log: { required: [], parse: (): LogConfig => ({ kind: 'log', name: 'log' }) },
  webhook,
  twilio,
  unifonic,
  taqnyat,
} satisfies Record<string, ProviderKind<Given>>
export type SmsProviderConfig = ReturnType<(typeof PROVIDERS)[keyof typeof PROVIDERS]['parse']>
const BUILT_IN = new Map<string, ProviderKind<Given, SmsProviderConfig>>(Object.entries(PROVIDERS))

/** What a list of providers accepts, for the documentation */
const PROVIDER_LIST = `a list of ${[...BUILT_IN.keys()].join(', ')} and names in SMS_WEBHOOKS`

/** Variables of the list of providers, and of the providers themselves. */
export const smsProviderVariables = {
  SMS_PROVIDERS: list(Type.String(), {
    about:
      'SMS providers, in order of failover. `log` sends nothing and is not allowed in production. SMS_PROVIDERS_966 is the list of one calling code.',
    accepts: PROVIDER_LIST,
    shown: 'log; required in production',
  }),
  ...PROVIDER_VARIABLES,
}

const COUNTRY_NAME = /^SMS_PROVIDERS_([1-9][0-9]{0,3})$/

type Lists = ReadonlyMap<string, readonly string[]>
/** The lists of SMS_PROVIDERS_966 and the like, by calling code. Names of providers are not checked. */
export type CountryProviders = Lists

export function isCountryProviders(name: string): boolean {
  return COUNTRY_NAME.test(name)
}

export function readCountryProviders(variables: Readonly<Record<string, string | undefined>>): CountryProviders {
  return new Map(
    Object.entries(variables).flatMap(([name, text]) => {
      const callingCode = COUNTRY_NAME.exec(name)?.[1]
      const list = text?.trim()
      return callingCode !== undefined && list ? [[callingCode, list.split(',').map((item) => item.trim())]] : []
    }),
  )
}

/** Returns the configuration of providers whose names and variables were checked. */
export function parseProviders(names: readonly string[], given: Given): readonly SmsProviderConfig[] {
  const named = parseNamedWebhooks(given)
  return names.flatMap((name) => named.find((each) => each.name === name) ?? BUILT_IN.get(name)?.parse(given) ?? [])
}

/**
 * Lists unknown providers, missing variables of those that are used, and lists of providers of which none sends SMS: other
 * channels fall back to SMS, and notices are SMS.
 *
 * @param lists the lists of providers by the name of their variable
 */
export function providerProblems(lists: Lists, given: Partial<Given>, missing: Missing<Given>): string[] {
  const own = { name: 'webhook', channels: new Set(given.SMS_WEBHOOK_CHANNELS ?? ['sms']) }
  const webhooks = [own, ...parseNamedWebhooks(given)]
  const isKnown = (name: string): boolean => BUILT_IN.has(name) || webhooks.some((each) => each.name === name)
  const sendsSms = (name: string): boolean => webhooks.find((each) => each.name === name)?.channels?.has('sms') ?? true
  const used = [...new Set([...lists.values()].flat())]
  return [
    ...namedWebhookProblems(given, new Set(BUILT_IN.keys())),
    ...[...lists].flatMap(([variable, names]) => {
      if (!names.every(isKnown))
        return [`${variable}: invalid value ${JSON.stringify(names.join(','))}. Expected ${PROVIDER_LIST}.`]
      if (names.some(sendsSms)) return []
      return [`${variable}: none of the providers sends SMS. Add sms to the channels of one.`]
    }),
    ...used.flatMap((name) => {
      const { required = [], problems } = BUILT_IN.get(name) ?? {}
      const why = `SMS_PROVIDERS includes ${name}.`
      return [...required.flatMap((variable) => missing(variable, why)), ...(problems?.(given, missing) ?? [])]
    }),
  ]
}

type Ordered = Readonly<{
  providers: readonly SmsProviderConfig[]
  countryProviders: ReadonlyMap<string, readonly SmsProviderConfig[]>
}>

/** Lists all providers, each once. */
export function listSmsProviders({ providers, countryProviders }: Ordered): readonly SmsProviderConfig[] {
  const all = [providers, ...countryProviders.values()].flat()
  return [...new Map(all.map((provider) => [provider.name, provider])).values()]
}

/** Lists the names and addresses of all providers that send. */
export function listSmsEndpoints(ordered: Ordered): readonly { name: string; url: string }[] {
  return listSmsProviders(ordered).flatMap((provider) => {
    if (provider.kind === 'log') return []
    return [{ name: provider.name, url: provider.kind === 'webhook' ? provider.url : provider.apiUrl }]
  })
}
