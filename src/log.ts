import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino'
import pretty from 'pino-pretty'

/** What rooms other than http need of the log. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

/** Lines of JSON, to standard output or to `destination`. */
export function jsonLog(level: string, destination?: DestinationStream): Logger {
  return destination ? pino(optionsOf(level), destination) : pino(optionsOf(level))
}

/** Lines for people. */
export function prettyLog(level: string): Logger {
  return pino(optionsOf(level), pretty({ translateTime: 'SYS:HH:MM:ss' }))
}

function optionsOf(level: string): LoggerOptions {
  return { level, base: null, serializers: { err: allowedOfError } }
}

const CAUSES_MAX = 4

/** What may be logged of an error: databases and parsers put people's data into their messages. */
function allowedOfError(error: unknown, depth = 0): object {
  if (!(error instanceof Error)) return { type: typeof error }
  const { name, message, stack = '', cause } = error
  const code = 'code' in error ? String(error.code) : undefined
  return {
    type: name,
    ...(code !== undefined && { code }),
    message: withoutPersonalData(message),
    stack: stack
      .split('\n')
      .filter((line) => line.startsWith('    at '))
      .join('\n'),
    ...(cause !== undefined && depth < CAUSES_MAX && { cause: allowedOfError(cause, depth + 1) }),
  }
}

/** E-mail addresses, hashes, tokens and long numbers, wherever they stand. */
function withoutPersonalData(message: string): string {
  return message
    .slice(0, 1000)
    .replaceAll(/[^\s"'<>(]+@[^\s"'<>)]+/g, '***@***')
    .replaceAll(/\$2[aby]\$\S+|eyJ\S+/g, '***')
    .replaceAll(/\+?\d[\d -]{4,}\d/g, '***')
}
