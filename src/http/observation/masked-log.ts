import type { Logger } from 'pino'
import { maskAddress } from '../../domain/mask.ts'

/** The fields of log lines that have the address of a client. That of access lines is masked where they are built. */
const FIELDS = ['address', 'network']

/** Returns a log that masks client addresses like access lines, whatever is logged. */
export function maskedLog(log: Logger, { showsClientAddress }: { showsClientAddress: boolean }): Logger {
  const mask = (value: unknown): unknown => (typeof value === 'string' ? maskAddress(value) : value)
  return showsClientAddress
    ? log
    : log.child({}, { serializers: Object.fromEntries(FIELDS.map((field) => [field, mask])) })
}
