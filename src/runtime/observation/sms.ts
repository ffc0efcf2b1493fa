import { callingCodeOf } from '../../adapters/sms/phone-numbers.ts'
import { NO_METRICS, type Metrics } from '../../lib/metrics.ts'
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
