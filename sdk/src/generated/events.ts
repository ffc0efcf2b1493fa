// Generated from openapi/ by `npm run generate`. Do not edit.

export const EVENT_TYPES: readonly string[] = [
  'account.registered',
  'phone.confirmed',
  'profile.updated',
  'lawyer.reviewed',
  'account.suspended',
  'account.restored',
  'account.deleted',
]
