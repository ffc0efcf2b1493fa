/** What became of a message that was old enough to count. */
export type MessageOutcome = Readonly<{
  /** The network that requested the message, as a keyed hash */
  network: string
  /** Whether the message was delivered or its code was confirmed */
  hasArrived: boolean
  /** Whether the provider reported that it could not deliver the message */
  hasFailed: boolean
}>

/** The messages of one provider, channel and country since its state last changed, newest first */
export type RecentMessages = Readonly<{
  /** Messages that are older than the time in which most arrive, or have a receipt */
  due: readonly MessageOutcome[]
  /** Messages with a receipt */
  reported: readonly MessageOutcome[]
}>

/** `half_open`: the pause is over, and a few messages test whether the provider delivers again. */
export type ConversionState = 'closed' | 'half_open' | 'open'

export type PauseReason = 'not_delivered' | 'failed'

export type CircuitChange = Readonly<{ next: 'closed' } | { next: 'open'; reason: PauseReason }>

/** So many messages in a row, none of which has arrived, pause a provider. */
export const SILENT_MESSAGES = 30
/** Of so many receipts, … */
export const REPORTED_MESSAGES = 20
/** … so many failures pause a provider. */
export const FAILED_MESSAGES = 10
/** So many trial messages, none of which has arrived, pause the provider again. */
export const TRIAL_MESSAGES = 3
export const PAUSE_SECONDS = 600
/**
 * Only so many messages of one network count in each rule, so that a single network, whose user never confirms a code or
 * enters invalid numbers, cannot pause a provider.
 */
export const NETWORK_MESSAGES = { silent: 10, failed: 4, trial: 1 } as const

/** Decides whether a provider is paused or used again; undefined if its state does not change. */
export function evaluateConversion(
  state: ConversionState,
  { due, reported }: RecentMessages,
): CircuitChange | undefined {
  if (state === 'open') return undefined
  if (state === 'half_open') return evaluateTrial({ due, reported })
  const silent = perNetwork(due, NETWORK_MESSAGES.silent).slice(0, SILENT_MESSAGES)
  if (silent.length === SILENT_MESSAGES && !silent.some(({ hasArrived }) => hasArrived)) {
    return { next: 'open', reason: 'not_delivered' }
  }
  const counted = perNetwork(reported, NETWORK_MESSAGES.failed).slice(0, REPORTED_MESSAGES)
  const failures = counted.filter(({ hasFailed }) => hasFailed)
  return failures.length >= FAILED_MESSAGES ? { next: 'open', reason: 'failed' } : undefined
}

/**
 * Returns whether a provider has as many messages without any sign of arrival as would pause it, if they were older.
 *
 * @param waiting the networks of the messages since the last one that has arrived
 */
export function isWaitedFor(waiting: readonly string[]): boolean {
  const messages = waiting.map((network) => ({ network }))
  return perNetwork(messages, NETWORK_MESSAGES.silent).length >= SILENT_MESSAGES
}

/** One message that arrived is enough, because a provider that fails again is paused again. */
function evaluateTrial({ due, reported }: RecentMessages): CircuitChange | undefined {
  if ([...due, ...reported].some(({ hasArrived }) => hasArrived)) return { next: 'closed' }
  const trial = perNetwork(due, NETWORK_MESSAGES.trial)
  return trial.length >= TRIAL_MESSAGES ? { next: 'open', reason: 'not_delivered' } : undefined
}

/** Returns the messages without those of a network that already has `max` newer ones. */
function perNetwork<Each extends { network: string }>(messages: readonly Each[], max: number): Each[] {
  const counts = new Map<string, number>()
  return messages.filter(({ network }) => {
    const count = (counts.get(network) ?? 0) + 1
    counts.set(network, count)
    return count <= max
  })
}
