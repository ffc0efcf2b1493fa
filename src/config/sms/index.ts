import { LIMITS } from '../../../generated/limits.ts'
import { parseProviders, providerProblems, smsProviderVariables, type CountryProviders } from './providers.ts'
import { smsTextVariables } from './texts.ts'
import { number, oneOf, texts, type Missing, type Values } from '../variable-kinds.ts'

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

/** Variables of SMS: providers, countries, budgets and test numbers. */
export const smsVariables = {
  ...smsProviderVariables,
  ...smsTextVariables,
  SMS_COUNTRIES: texts('^([1-9][0-9]{0,3}|all)$', {
    about: 'Country calling codes to which SMS are sent.',
    accepts: 'a list of calling codes, such as 966, or all',
    shown: 'all; 966 in production',
  }),
  PHONE_NUMBER_RANGES: texts('^\\+(?=[0-9x]{7,15}$)[1-9][0-9]+x+$', {
    about:
      'Ranges of mobile numbers that are in use, but that libphonenumber does not know yet. Each `x` is a digit. The log counts rejected numbers by range.',
    accepts: 'a list of ranges, such as +96652xxxxxxx',
  }),
  SMS_BUDGET_PER_DAY: number(1, 100_000_000, { about: 'Maximum number of SMS per day.', default: 10_000 }),
  SMS_BUDGET_PER_COUNTRY_PER_DAY: number(1, 100_000_000, {
    about: 'Maximum number of SMS per day to one calling code.',
    default: 5000,
  }),
  SMS_BUDGET_NETWORK_PERCENT: number(1, 100, {
    about: 'Maximum share of each SMS budget that one network can use, in percent.',
    default: 5,
  }),
  SMS_BUDGET_RESET_PERCENT: number(0, 90, {
    about: 'Share of each SMS budget that is reserved for password resets, in percent.',
    default: 20,
  }),
  SMS_FRAUD_MODE: oneOf(['enforce', 'record'], {
    about:
      'Whether the rules against SMS pumping reject messages, or only count and log them. Daily budgets apply in both modes.',
    default: 'enforce',
  }),
  SMS_HOME_COUNTRIES: texts('^[1-9][0-9]{0,3}$', {
    about: 'Country calling codes of most users, with a larger budget of unconfirmed SMS.',
    accepts: 'a list of calling codes, such as 966',
    shown: '966',
  }),
  SMS_UNCONFIRMED_PER_HOME_COUNTRY_PER_DAY: number(1, 100_000_000, {
    about: `Maximum number of unconfirmed SMS per day to one of SMS_HOME_COUNTRIES. ${LIMITS.sms.eased_percent}% can be used at once. A confirmed code makes up for ${LIMITS.sms.confirmed_credit} messages.`,
    default: 2000,
  }),
  SMS_UNCONFIRMED_PER_COUNTRY_PER_DAY: number(1, 100_000_000, {
    about: 'The same for each other calling code.',
    default: 100,
  }),
  SMS_PASSWORD_RESET: oneOf(['yes', 'unless-email-verified', 'no'], {
    about: `Whether a code by SMS alone can reset a password. With \`unless-email-verified\`, accounts whose verified e-mail address can reset the password get a link there instead. An address that was verified after the number counts ${LIMITS.email.undo_days} days later. Administrators never reset their password by SMS alone.`,
    default: 'unless-email-verified',
  }),
  SMS_TEST_NUMBERS: texts(`^\\+[1-9][0-9]{6,14}=[0-9]{${LIMITS.otp.digits}}$`, {
    about: 'Test numbers: no SMS is sent, and a fixed code is accepted.',
    accepts: 'a list of numbers with their codes, such as +966500000099=123456',
    shown: 'none; in development, those of the demo accounts and examples',
    isSecret: true,
  }),
  SMS_TEST_NUMBERS_IN_PRODUCTION: oneOf(['yes'], {
    about: 'Allows test numbers in production. Anyone who knows a code can then claim its number.',
    shown: 'not allowed',
  }),
}

type Given = Values<typeof smsVariables> & { NODE_ENV: string }

