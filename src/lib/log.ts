import { fstatSync } from 'node:fs'
import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino'
import pretty from 'pino-pretty'

/** The part of the log that directories other than http use. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

/** Writes lines of JSON to standard output or to `destination`. */
export function jsonLog(level: string, destination?: DestinationStream): Logger {
  return pino(buildOptions(level), destination ?? standardOutput({ sync: true }))
}

/** Writes readable lines for development. */
export function prettyLog(level: string): Logger {
  return pino(buildOptions(level), pretty({ translateTime: 'SYS:HH:MM:ss' }))
}

/** Returns a function that runs work, and logs the first of several failures in a row. It never rejects. */
export function firstFailureLog(log: Log, message: string): (work: () => Promise<void>) => Promise<void> {
  let isFailing = false
  return async (work) => {
    try {
      await work()
      isFailing = false
    } catch (error) {
      if (!isFailing) log.warn({ err: error }, message)
      isFailing = true
    }
  }
}

/** What pipes and sockets take without lines of other writers between its own: PIPE_BUF, less the longest line */
const SHORT_CHUNK = { length: 3072, maxWrite: 4096 }
/** Files keep writes apart, however long they are. */
const LONG_CHUNK = { length: 61_440, maxWrite: 65_536 }
const FLUSH_MS = 1000
/** Further lines are dropped while standard output is blocked or its disk is full */
const WAITING_BYTES_MAX = 4 * 1024 * 1024

export type AccessLog = { write(line: string): void; flush(): void }

/**
 * Writes access lines to standard output, many at a time and outside of the main thread, so that a reader that is slow
 * never blocks the service. If the process is killed, the lines of the last second are lost.
 */
export function openAccessLog(): AccessLog {
  const output = fstatSync(1)
  const { length, maxWrite } = output.isFIFO() || output.isSocket() ? SHORT_CHUNK : LONG_CHUNK
  const destination = standardOutput({ sync: false, maxWrite })
  let isFailing = false
  destination.on('error', () => (isFailing = true)).on('write', () => (isFailing = false))
  let lines = ''
  const pass = (): void => {
    if (lines !== '') destination.write(lines) // wakes a thread
    lines = ''
  }
  setInterval(pass, FLUSH_MS).unref()
  return {
    write(line) {
      lines += line
      if (lines.length >= length) pass()
    },
    flush() {
      pass()
      if (isFailing)
        destination.destroy() // a flush would try forever
      else destination.flushSync()
    },
  }
}

/**
 * Opens standard output. A failed write, for example to a full disk, neither fails a request nor ends the process: its lines
 * wait for the next write.
 */
function standardOutput(options: Parameters<typeof pino.destination>[0] & object): ReturnType<typeof pino.destination> {
  const destination = pino.destination({ ...options, fd: 1, maxLength: WAITING_BYTES_MAX })
  destination.on('error', () => undefined)
  destination.on('drop', () => destination.write('')) // tries again to write the lines that wait
  return destination
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
export function redactPersonalData(message: string): string {
  return message
    .slice(0, 1000)
    .replaceAll(/[^\s"'<>(]+@[^\s"'<>)]+/g, '***@***')
    .replaceAll(/\$2[aby]\$\S+|eyJ\S+/g, '***')
    .replaceAll(/\+?\d[\d -]{4,}\d/g, '***')
}
