import { column, select, table } from '../../../database/columns.ts'
import { query } from '../../../database/query.ts'
import type { ConversionHour, PausedProvider } from '../rows.ts'

const m = table('SmsMessage', 'm')
const c = table('SmsCircuit', 'c')

export const PAUSED = query(
  select<PausedProvider>({
    provider: c.provider,
    channel: c.channel,
    callingCode: c.callingCode,
    retryAt: column('c.retry_at'),
    isOver: column(`c.retry_at <= service_now()`),
  }),
  (list) => `SELECT ${list} FROM sms_circuits c WHERE c.retry_at IS NOT NULL ORDER BY 1, 2, 3`,
)

const HOUR = `date_trunc('hour', m.sent_at)`

export const HOURS = query(
  select<ConversionHour>({
    hour: column(HOUR),
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
  }),
  (list) => `SELECT ${list} FROM sms_messages m WHERE m.sent_at > service_now() - make_interval(hours => $1::int)
    GROUP BY 1, 2, 3, 4 ORDER BY 1 DESC, 2, 3, 4`,
)
