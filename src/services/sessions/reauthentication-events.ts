export const REAUTHENTICATION_EVENTS = {
  wrong: 'reauthentication_failed',
  limited: 'reauthentication_limited',
} as const
