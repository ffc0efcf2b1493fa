import { column, pick, query, queryRows, table } from '../../database/sql.ts'
import { mergeReceipts, type ConfirmedCode, type Receipt, type SentMessage } from '../../domain/phones/sms.ts'
import type { ConversionHour, Counted, MessageCircuit, PausedProvider } from './rows.ts'
import { PAUSE, RESUME, CIRCUITS, CONFIRM, RECEIVE, RECORD } from './sql/messages.ts'
import type { StoreParts } from '../changes.ts'

/** Delivery and confirmation of messages, for statistics and for pauses of providers. */
export type SmsMessages = {
  /** Stores messages that providers have received. A receipt may have arrived before. */
  record(messages: readonly SentMessage[]): Promise<void>
  /** Credits the last message of each verification with the confirmation, and returns these messages. */
  confirm(codes: readonly ConfirmedCode[]): Promise<Counted[]>
  /**
   * Stores receipts, in any order and any number of times: the state of a message only moves forward. Returns the
   * messages whose state has changed.
   */
  receive(provider: string, receipts: readonly Receipt[]): Promise<(Counted & Receipt)[]>
  /**
   * Returns the state of each provider by channel and country, with the messages since it last changed.
   *
   * @param withReceipts the providers that send receipts, whose messages are evaluated earlier
   */
  circuits(withReceipts: readonly string[]): Promise<MessageCircuit[]>
  /** Pauses a provider, and returns whether its state was still the given one. */
  pause(circuit: MessageCircuit, seconds: number): Promise<boolean>
  /** Ends a pause, and returns whether the state was still the given one. */
  resume(circuit: MessageCircuit): Promise<boolean>
  /** Returns the conversion of the last hours by provider, channel and country, newest first. */
  hours(hours: number): Promise<ConversionHour[]>
  /** Returns the providers that are paused. */
  paused(): Promise<PausedProvider[]>
}

export function smsMessages({ pool, clock }: StoreParts): SmsMessages {
  const secondsSince = (atMs: number): number => (clock.nowMs() - atMs) / 1000
  const change = async (text: string, circuit: MessageCircuit, ...values: number[]): Promise<boolean> => {
    const { provider, channel, callingCode, version } = circuit
    const { rowCount } = await pool.query(text, [provider, channel, callingCode, version, ...values])
    return rowCount === 1
  }
  return {
    async record(messages) {
      const rows = messages.map(({ sentAtMs, ...message }) => ({ ...message, ageSeconds: secondsSince(sentAtMs) }))
      await pool.query({ ...RECORD, values: [JSON.stringify(uniqueByKey(rows))] })
    },
    confirm: (codes) =>
      queryRows(
        pool,
        CONFIRM,
        JSON.stringify(
          codes.map(({ windowId, confirmedAtMs }) => ({ windowId, ageSeconds: secondsSince(confirmedAtMs) })),
        ),
      ),
    receive: (provider, receipts) => queryRows(pool, RECEIVE, provider, JSON.stringify(mergeReceipts(receipts))),
    circuits: (withReceipts) => queryRows(pool, CIRCUITS, withReceipts),
    pause: (circuit, seconds) => change(PAUSE, circuit, seconds),
    resume: (circuit) => change(RESUME, circuit),
    hours: (hours) => queryRows(pool, HOURS, hours),
    paused: () => queryRows(pool, PAUSED),
  }
}

/** Returns the first row of each message, in the order of the keys: concurrent statements lock rows in the same order. */
function uniqueByKey<Each extends Pick<SentMessage, 'provider' | 'key'>>(rows: readonly Each[]): Each[] {
  const unique = new Map<string, Each>()
  for (const row of rows) {
    const key = `${row.provider} ${row.key}`
    if (!unique.has(key)) unique.set(key, row)
  }
  return [...unique].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
}

const m = table('SmsMessage', 'm')
const c = table('SmsCircuit', 'c')

const PAUSED = query<PausedProvider>(
  {
    ...pick(c, 'provider', 'channel', 'callingCode'),
    retryAt: column('c.retry_at'),
    isOver: column(`c.retry_at <= service_now()`),
  },
  (list) => `SELECT ${list} FROM sms_circuits c WHERE c.retry_at IS NOT NULL ORDER BY 1, 2, 3`,
)

export const HOURS = query<ConversionHour>(
  {
    hour: column(`date_trunc('hour', m.sent_at)`),
    provider: m.provider,
    channel: column('m.channel'),
    callingCode: column('m.calling_code'),
    sent: column('count(*)::int'),
    delivered: column(`count(*) FILTER (WHERE m.state = 'delivered')::int`),
    failed: column(`count(*) FILTER (WHERE m.state = 'failed')::int`),
    confirmed: column('count(m.confirmed_at)::int'),
    medianSeconds: column(
      `percentile_cont(0.5) WITHIN GROUP (ORDER BY greatest(0, extract(epoch FROM m.state_at - m.sent_at)::float))
        FILTER (WHERE m.state = 'delivered')`,
    ),
  },
  (list) => `SELECT ${list} FROM sms_messages m WHERE m.sent_at > service_now() - make_interval(hours => $1::int)
    GROUP BY 1, 2, 3, 4 ORDER BY 1 DESC, 2, 3, 4`,
)
