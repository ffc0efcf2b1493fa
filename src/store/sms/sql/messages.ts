import { column, select, table } from '../../../database/columns.ts'
import { NOW } from '../../../database/now.ts'
import { query } from '../../../database/query.ts'
import { REPORTED_MESSAGES, SILENT_MESSAGES } from '../../../domain/phones/conversion.ts'
import type { Receipt } from '../../../domain/phones/sms-messages.ts'
import type { ConversionHour, Counted, MessageCircuit, PausedProvider } from '../rows.ts'

/** The age at which most messages have a receipt, and at which most codes are confirmed, in seconds */
const DUE_SECONDS = { withReceipts: 30, withoutReceipts: 60 }
/** Older messages are not judged */
const JUDGED_HOURS = 24
/** Messages of a network that do not count are read too: so many for one that counts */
const READ_FACTOR = 4

const m = table('SmsMessage', 'm')
const c = table('SmsCircuit', 'c')

/** Adds the circuits of new providers and countries, so that they are judged. */
export const RECORD = {
  name: 'record-sms',
  text: `
    WITH recorded AS (
      INSERT INTO sms_messages AS m
        (provider, message_key, channel, calling_code, purpose, network, window_id, sent_at, created_at)
      SELECT provider, key, channel, "callingCode", purpose, network, "windowId",
        ${NOW} - make_interval(secs => "ageSeconds"), ${NOW}
      FROM jsonb_to_recordset($2::jsonb) AS r(provider text, key text, channel text, "callingCode" text, purpose text,
        network text, "windowId" uuid, "ageSeconds" float)
      ON CONFLICT (provider, message_key) DO UPDATE SET
        channel = coalesce(m.channel, excluded.channel), calling_code = coalesce(m.calling_code, excluded.calling_code),
        purpose = coalesce(m.purpose, excluded.purpose), network = coalesce(m.network, excluded.network),
        window_id = coalesce(m.window_id, excluded.window_id), sent_at = least(m.sent_at, excluded.sent_at)
      RETURNING provider, channel, calling_code)
    INSERT INTO sms_circuits (provider, channel, calling_code, changed_at)
    SELECT DISTINCT provider, channel, calling_code, ${NOW} - interval '${JUDGED_HOURS} hours' FROM recorded
    ON CONFLICT DO NOTHING`,
}

const COUNTED = { provider: m.provider, callingCode: m.callingCode }

export const CONFIRM = query(
  select<Counted>(COUNTED),
  (list) => `
    UPDATE sms_messages m SET confirmed_at = last.confirmed_at
    FROM (
      SELECT DISTINCT ON (sent.window_id) sent.id, ${NOW} - make_interval(secs => r."ageSeconds") AS confirmed_at
      FROM jsonb_to_recordset($2::jsonb) AS r("windowId" uuid, "ageSeconds" float)
      JOIN sms_messages sent ON sent.window_id = r."windowId"
      ORDER BY sent.window_id, sent.sent_at DESC) AS last
    WHERE m.id = last.id AND m.confirmed_at IS NULL
    RETURNING ${list}`,
  'confirm-sms',
)

/** The enum is in the order of precedence. */
export const RECEIVE = query(
  select<Counted & Receipt>({ ...COUNTED, key: m.messageKey, state: column('m.state::text') }),
  (list) => `
    INSERT INTO sms_messages AS m (provider, message_key, state, state_at, created_at)
    SELECT $2, key, state::sms_state, ${NOW}, ${NOW} FROM jsonb_to_recordset($3::jsonb) AS r(key text, state text)
    ON CONFLICT (provider, message_key) DO UPDATE SET state = excluded.state, state_at = excluded.state_at
    WHERE excluded.state > m.state
    RETURNING ${list}`,
  'receive-sms',
)

const OF_ROUTE = 'm.provider = c.provider AND m.channel = c.channel AND m.calling_code = c.calling_code'
const SINCE = `greatest(coalesce(c.retry_at, c.changed_at), ${NOW} - interval '${JUDGED_HOURS} hours')`
const DUE_AT = `${NOW} - make_interval(secs => CASE WHEN c.provider = ANY ($2::text[])
  THEN ${DUE_SECONDS.withReceipts} ELSE ${DUE_SECONDS.withoutReceipts} END)`

/** Returns an expression for the newest messages of the circuit `c` as JSON. Notices have no code to confirm. */
function outcomes(where: string, order: string, limit: number): string {
  return `(SELECT coalesce(jsonb_agg(jsonb_build_object('network', coalesce(network, ''),
      'hasArrived', state = 'delivered' OR confirmed_at IS NOT NULL, 'hasFailed', state = 'failed')), '[]')
    FROM (SELECT * FROM sms_messages m WHERE ${OF_ROUTE} AND m.sent_at > ${SINCE} AND ${where}
      ORDER BY ${order} DESC LIMIT ${limit}) AS m)`
}

export const CIRCUITS = query(
  select<MessageCircuit>({
    provider: c.provider,
    channel: c.channel,
    callingCode: c.callingCode,
    version: c.changedAt,
    state: column(
      `CASE WHEN c.retry_at IS NULL THEN 'closed' WHEN c.retry_at > ${NOW} THEN 'open' ELSE 'half_open' END`,
    ),
    due: column(
      outcomes(
        `(m.sent_at <= ${DUE_AT} AND m.purpose <> 'notice' OR m.state <> 'sent')`,
        'm.sent_at',
        READ_FACTOR * SILENT_MESSAGES,
      ),
    ),
    reported: column(outcomes(`m.state <> 'sent'`, 'm.state_at', READ_FACTOR * REPORTED_MESSAGES)),
  }),
  (list) => `SELECT ${list} FROM sms_circuits c`,
  'sms-circuits',
)

export const PAUSED = query(
  select<PausedProvider>({
    provider: c.provider,
    channel: c.channel,
    callingCode: c.callingCode,
    retryAt: column('c.retry_at'),
    isOver: column(`c.retry_at <= ${NOW}`),
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
  (list) => `SELECT ${list} FROM sms_messages m WHERE m.sent_at > ${NOW} - make_interval(hours => $2::int)
    GROUP BY 1, 2, 3, 4 ORDER BY 1 DESC, 2, 3, 4`,
)
