import { LIMITS } from '../../../generated/limits.ts'
import { number, oneOf, texts, type Values } from '../variable-kinds.ts'

/** Variables of the protection against SMS pumping. */
export const smsFraudVariables = {
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
}

type Given = Values<typeof smsFraudVariables> & { SMS_BUDGET_NETWORK_PERCENT: number }

/** The rules against SMS pumping */
export const smsFraudConfig = (given: Given) =>
  ({
    mode: given.SMS_FRAUD_MODE,
    unconfirmed: {
      homeCountries: new Set(homeCountries(given)),
      perHomeCountry: given.SMS_UNCONFIRMED_PER_HOME_COUNTRY_PER_DAY,
      perOtherCountry: given.SMS_UNCONFIRMED_PER_COUNTRY_PER_DAY,
      networkPercent: given.SMS_BUDGET_NETWORK_PERCENT,
    },
  }) as const

/** Returns the calling codes of most users. */
export function homeCountries({ SMS_HOME_COUNTRIES }: Given): readonly string[] {
  return SMS_HOME_COUNTRIES ?? ['966']
}