export const smsConfig = (given: Given, countryProviders: CountryProviders) =>
  ({
    /** In order of failover */
    providers: parseProviders(given.SMS_PROVIDERS ?? ['log'], given),
    /** By calling code, for countries with a list of their own */
    countryProviders: new Map([...countryProviders].map(([code, names]) => [code, parseProviders(names, given)])),
    /** Calling codes; undefined: all */
    countries: servedCountries(given),
    /** Ranges of mobile numbers beside those of libphonenumber, such as `+96652xxxxxxx` */
    numberRanges: given.PHONE_NUMBER_RANGES ?? [],
    budgets: {
      perDay: given.SMS_BUDGET_PER_DAY,
      perCountryPerDay: given.SMS_BUDGET_PER_COUNTRY_PER_DAY,
      networkPercent: given.SMS_BUDGET_NETWORK_PERCENT,
      resetPercent: given.SMS_BUDGET_RESET_PERCENT,
    },
    fraud: {
      mode: given.SMS_FRAUD_MODE,
      unconfirmed: {
        homeCountries: new Set(homeCountries(given)),
        perHomeCountry: given.SMS_UNCONFIRMED_PER_HOME_COUNTRY_PER_DAY,
        perOtherCountry: given.SMS_UNCONFIRMED_PER_COUNTRY_PER_DAY,
        networkPercent: given.SMS_BUDGET_NETWORK_PERCENT,
      },
    },
    /** Whether an SMS code alone can reset a password */
    reset: given.SMS_PASSWORD_RESET,
    /** Host name of pages that read codes from SMS; undefined: SMS have no line for them */
    webOtpHost: given.SMS_WEBOTP_DOMAIN,
    /** Texts of codes that replace those of the catalogue */
    codeTexts: {
      verification: { ar: given.SMS_OTP_TEXT_AR, en: given.SMS_OTP_TEXT_EN },
      reset: { ar: given.SMS_RESET_TEXT_AR, en: given.SMS_RESET_TEXT_EN },
    },
    /** Test numbers in E.164, with their fixed codes; undefined: not configured */
    testNumbers: given.SMS_TEST_NUMBERS && new Map(given.SMS_TEST_NUMBERS.map(parseTestNumber)),
    /** Whether the cooldown and the limits of a number apply to test numbers too */
    areTestNumbersLimited: given.NODE_ENV !== 'development',
  }) as const

export type SmsConfig = ReturnType<typeof smsConfig>

/** Returns the calling codes to which SMS are sent; undefined: all */
export function servedCountries({ SMS_COUNTRIES, NODE_ENV }: Given): ReadonlySet<string> | undefined {
  const countries = SMS_COUNTRIES ?? (NODE_ENV === 'production' ? ['966'] : ['all'])
  return countries.includes('all') ? undefined : new Set(countries)
}

/** Returns the calling codes of most users. */
export function homeCountries({ SMS_HOME_COUNTRIES }: Given): readonly string[] {
  return SMS_HOME_COUNTRIES ?? ['966']
}

/** Lists what is missing, or not allowed in production. */
export function smsProblems(given: Partial<Given>, missing: Missing<Given>, byCountry: CountryProviders): string[] {
  const { NODE_ENV, SMS_PROVIDERS: providers, SMS_TEST_NUMBERS, SMS_TEST_NUMBERS_IN_PRODUCTION } = given
  const ofCountries = [...byCountry].map(([code, names]) => [`SMS_PROVIDERS_${code}`, names] as const)
  const lists = new Map([['SMS_PROVIDERS', providers ?? ['log']], ...ofCountries])
  const incomplete = providerProblems(lists, given, missing)
  if (NODE_ENV !== 'production') return incomplete
  return [
    ...missing('SMS_PROVIDERS', 'it is required in production.'),
    ...incomplete,
    ...([...(providers ?? []), ...[...byCountry.values()].flat()].includes('log')
      ? ['SMS_PROVIDERS: log is not allowed in production, because it sends no SMS. Use another provider.']
      : []),
    ...(SMS_TEST_NUMBERS && SMS_TEST_NUMBERS_IN_PRODUCTION !== 'yes'
      ? ['SMS_TEST_NUMBERS is not allowed in production. Remove it, or set SMS_TEST_NUMBERS_IN_PRODUCTION=yes.']
      : []),
  ]
}

/** Parses a number with its code, such as +966500000099=123456. */
function parseTestNumber(text: string): [phone: string, code: string] {
  const [phone = '', code = ''] = text.split('=')
  return [phone, code]
}
