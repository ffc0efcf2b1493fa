import { column, pick, query, table } from '../../../database/sql.ts'
import { REPORTED_MESSAGES, SILENT_MESSAGES } from '../../../domain/phones/conversion.ts'
import type { Receipt } from '../../../domain/phones/sms.ts'
import type { Counted, MessageCircuit } from '../rows.ts'

/** The age at which most messages have a receipt, and at which most codes are confirmed, in seconds */
const DUE_SECONDS = { withReceipts: 30, withoutReceipts: 60 }
/** Older messages are not evaluated */
const EVALUATED_HOURS = 24
/** Messages of a network that do not count are read too: so many for one that counts */
const READ_FACTOR = 4

const m = table('SmsMessage', 'm')
const c = table('SmsCircuit', 'c')

/**
 * Adds the circuits of new providers and countries, so that they are evaluated. The receipt of a message that has arrived may be
 * stored already.
 */
export const RECORD = {
  name: 'record-sms',
  text: `
    WITH recorded AS (
      INSERT INTO sms_messages AS m
        (provider, message_key, channel, calling_code, purpose, network, window_id, sent_at, created_at)
      SELECT provider, key, channel, "callingCode", purpose, network, "windowId",
        service_now() - make_interval(secs => "ageSeconds"), service_now()
      FROM jsonb_to_recordset($1::jsonb) AS r(provider text, key text, channel text, "callingCode" text, purpose text,
        network text, "windowId" uuid, "ageSeconds" float)
      ON CONFLICT (provider, message_key) DO UPDATE SET
        channel = coalesce(m.channel, excluded.channel), calling_code = coalesce(m.calling_code, excluded.calling_code),
        purpose = coalesce(m.purpose, excluded.purpose), network = coalesce(m.network, excluded.network),
        window_id = coalesce(m.window_id, excluded.window_id), sent_at = least(m.sent_at, excluded.sent_at)
      RETURNING provider, channel, calling_code, state)
    INSERT INTO sms_circuits AS c (provider, channel, calling_code, changed_at, arrived_at)
    SELECT provider, channel, calling_code, service_now() - interval '${EVALUATED_HOURS} hours',
      max(service_now()) FILTER (WHERE state = 'delivered')
    FROM recorded GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (provider, channel, calling_code) DO UPDATE SET arrived_at = excluded.arrived_at
    WHERE excluded.arrived_at > coalesce(c.arrived_at, '-infinity')`,
}

const COUNTED = { provider: m.provider, callingCode: m.callingCode }

/** Stores that messages of the given rows have arrived, at most once a second. A circuit that is being changed is skipped. */
const arrived = (rows: string): string => `
  UPDATE sms_circuits c SET arrived_at = service_now() FROM (
    SELECT provider, channel, calling_code FROM sms_circuits
    WHERE (provider, channel, calling_code) IN (SELECT provider, channel, calling_code FROM ${rows})
      AND (arrived_at IS NULL OR arrived_at < service_now() - interval '1 second')
    FOR UPDATE SKIP LOCKED) AS found
  WHERE c.provider = found.provider AND c.channel = found.channel AND c.calling_code = found.calling_code`

export const CONFIRM = query<Counted>(
  COUNTED,
  (list) => `
    WITH credited AS (UPDATE sms_messages m SET confirmed_at = last.confirmed_at
    FROM (
      SELECT DISTINCT ON (sent.window_id) sent.id, service_now() - make_interval(secs => r."ageSeconds") AS confirmed_at
      FROM jsonb_to_recordset($1::jsonb) AS r("windowId" uuid, "ageSeconds" float)
      JOIN sms_messages sent ON sent.window_id = r."windowId"
      ORDER BY sent.window_id, sent.sent_at DESC) AS last
    WHERE m.id = last.id AND m.confirmed_at IS NULL
    RETURNING m.provider, m.channel, m.calling_code),
    arrived AS (${arrived('credited')})
    SELECT ${list} FROM credited m`,
  'confirm-sms',
)

