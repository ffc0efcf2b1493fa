import { Failure } from '../../domain/failure.ts'
import type { Metrics } from '../../lib/metrics.ts'
import type { Sms } from './index.ts'

/** Counts the messages that no provider has sent, by reason. */
export function countRefusedSms(sms: Sms, metrics: Metrics | undefined): Sms {
  if (!metrics) return sms
  const count = (reason: string, { to }: Parameters<Sms['send']>[0]): void =>
    metrics.count('tawthiq_sms_refused_total', { reason, calling_code: to.callingCode })
  return {
    async send(message) {
      const result = await sms.send(message).catch((error: unknown) => {
        if (error instanceof Failure) count(error.counter?.policy.name ?? error.code, message)
        throw error
      })
      if (result.outcome === 'refused') count('providers', message)
      return result
    },
  }
}
