import type pg from 'pg'
import type { Bearer } from '../../../src/domain/accounts/account.ts'
import { addPastMonths } from '../../../test/support/service/audit-months.ts'

/** An account that is measured */
export type Subject = Readonly<{ email: string; phone: string; bearer: Bearer }>

const DOMAINS = `ARRAY['gmail.com', 'hotmail.com', 'outlook.sa', 'example.org']`
const FIRST = `ARRAY['محمد', 'أحمد', 'عبدالله', 'عبدالرحمن', 'سعد', 'خالد', 'فهد', 'نورة', 'سارة', 'فاطمة', 'علي', 'ريم']`
const LAST = `ARRAY['القحطاني', 'الشهري', 'الغامدي', 'الزهراني', 'العتيبي', 'المطيري', 'الدوسري', 'الحربي', 'Smith', 'Khan']`
const EVENTS = `ARRAY['login', 'login', 'login', 'login_failed', 'profile_updated', 'otp_sent', 'logout', 'registered']`
const TYPES = `ARRAY['account.registered', 'profile.updated', 'profile.updated', 'phone.confirmed', 'account.suspended']`

/** Returns an SQL expression for a member of an array. It looks random, but is the same in every run. */
const oneOf = (array: string, seed: number): string =>
  `(${array})[1 + abs(hashint4(i * 31 + ${seed})::bigint) % cardinality(${array})]`

/** Rows for each account. Half of the events are waiting. */
const SESSIONS_EACH = 3
const AUDIT_EVENTS_EACH = 10
const EVENTS_EACH = 2
/** The number of ended sessions of one account, for each million accounts */
const SESSIONS_OF_ONE = 130_000
/** The share of rows that retention deletes: audit events and webhook events of the first days of this period */
const AUDIT_DAYS = 370
/** Months of the audit trail with a partition of their own; no less than these days */
const AUDIT_MONTHS = 13
const EVENT_DAYS = 31
const SUBJECTS = 6

/** Fills a database that has only the demo accounts. Returns accounts that are measured. */
export async function fill(pool: pg.Pool, accounts: number): Promise<Subject[]> {
  const client = await pool.connect()
  try {
    await client.query(`SET statement_timeout = 0; SET maintenance_work_mem = '256MB'`)
    const indexes = await takeIndexes(client)
    const { rows } = await client.query<{ first: number }>(`SELECT max(id) + 1 AS first FROM accounts`)
    const first = rows[0]?.first ?? 1
    await addPastMonths((sql) => unlimited(client, sql), AUDIT_MONTHS)
    for (const statement of statements(first, accounts)) await unlimited(client, statement)
    for (const index of indexes) await unlimited(client, index)
    await unlimited(client, 'VACUUM ANALYZE')
    return await chooseSubjects(client, first, accounts)
  } finally {
    client.release(true) // closes the connection with its settings
  }
}

