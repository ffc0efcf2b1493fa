import { pino, type Logger, type LoggerOptions } from 'pino'
import pretty from 'pino-pretty'

/** What rooms other than http need of the log. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

/** Lines of JSON in production, lines for people elsewhere. */
export function openLog(level: string, isProduction: boolean): Logger {
  const options: LoggerOptions = { level, base: null, serializers: { err: allowedOfError, req: () => undefined, res: () => undefined } }
  return isProduction ? pino(options) : pino(options, pretty({ ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' }))
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
    stack: stack.split('\n').filter((line) => line.startsWith('    at ')).join('\n'),
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
