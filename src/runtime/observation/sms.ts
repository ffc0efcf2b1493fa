import { callingCodeOf } from '../../adapters/sms/phone-numbers.ts'
import { NO_METRICS, type Metrics } from '../../lib/metrics.ts'
import type { Log } from '../../lib/log.ts'
import type { Store } from '../../store/index.ts'

type Observers = {
  metrics: Metrics | undefined
  /** Receives the verification of each confirmed code */
  onConfirmed: ((windowId: string) => void) | undefined
}

/** Counts confirmed codes and receipts. A repeated confirmation has no event, and does not count. */
export function observeSms(store: Store, { metrics, onConfirmed }: Observers): Store {
  if (!metrics && !onConfirmed) return store
  const { count } = metrics ?? NO_METRICS
  const { phoneVerifications, smsMessages } = store
  return {
    ...store,
    phoneVerifications: {
      ...phoneVerifications,
      async change(about, decide) {
        const decision = await phoneVerifications.change(about, decide)
        if (decision.event?.event === 'phone_confirmed') {
          count('tawthiq_sms_confirmed_total', { calling_code: callingCodeOf(about.phone) })
          if (decision.next) onConfirmed?.(decision.next.windowId)
        }
        return decision
      },
    },
    smsMessages: {
      ...smsMessages,
      async receive(provider, receipts) {
        const changed = await smsMessages.receive(provider, receipts)
        for (const { callingCode, state } of changed) {
          count('tawthiq_sms_receipts_total', { provider, calling_code: callingCode ?? 'unknown', state })
        }
        return changed
      },
    },
  }
}

/** Digits of a prefix after the calling code */
const PREFIX_DIGITS = 2
/** Bounds what hostile numbers cost. */
const PREFIXES_MAX = 1000

/**
 * Returns a function that counts the numbers that belong to no known range, by their prefix and length. It logs the counts 10, 100,
 * 1,000 and so on, because libphonenumber learns of new ranges later than their users.
 */
export function countRejectedNumbers(log: Pick<Log, 'warn'>): (e164: string) => void {
  const counts = new Map<string, number>()
  return (e164) => {
    const prefix = e164.slice(0, 1 + callingCodeOf(e164).length + PREFIX_DIGITS)
    const range = prefix.padEnd(e164.length, 'x')
    const count = (counts.get(range) ?? 0) + 1
    if (count === 1 && counts.size >= PREFIXES_MAX) return
    counts.set(range, count)
    if (!/^10+$/.test(String(count))) return
    log.warn(
      { range, count },
      'Phone numbers of an unknown range were rejected. If it is in use, add it to PHONE_NUMBER_RANGES',
    )
  }
}
