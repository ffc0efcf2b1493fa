// Generated from openapi/ by `npm run generate`. Do not edit.

export const FACTOR_OPERATIONS = {
  getFactors: 'GET /auth/factors 456789: t',
  requestFactorReset: 'POST /auth/factors/reset 3456;<>ABGIJLM,second_factor_missing,factor_reset_unavailable j',
  confirmFactorReset: 'POST /auth/factors/reset/confirm 3456;<> j',
  cancelFactorReset: 'POST /auth/factors/reset/cancel 3456;< j',
  confirmTotp: 'PUT /auth/totp 3456789:;<=E,totp_not_begun,verified_contact_required jt',
  beginTotp: 'POST /auth/totp 456789:=E,verified_contact_required t',
  deleteTotp: 'DELETE /auth/totp 456789:= t',
  renewRecoveryCodes: 'POST /auth/recovery-codes 456789:=,second_factor_missing t',
} as const
