// The statements that begin a session, and write its columns.
import { LIMITS } from '../../../generated/limits.ts'
import { column, query, table, type Query } from '../../database/sql.ts'
import type { Bind, Part } from '../../database/composed.ts'
import { auditInsertForEach } from '../audit/index.ts'
import type { ModelChange } from '../changes.ts'
import { HAS_FACTOR } from '../factors/state.ts'
import { endSurplus } from './end.ts'
import { IS_ACTIVE } from './state.ts'

const s = table('Session', 's')

export type Client = Readonly<{ address: string; userAgent: string | undefined }>
export type NewSession = Client & Readonly<{ accountId: number; passwordHash: string }>

/** Columns and values of a session that begins now, from the address `$2` with the user agent `$3` */
export const SESSION_COLUMNS = '(account_id, address, user_agent, created_at, refreshed_at, authenticated_at)'
export const SESSION_VALUES = sessionValues('$2', '$3')

const REPLACING_COLUMNS = SESSION_COLUMNS.replace(')', ', first_id)')

/** Returns the first of the sessions that replaced each other up to the session of a placeholder, as an expression. */
export function firstSessionOf(placeholder: string): string {
  return `(SELECT coalesce(s.first_id, s.id) FROM sessions s WHERE s.id = ${placeholder}::uuid)`
}

function sessionValues(address: string, userAgent: string): string {
  return `${address}, ${userAgent}, service_now(), service_now(), service_now()`
}

/** A client, and the session that its new one replaces */
type SessionPart = Client & Readonly<{ replacedId?: string | undefined }>

/** Returns the part that creates a session of the account of a change. The caller ends sessions beyond the limit. */
export function newSession({ address, userAgent, replacedId }: SessionPart, bind: Bind): Part {
  const first = replacedId === undefined ? 'NULL::uuid' : firstSessionOf(bind(replacedId))
  const values = sessionValues(bind(address), bind(userAgent ?? null))
  const sql = `
    INSERT INTO sessions ${REPLACING_COLUMNS} SELECT t.account_id, ${values}, ${first} FROM target t RETURNING id`
  return { name: 'new_session', sql }
}

/**
 * Creates a session of the account `$1` if its password hash is still `$4` and it has no second factor. A concurrent change
 * of either waits for this statement and then revokes the session, or this statement waits for the change and creates none.
 *
 * @param also further parts of the statement
 */
const beginning = (name: string, also = ''): Query<{ id: string }> =>
  query<{ id: string }>(
    { id: s.id },
    (list) => `
      WITH account AS (
        SELECT id FROM accounts a
        WHERE id = $1 AND status = 'active' AND password_hash = $4 AND NOT ${HAS_FACTOR} FOR SHARE),
      surplus AS (${endSurplus('account', 'id')}),
      s AS (INSERT INTO sessions ${SESSION_COLUMNS} SELECT id, ${SESSION_VALUES} FROM account RETURNING *)${also}
      SELECT ${list} FROM s`,
    name,
  )
export const BEGIN = beginning('begin-session')
/** Also records the login: `$5` to `$8` are those of the audit event. */
export const LOG_IN = beginning('log-in', `, audit AS (${auditInsertForEach(5, { accountId: 'id', from: 'account' })})`)

/**
 * Replaces the session `$5` of the account `$1` with a new one if its password hash is still `$4` and it has no second
 * factor, and records it: `$6` to `$9` are those of the audit event. Returns no row if the session has ended or the account
 * is suspended.
 *
 * The lock of the account makes concurrent changes of it wait. They then see the new session, and can revoke it.
 */
export const REPLACE_OWN = query<{ id: string | null }>(
  { id: column('(SELECT id FROM s)') },
  (list) => `
    WITH own AS (
      SELECT a.id, a.password_hash = $4 AND NOT ${HAS_FACTOR} AS is_same
      FROM accounts a JOIN sessions s ON s.account_id = a.id
      WHERE a.id = $1 AND s.id = $5::uuid AND ${IS_ACTIVE} FOR UPDATE OF a, s),
    account AS (SELECT id FROM own WHERE is_same),
    ended AS (UPDATE sessions SET ended_at = service_now() WHERE id = $5::uuid AND account_id IN (SELECT id FROM account)),
    surplus AS (${endSurplus('account', 'id', 'AND id <> $5::uuid')}),
    s AS (
      INSERT INTO sessions ${REPLACING_COLUMNS} SELECT id, ${SESSION_VALUES}, ${firstSessionOf('$5')} FROM account RETURNING *),
    audit AS (${auditInsertForEach(6, { accountId: 'id', from: 'account' })})
    SELECT ${list} FROM own`,
  'replace-own-session',
)

type Owner = Readonly<{ accountId: number; factorsSince: Date | null; now: Date }>

/** Creates a session in place of one that a new password has ended. The password does not prove a second factor again. */
export async function replaceEndedSession(
  { tx }: ModelChange,
  { accountId, factorsSince, now }: Owner,
  { address, userAgent, replacedId }: Client & { replacedId: string },
): Promise<string> {
  const replaced = await tx.session.findUniqueOrThrow({
    where: { id: replacedId },
    select: { firstId: true, authenticatedAt: true },
  })
  const authenticatedAt = factorsSince === null ? now : replaced.authenticatedAt
  const times = { createdAt: now, refreshedAt: now, authenticatedAt }
  const data = { accountId, address, userAgent: userAgent ?? null, firstId: replaced.firstId ?? replacedId, ...times }
  return (await tx.session.create({ data, select: { id: true } })).id
}

/**
 * Returns the condition that a session `s` began recently in a network, also if it has ended: sessions are stored for longer.
 * It is a range, because an index serves `<<=` only if the network is constant.
 */
export function beganIn(network: string): string {
  return `s.address::inet BETWEEN host(network(${network}::inet))::inet AND host(broadcast(${network}::inet))::inet
    AND s.created_at > service_now() - interval '${LIMITS.login.known_network_days} days'`
}

/**
 * Whether the account `a` has a session from the network `$1` that began recently. Sessions of account 0, which does not exist, are
 * looked up if there is no account, as this takes the same time.
 */
export const IS_KNOWN = `EXISTS (SELECT 1 FROM sessions s WHERE s.account_id = coalesce(a.id, 0) AND ${beganIn('$1')})`

/** Whether an account with a verified number, `$2` unless it is null, logged in from `$1` long enough ago, with what it needs today */
export const IS_TRUSTED = query<{ isTrusted: boolean }>(
  {
    isTrusted: column(`EXISTS (
      SELECT 1 FROM sessions s JOIN accounts a ON a.id = s.account_id
      WHERE ${beganIn('$1')} AND s.created_at < service_now() - interval '${LIMITS.login.trusted_network_hours} hours'
        AND ($2::int IS NULL OR a.id = $2) AND a.status = 'active' AND a.phone_verified_at <= s.created_at
        AND (NOT ${HAS_FACTOR} OR s.created_at > a.factors_since))`),
  },
  (list) => `SELECT ${list}`,
  'is-trusted-network',
)
