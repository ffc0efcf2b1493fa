/** The names of SMS providers. `log` sends nothing. */
export const SMS_PROVIDERS = ['log', 'webhook', 'webhook2', 'webhook3', 'twilio', 'unifonic', 'taqnyat'] as const
export type SmsProviderName = (typeof SMS_PROVIDERS)[number]