/** Drops the indexes, which are filled faster when they are created again. Returns the statements that create them. */
async function takeIndexes(client: pg.PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ name: string; sql: string }>(
    `SELECT indexrelid::regclass::text AS name, replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') AS sql FROM pg_index
     WHERE NOT indisunique AND indrelid = ANY ('{accounts, audit_events, events, profiles, sessions}'::regclass[])`,
  )
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`)
  return rows.map(({ sql }) => sql)
}

function unlimited(client: pg.PoolClient, text: string): Promise<unknown> {
  const config: pg.QueryConfig & { query_timeout: number } = { text, query_timeout: 2 ** 31 - 1 }
  return client.query(config)
}

/** Returns the statements that add accounts with profiles and sessions, also to the database of the last release. */
export function people(first: number, accounts: number): string[] {
  const ids = `generate_series(${first}, ${first + accounts - 1}) AS i`
  return [
    `INSERT INTO accounts (id, email, phone, phone_code, phone_verified_at, password_hash, account_type, status, created_at)
     SELECT i, chr(97 + i % 26) || 'user' || abs(hashint4(i)::bigint) || '@' || ${oneOf(DOMAINS, 1)}, '+9665' || lpad(i::text, 8, '0'), '966',
       now(), '-', (CASE WHEN i % 10 = 0 THEN 'lawyer' ELSE 'client' END)::"AccountType",
       (CASE WHEN i % 50 = 0 THEN 'suspended' ELSE 'active' END)::"AccountStatus",
       now() - interval '2 years' * (1 - (i - ${first})::float8 / ${accounts}) FROM ${ids}`,
    `SELECT setval('accounts_id_seq', ${first + accounts})`,
    `INSERT INTO profiles (account_id, name)
     SELECT i, ${oneOf(FIRST, 2)} || ' ' || ${oneOf(FIRST, 3)} || ' ' || ${oneOf(LAST, 4)} FROM ${ids}`,
    `INSERT INTO sessions (account_id, address, created_at, refreshed_at, ended_at)
     SELECT ${first} + (i - ${first}) / ${SESSIONS_EACH}, '10.' || i % 200 || '.' || i % 250 || '.1', at, at, CASE WHEN i % 2 = 0 THEN at END
     FROM generate_series(${first}, ${first + SESSIONS_EACH * accounts - 1}) AS i,
       LATERAL (SELECT now() - interval '91 days' * (abs(hashint4(i)::bigint) % 1000) / 1000 AS at) AS t`,
    `INSERT INTO lawyer_profiles (account_id, first_name, second_name, fourth_name, about, national_id, identity_type, birth_date,
       degree_id, general_specialty_id, accurate_specialty_id, functional_case_id, review_status)
     SELECT i, 'محمد', 'سعد', 'الحربي', '-', (1000000000 + i)::text, 1, '1990-01-01', 1, 1, 102, 1,
       (CASE WHEN i % 200 = 0 THEN 'pending' WHEN i % 30 = 0 THEN 'rejected' ELSE 'approved' END)::"ReviewStatus"
     FROM ${ids} WHERE i % 10 = 0`,
    `INSERT INTO lawyer_licences (account_id, section_id, licence_no)
     SELECT i, (SELECT min(id) FROM digital_guide_sections), '38/' || i FROM ${ids} WHERE i % 10 = 0`,
    `INSERT INTO lawyer_languages (account_id, language_id)
     SELECT i, language FROM ${ids}, unnest(ARRAY[8, 40]) AS language WHERE i % 10 = 0`,
    `INSERT INTO files (account_id, kind, key, type, bytes)
     SELECT i, 'profile_photo', 'account/' || i, 'image/jpeg', 1000 FROM ${ids} WHERE i % 5 = 0`,
  ]
}

/** Returns accounts with an open session, from the oldest to the newest. The first has very many ended sessions. */
async function chooseSubjects(client: pg.PoolClient, first: number, accounts: number): Promise<Subject[]> {
  const subjects: Subject[] = []
  for (let place = 0; place < SUBJECTS; place++) {
    const { rows } = await client.query<Subject>(
      `SELECT a.email, a.phone, json_build_object('accountId', a.id, 'sessionId', s.id) AS bearer
       FROM accounts a JOIN sessions s ON s.account_id = a.id
       WHERE a.id >= $1 AND a.status = 'active' AND s.ended_at IS NULL AND a.deletion_due_at IS NULL
       ORDER BY a.id LIMIT 1`,
      [first + Math.floor((place * accounts * 0.99) / SUBJECTS)],
    )
    subjects.push(...rows)
  }
  return subjects
}

function statements(first: number, accounts: number): string[] {
  const account = `${first} + (abs(hashint4(i)::bigint) % ${accounts})::int`
  return [
    ...people(first, accounts),
    `INSERT INTO sessions (account_id, address, ended_at)
     SELECT ${first}, '10.1.2.' || i % 250, now() FROM generate_series(1, ${Math.round((SESSIONS_OF_ONE * accounts) / 1e6)}) AS i`,
    `INSERT INTO audit_events (at, event, account_id, actor_id, subject, address)
     SELECT now() - interval '${AUDIT_DAYS} days' * (1 - i::float8 / ${AUDIT_EVENTS_EACH * accounts}), ${oneOf(EVENTS, 5)},
       CASE WHEN i % 20 > 0 THEN ${account} END, CASE WHEN i % 500 = 1 THEN 3 END,
       CASE WHEN i % 20 = 0 THEN chr(97 + i / 20 % 26) || '***@' || i % 997 || '.example' END, '10.1.2.3'
     FROM generate_series(1, ${AUDIT_EVENTS_EACH * accounts}) AS i`,
    `INSERT INTO events (type, account_id, data, at, attempts, delivered_at, next_attempt_at)
     SELECT ${oneOf(TYPES, 7)}, ${account}, '{}', at, CASE WHEN i % 2 > 0 OR i % 1000 = 0 THEN 1 ELSE 0 END,
       CASE WHEN i % 2 > 0 THEN at END, CASE WHEN i % 5000 = 1 THEN at END
     FROM generate_series(1, ${EVENTS_EACH * accounts}) AS i,
       LATERAL (SELECT now() - interval '${EVENT_DAYS} days' * (1 - i::float8 / ${EVENTS_EACH * accounts}) AS at) AS t`,
    `UPDATE accounts SET deletion_due_at = now() - interval '1 hour' WHERE id IN (${first + 7}, ${first + 9})`,
  ]
}