/** The enum is in the order of precedence. */
export const RECEIVE = query<Counted & Receipt>(
  { ...COUNTED, key: m.messageKey, state: column('m.state::text') },
  (list) => `
    WITH received AS (INSERT INTO sms_messages AS m (provider, message_key, state, state_at, created_at)
    SELECT $1, key, state::sms_state, service_now(), service_now() FROM jsonb_to_recordset($2::jsonb) AS r(key text, state text)
    ON CONFLICT (provider, message_key) DO UPDATE SET state = excluded.state, state_at = excluded.state_at
    WHERE excluded.state > m.state
    RETURNING m.provider, m.channel, m.calling_code, m.message_key, m.state),
    arrived AS (${arrived(`received WHERE state = 'delivered'`)})
    SELECT ${list} FROM received m`,
  'receive-sms',
)

const OF_ROUTE = 'm.provider = c.provider AND m.channel = c.channel AND m.calling_code = c.calling_code'
const SINCE = `greatest(coalesce(c.retry_at, c.changed_at), service_now() - interval '${EVALUATED_HOURS} hours')`
const DUE_AT = `service_now() - make_interval(secs => CASE WHEN c.provider = ANY ($1::text[])
  THEN ${DUE_SECONDS.withReceipts} ELSE ${DUE_SECONDS.withoutReceipts} END)`

/** Returns an expression for the newest messages of the circuit `c` as JSON. Notices have no code to confirm. */
function outcomes(where: string, order: string, limit: number): string {
  return `(SELECT coalesce(jsonb_agg(jsonb_build_object('network', coalesce(network, ''),
      'hasArrived', state = 'delivered' OR confirmed_at IS NOT NULL, 'hasFailed', state = 'failed')), '[]')
    FROM (SELECT * FROM sms_messages m WHERE ${OF_ROUTE} AND m.sent_at > ${SINCE} AND ${where}
      ORDER BY ${order} DESC LIMIT ${limit}) AS m)`
}

const WAITING = `(SELECT coalesce(jsonb_agg(coalesce(network, '')), '[]')
  FROM (SELECT network FROM sms_messages m
    WHERE ${OF_ROUTE} AND m.sent_at > greatest(${SINCE}, c.arrived_at) AND m.purpose <> 'notice'
    ORDER BY m.sent_at DESC LIMIT ${READ_FACTOR * SILENT_MESSAGES}) AS m)`

export const CIRCUITS = query<MessageCircuit>(
  {
    ...pick(c, 'provider', 'channel', 'callingCode'),
    version: c.changedAt,
    state: column(
      `CASE WHEN c.retry_at IS NULL THEN 'closed' WHEN c.retry_at > service_now() THEN 'open' ELSE 'half_open' END`,
    ),
    due: column(
      outcomes(
        `(m.sent_at <= ${DUE_AT} AND m.purpose <> 'notice' OR m.state <> 'sent')`,
        'm.sent_at',
        READ_FACTOR * SILENT_MESSAGES,
      ),
    ),
    reported: column(outcomes(`m.state <> 'sent'`, 'm.state_at', READ_FACTOR * REPORTED_MESSAGES)),
    waiting: column(WAITING),
  },
  (list) => `SELECT ${list} FROM sms_circuits c`,
  'sms-circuits',
)

/** Of several instances that evaluate the same state, one changes it. The version has the precision of the column. */
const SAME_STATE = 'WHERE provider = $1 AND channel = $2 AND calling_code = $3 AND changed_at = $4'

/** A later time than before, even if two changes fall into a millisecond */
const CHANGED = `greatest(service_now(), changed_at + interval '1 millisecond')`

export const PAUSE = `
  UPDATE sms_circuits SET changed_at = ${CHANGED}, retry_at = service_now() + make_interval(secs => $5::float) ${SAME_STATE}`

export const RESUME = `
  UPDATE sms_circuits SET changed_at = ${CHANGED}, retry_at = NULL ${SAME_STATE}`
