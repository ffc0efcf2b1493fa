import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino'
import pretty from 'pino-pretty'

/** The part of the log that directories other than http use. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

/** Writes lines of JSON to standard output or to `destination`. */
export function jsonLog(level: string, destination?: DestinationStream): Logger {
  return destination ? pino(buildOptions(level), destination) : pino(buildOptions(level))
}

/** Writes readable lines for development. */
export function prettyLog(level: string): Logger {
  return pino(buildOptions(level), pretty({ translateTime: 'SYS:HH:MM:ss' }))
}

function buildOptions(level: string): LoggerOptions {
  return { level, base: null, serializers: { err: serializeError } }
}

const CAUSES_MAX = 4

/** Returns the loggable parts of an error. Messages of databases and parsers can contain personal data. */
function serializeError(error: unknown, depth = 0): object {
  if (!(error instanceof Error)) return { type: typeof error }
  const { name, message, stack = '', cause } = error
  const code = 'code' in error ? String(error.code) : undefined
  return {
    type: name,
    ...(code !== undefined && { code }),
    message: redactPersonalData(message),
    stack: stack
      .split('\n')
      .filter((line) => line.startsWith('    at '))
      .join('\n'),
    ...(cause !== undefined && depth < CAUSES_MAX && { cause: serializeError(cause, depth + 1) }),
  }
}

/** Masks e-mail addresses, hashes, tokens and long numbers. */
function redactPersonalData(message: string): string {
  return message
    .slice(0, 1000)
    .replaceAll(/[^\s"'<>(]+@[^\s"'<>)]+/g, '***@***')
    .replaceAll(/\$2[aby]\$\S+|eyJ\S+/g, '***')
    .replaceAll(/\+?\d[\d -]{4,}\d/g, '***')
}
