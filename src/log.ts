import type { Logger } from 'pino'

/** What rooms other than http need of the log. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>
