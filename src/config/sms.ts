import type { SmsBudgets } from '../adapters/sms-budgets.ts'
import { Type } from '@sinclair/typebox'
import { LIMITS } from '../../generated/limits.ts'
import type { Environment } from './environment.ts'
import { list, number, oneOf, text, webAddress } from './variable-kinds.ts'

/** Who sends SMS, to whom and how many, in the environment. */
export const smsVariables = {
  SMS_PROVIDERS: Type.Optional(
    list(Type.Union([Type.Literal('log'), Type.Literal('webhook')]), {
      about: 'Who sends SMS, in order of failover. `log` sends nothing; it is refused in production.',
      accepts: 'a list of log, webhook',
      shown: 'log; required in production',
    }),
  ),
  SMS_WEBHOOK_URL: Type.Optional(webAddress({ about: 'Where the provider `webhook` posts `{to, text, reference}`.' })),
  SMS_WEBHOOK_TOKEN: Type.Optional(
    text(
      { about: 'Sent to the webhook as `Authorization: Bearer`.', accepts: 'printable characters without spaces' },
      '^[!-~]+$',
    ),
  ),
  SMS_COUNTRIES: Type.Optional(
    list(Type.String({ pattern: '^([1-9][0-9]{0,3}|all)$' }), {
      about: 'The calling codes that SMS are sent to.',
      accepts: 'a list of calling codes, or all',
      shown: 'all; 966 in production',
    }),
  ),
  SMS_BUDGET_PER_DAY: number(1, 100_000_000, { about: 'How many SMS may go out in a day.', default: 10_000 }),
  SMS_BUDGET_PER_COUNTRY_PER_DAY: number(1, 100_000_000, {
    about: 'How many SMS may go out to one calling code in a day.',
    default: 5000,
  }),
  SMS_TEST_NUMBERS: Type.Optional(
    list(Type.String({ pattern: `^\\+[1-9][0-9]{6,14}=[0-9]{${LIMITS.otp.digits}}$` }), {
      about: 'Numbers that are sent nothing and take a fixed code.',
      accepts: 'a list of numbers and codes such as +966500000099=123456',
      shown: 'none',
    }),
  ),
  SMS_TEST_NUMBERS_IN_PRODUCTION: Type.Optional(
    oneOf(['yes'], { about: 'Allows test numbers in production, where whoever knows a code has the number.' }),
  ),
}

export type SmsProviderConfig =
  Readonly<{ kind: 'log' }> | Readonly<{ kind: 'webhook'; url: string; token: string | undefined }>

export type SmsConfig = Readonly<{
  /** In order of failover */
  providers: readonly SmsProviderConfig[]
  /** Calling codes; undefined: all */
  countries: ReadonlySet<string> | undefined
  budgets: SmsBudgets
  /** E.164 numbers that are sent nothing, and the codes that they take */
  testNumbers: ReadonlyMap<string, string>
}>

/** The part of the configuration that is about SMS. */
export function smsConfigOf(given: Environment): SmsConfig {
  const countries = given.SMS_COUNTRIES ?? (given.NODE_ENV === 'production' ? ['966'] : ['all'])
  return {
    providers: (given.SMS_PROVIDERS ?? ['log']).flatMap((kind) => providersOf(kind, given)),
    countries: countries.includes('all') ? undefined : new Set(countries),
    budgets: { perDay: given.SMS_BUDGET_PER_DAY, perCountryPerDay: given.SMS_BUDGET_PER_COUNTRY_PER_DAY },
    testNumbers: new Map((given.SMS_TEST_NUMBERS ?? []).map(testNumberOf)),
  }
}

type Missing = (name: keyof Environment, why: string) => string[]

/** What is missing, or not accepted in production, in words. */
export function smsProblems(given: Partial<Environment>, missing: Missing): string[] {
  const { NODE_ENV, SMS_PROVIDERS, SMS_TEST_NUMBERS, SMS_TEST_NUMBERS_IN_PRODUCTION } = given
  const webhook = SMS_PROVIDERS?.includes('webhook') ? missing('SMS_WEBHOOK_URL', 'SMS_PROVIDERS names webhook.') : []
  if (NODE_ENV !== 'production') return webhook
  return [
    ...missing('SMS_PROVIDERS', 'production sends SMS.'),
    ...webhook,
    ...(SMS_PROVIDERS?.includes('log')
      ? ['SMS_PROVIDERS: log is not accepted in production, where codes must not be logged.']
      : []),
    ...(SMS_TEST_NUMBERS && SMS_TEST_NUMBERS_IN_PRODUCTION !== 'yes'
      ? ['SMS_TEST_NUMBERS is not accepted in production, unless SMS_TEST_NUMBERS_IN_PRODUCTION is yes.']
      : []),
  ]
}

function providersOf(kind: 'log' | 'webhook', given: Environment): SmsProviderConfig[] {
  if (kind === 'log') return [{ kind }]
  const { SMS_WEBHOOK_URL: url, SMS_WEBHOOK_TOKEN: token } = given
  return url === undefined ? [] : [{ kind, url, token }] // what is missing has been refused before
}

function testNumberOf(text: string): [phone: string, code: string] {
  const [phone = '', code = ''] = text.split('=')
  return [phone, code]
}
