/** The counters of codes and of SMS */
export const SMS_COUNTERS = {
  tawthiq_sms_messages_total: {
    help: 'Messages passed to a provider. The outcome is sent, refused (nothing was sent) or unknown.',
    labels: ['provider', 'channel', 'calling_code', 'outcome'],
  },
  tawthiq_sms_refused_total: {
    help: 'SMS that were not sent. The reason is providers, limits_unavailable, number-type, or the policy of a used-up budget.',
    labels: ['reason', 'calling_code'],
  },
  tawthiq_sms_fraud_recorded_total: {
    help: 'SMS that fraud rules would have rejected, with SMS_FRAUD_MODE=record. The rule is number-type, or the policy of a used-up limit.',
    labels: ['rule', 'calling_code'],
  },
  tawthiq_captcha_checks_total: {
    help: 'Solutions of challenges. The outcome is valid, invalid or unavailable (no response of the verifier).',
    labels: ['outcome'],
  },
  tawthiq_sms_confirmed_total: { help: 'Codes that were confirmed.', labels: ['calling_code'] },
  tawthiq_sms_receipts_total: {
    help: 'Messages whose receipt reports delivered or failed. The country is unknown if the receipt arrives before the message is stored.',
    labels: ['provider', 'calling_code', 'state'],
  },
  tawthiq_sms_conversions_total: {
    help: 'Messages whose code was confirmed, by the provider of the last message.',
    labels: ['provider', 'calling_code'],
  },
  tawthiq_sms_pauses_total: {
    help: 'Pauses of providers whose messages do not arrive. The reason is not_delivered or failed.',
    labels: ['provider', 'calling_code', 'reason'],
  },
  tawthiq_sms_records_lost_total: {
    help: 'Messages and confirmations not recorded, because the database did not respond for long.',
    labels: [],
  },
} as const
