import type { RecordSms } from '../../adapters/sms/decorators.ts'
import type { Clock } from '../../domain/clock.ts'
import type { ConfirmedCode, SentMessage } from '../../domain/phones/sms.ts'
import { firstFailureLog, type Log } from '../../lib/log.ts'
import { NO_METRICS, type Metrics } from '../../lib/metrics.ts'
import type { SmsMessages } from '../../store/sms/index.ts'

/** Waiting records: some minutes of many messages. More are not recorded. */
const WAITING_MAX = 10_000
const ROWS_AT_ONCE = 500
/** Longer than other instances take to store the message of a code */
const CONFIRMATION_DELAY_MS = 2000

type SmsRecorder = {
  sent: RecordSms
  confirmed(windowId: string): void
  /** Stores what is due, or everything. Never throws: what cannot be stored is stored later. */
  flush(isEverything?: boolean): Promise<void>
}

export type ConversionDependencies = { smsMessages: SmsMessages; clock: Clock; log: Log; metrics?: Metrics | undefined }

/**
 * Records messages and confirmations in the background, so that requests do not wait for it. What was not stored is lost
 * if the process is killed: it serves statistics only.
 */
export function smsRecorder({ smsMessages, clock, log, metrics = NO_METRICS }: ConversionDependencies): SmsRecorder {
  let sent: SentMessage[] = []
  let confirmed: ConfirmedCode[] = []
  let flushing = Promise.resolve()
  const tryToStore = firstFailureLog(log, 'sent SMS could not be recorded, and are recorded later')

  const storeSent = async (): Promise<void> => {
    while (sent.length > 0) {
      const batch = sent.slice(0, ROWS_AT_ONCE)
      await smsMessages.record(batch)
      sent = sent.slice(batch.length)
    }
  }
  const storeConfirmed = async (untilMs: number): Promise<void> => {
    const due = confirmed.filter(({ confirmedAtMs }) => confirmedAtMs <= untilMs)
    for (let from = 0; from < due.length; from += ROWS_AT_ONCE) {
      const batch = due.slice(from, from + ROWS_AT_ONCE)
      const credited = await smsMessages.confirm(batch)
      confirmed = confirmed.filter((each) => !batch.includes(each))
      for (const { provider, callingCode } of credited)
        metrics.count('tawthiq_sms_conversions_total', { provider, calling_code: callingCode ?? 'unknown' })
    }
  }
  const store = async (isEverything: boolean): Promise<void> => {
    await storeSent()
    await storeConfirmed(isEverything ? Infinity : clock.nowMs() - CONFIRMATION_DELAY_MS)
  }
  const hasRoom = (): boolean => {
    const isFull = sent.length + confirmed.length >= WAITING_MAX
    if (isFull) metrics.count('tawthiq_sms_records_lost_total', {})
    return !isFull
  }
  return {
    sent(message) {
      if (hasRoom()) sent.push({ ...message, sentAtMs: clock.nowMs() })
    },
    confirmed(windowId) {
      if (hasRoom()) confirmed.push({ windowId, confirmedAtMs: clock.nowMs() })
    },
    flush(isEverything = false) {
      if (sent.length === 0 && confirmed.length === 0) return flushing
      return (flushing = flushing.then(() => tryToStore(() => store(isEverything))))
    },
  }
}
