import type { SmsBudgets } from '../adapters/sms-budgets.ts'
import { Type } from '@sinclair/typebox'
import { LIMITS } from '../../generated/limits.ts'
import type { Environment } from './environment.ts'
import { list, number, oneOf, text, webAddress } from './variable-kinds.ts'

/**
 * The test numbers of development: those of the demo accounts and those of the document's examples, with the code of the
 * examples.
 */
export const EXAMPLE_TEST_NUMBERS: ReadonlyMap<string, string> = new Map(
  ['+966500000001', '+966500000002', '+966500000003', '+966512345678', '+966512345679'].map((phone) => [
    phone,
    '493027',
  ]),
)

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
  SMS_BUDGET_NETWORK_PERCENT: number(1, 100, {
    about: 'How much of each SMS budget the requests of one network may use up, in percent.',
    default: 5,
  }),
  SMS_BUDGET_RESET_PERCENT: number(0, 90, {
    about: 'How much of each SMS budget is reserved for password resets of existing accounts, in percent.',
    default: 20,
  }),
  SMS_PASSWORD_RESET: oneOf(['yes', 'no'], {
    about: 'Whether a code by SMS alone resets a password.',
    default: 'yes',
  }),
  SMS_TEST_NUMBERS: Type.Optional(
    list(Type.String({ pattern: `^\\+[1-9][0-9]{6,14}=[0-9]{${LIMITS.otp.digits}}$` }), {
      about:
        'Test numbers: no SMS is sent, and a fixed code is accepted. In development they have no cooldown and no limit of codes.',
      accepts: 'a list of numbers and codes such as +966500000099=123456',
      shown: `none; in development ${[...EXAMPLE_TEST_NUMBERS.keys()].join(', ')}, with the code ${[...new Set(EXAMPLE_TEST_NUMBERS.values())].join()}`,
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
  /** Whether a code by SMS alone resets a password */
  allowsReset: boolean
  /** E.164 numbers that no SMS is sent to, and the codes that they take; undefined: none are configured */
  testNumbers: ReadonlyMap<string, string> | undefined
  /** Whether the cooldown and the limits of a number apply to test numbers too */
  areTestNumbersLimited: boolean
}>

/** The part of the configuration that is about SMS. */
export function smsConfigOf(given: Environment): SmsConfig {
  const countries = given.SMS_COUNTRIES ?? (given.NODE_ENV === 'production' ? ['966'] : ['all'])
  return {
    providers: (given.SMS_PROVIDERS ?? ['log']).flatMap((kind) => providersOf(kind, given)),
    countries: countries.includes('all') ? undefined : new Set(countries),
    budgets: {
      perDay: given.SMS_BUDGET_PER_DAY,
      perCountryPerDay: given.SMS_BUDGET_PER_COUNTRY_PER_DAY,
      networkPercent: given.SMS_BUDGET_NETWORK_PERCENT,
      resetPercent: given.SMS_BUDGET_RESET_PERCENT,
    },
    allowsReset: given.SMS_PASSWORD_RESET === 'yes',
    testNumbers: given.SMS_TEST_NUMBERS && new Map(given.SMS_TEST_NUMBERS.map(testNumberOf)),
    areTestNumbersLimited: given.NODE_ENV !== 'development',
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
