import type { QueuedMail as Row } from '../../../generated/prisma/client.ts'
import { column, narrowed, pick, query, queryRows, table, type Driver } from '../../database/sql.ts'
import type { DueMail } from '../../domain/mail.ts'
import { LEASE_END } from '../leases.ts'

/** A longer flood is several digests, so that none needs much memory. */
const DIGESTED_MAX = 1000

const m = table('QueuedMail', 'm')

type Taken = Omit<DueMail, 'sealed' | 'takenAt' | 'others'> & Pick<Row, 'payload' | 'digestFor'> & { takenAt: Date }

const HAS_TOKEN = ['password_resets', 'email_tokens']
  .map((name) => `EXISTS (SELECT 1 FROM ${name} t WHERE t.token_hash = m.token_hash)`)
  .join(' OR ')

/**
 * The notices of the account and the recipient of `f` that are sent as one digest. Those that were tried before stay
 * together, because the digest has a Message-ID.
 */
const sameDigest = (f: string, first: string): string =>
  `${f}.account_id = ${first}.account_id AND ${f}.digest_for = ${first}.digest_for AND ${f}.attempts = ${first}.attempts`

/**
 * Takes the first notice of a digest, and the others with it. No other process takes those alone, because they are not the
 * first ones, also while the first one is being sent. With the array, PostgreSQL runs the subquery once.
 */
const TAKE = query<Taken>(
  {
    ...pick(m, 'id', 'messageId', 'accountId', 'topic', 'attempts', 'payload', 'digestFor', 'createdAt'),
    hasToken: column('m.token_hash IS NOT NULL'),
    traceParent: m.traceParent,
    takenAt: narrowed<Date | null, Date>(m.lastAttemptAt), // set by this statement
    secondsLeft: column(`extract(epoch FROM m.expires_at - service_now())::float`),
    isObsolete: column(`(m.token_hash IS NOT NULL AND NOT (${HAS_TOKEN}))`),
  },
  (list) => `
    WITH due AS MATERIALIZED (
      SELECT d.id, d.account_id, d.digest_for, d.attempts FROM mail_outbox d
      WHERE d.next_attempt_at <= service_now() AND (d.digest_for IS NULL OR NOT EXISTS (
        SELECT 1 FROM mail_outbox f WHERE ${sameDigest('f', 'd')} AND f.id < d.id))
      ORDER BY d.next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED),
    others AS MATERIALIZED (
      SELECT o.id FROM due d JOIN mail_outbox o ON ${sameDigest('o', 'd')} AND o.id > d.id
      ORDER BY o.id LIMIT ${DIGESTED_MAX} FOR UPDATE OF o SKIP LOCKED)
    UPDATE mail_outbox m SET attempts = attempts + 1, last_attempt_at = service_now(), last_failure = NULL,
      next_attempt_at = ${LEASE_END}
    WHERE id = ANY (ARRAY(SELECT id FROM due UNION ALL SELECT id FROM others))
    RETURNING ${list}`,
  'take-due-mails',
)

/** Takes e-mails that are due. */
export async function takeDue(driver: Driver, limit: number): Promise<DueMail[]> {
  const rows = await queryRows(driver, TAKE, limit)
  const byDigest = new Map<string, Taken[]>()
  for (const row of rows) {
    const { id, accountId, digestFor, attempts } = row
    const key = digestFor === null ? String(id) : `${accountId} ${digestFor} ${attempts}`
    byDigest.set(key, [...(byDigest.get(key) ?? []), row])
  }
  return [...byDigest.values()].flatMap(toDueMail)
}

/** A digest expires with the last of its notices. */
function toDueMail(rows: Taken[]): DueMail[] {
  const [first, ...others] = rows
    .map(({ payload, digestFor: _, ...row }) => ({ ...row, sealed: payload ?? new Uint8Array() }))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
  return first ? [{ ...first, others, secondsLeft: Math.max(...rows.map(({ secondsLeft }) => secondsLeft)) }] : []
}

/** The e-mails that wait for the mail server. Notices that wait for their digest, or for another login, do not. */
const IS_HELD = `digest_for IS NOT NULL OR topic = 'half_login_request'`
export const IS_WAITING = `next_attempt_at IS NOT NULL AND (attempts > 0 OR NOT (${IS_HELD}))`
