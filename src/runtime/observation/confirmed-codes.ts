import { callingCodeOf } from '../../adapters/sms/phone-numbers.ts'
import type { Metrics } from '../../lib/metrics.ts'
import type { Store } from '../../store/index.ts'

/** Counts the codes that are confirmed. A repeated confirmation has no event, and does not count. */
export function countConfirmedCodes(store: Store, metrics: Metrics | undefined): Store {
  if (!metrics) return store
  const { phoneVerifications } = store
  return {
    ...store,
    phoneVerifications: {
      ...phoneVerifications,
      async change(about, decide) {
        const decision = await phoneVerifications.change(about, decide)
        if (decision.event?.event === 'phone_confirmed')
          metrics.count('tawthiq_sms_confirmed_total', { calling_code: callingCodeOf(about.phone) })
        return decision
      },
    },
  }
}
