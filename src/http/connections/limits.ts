import { LIMITS } from '../../../generated/limits.ts'

const { connections, body } = LIMITS
const SECOND_MS = 1000
const MEGABYTE = 1024 * 1024

/** The limits of production. Tests shorten them. */
export const CONNECTION_LIMITS = {
  perNetwork: connections.per_network,
  max: connections.max,
  headMs: connections.head_seconds * SECOND_MS,
  requestMs: connections.request_minutes * 60 * SECOND_MS,
  idleMs: connections.idle_seconds * SECOND_MS,
  /** Over how long the average rate of a request is measured */
  slowMs: connections.slow_seconds * SECOND_MS,
  /** How long a client may take nothing of a response; the average rate is measured over the same time */
  unreadMs: connections.unread_seconds * SECOND_MS,
  bytesPerSecondMin: connections.kilobytes_per_second_min * 1024,
  /** How often connections are checked, by Node and by the watchdog */
  checkMs: SECOND_MS,
  /** How much is discarded of a request that has its response already: a little more than the largest valid body */
  discardedBytesMax: (body.file_form_megabytes + 1) * MEGABYTE,
  /** How long a connection whose write side is closed is still read from, and how long if its client sends nothing */
  lingerMs: 20 * SECOND_MS,
  lingerQuietMs: 2 * SECOND_MS,
}

export type ConnectionLimits = Record<keyof typeof CONNECTION_LIMITS, number>
