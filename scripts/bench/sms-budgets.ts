/** Budgets for SMS that no load reaches, also none of codes that are not confirmed */
export const SMS_BUDGETS = {
  SMS_BUDGET_PER_DAY: '100000000',
  SMS_BUDGET_PER_COUNTRY_PER_DAY: '100000000',
  SMS_UNCONFIRMED_PER_COUNTRY_PER_DAY: '100000000',
  SMS_UNCONFIRMED_PER_HOME_COUNTRY_PER_DAY: '100000000',
}
