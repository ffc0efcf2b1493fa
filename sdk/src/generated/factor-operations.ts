// Generated from openapi/ by `npm run generate`. Do not edit.

export const FACTOR_OPERATIONS = {
  getFactors: 'GET /auth/factors 456789: t',
  requestFactorReset: 'POST /auth/factors/reset 3456;<>?DHJKMN,second_factor_missing,factor_reset_unavailable j',
  confirmFactorReset: 'POST /auth/factors/reset/confirm 3456;<> j',
  cancelFactorReset: 'POST /auth/factors/reset/cancel 3456;< j',
  confirmTotp: 'PUT /auth/totp 3456789:;<=F,totp_not_begun,verified_contact_required jt',
  beginTotp: 'POST /auth/totp 3456789:;<=FI,verified_contact_required,passkeys_unavailable jt',
  removeTotp: 'POST /auth/totp/remove 3456789:;<=FI,passkeys_unavailable jt',
  renewRecoveryCodes: 'POST /auth/recovery-codes 3456789:;<=FI,second_factor_missing,passkeys_unavailable jt',
} as const
