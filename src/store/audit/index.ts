import type { Clock } from '../../domain/clock.ts'
import { Failure, type ErrorCode } from '../../domain/failure.ts'
import type { AuditEvent, EventName, AuditContext } from '../../domain/audit/audit-context.ts'
import type { Log } from '../../lib/log.ts'
import { runComposed, withParts, type Bind } from '../../database/composed.ts'
import { query, snakeCase } from '../../database/sql.ts'
import type { Database } from '../../database/index.ts'
import type { Claim } from '../../domain/idempotency.ts'
import type { NewMail } from '../../domain/mail.ts'
import type { OutboxOptions } from '../events/outbox.ts'
import { finishUpdate } from '../idempotency/index.ts'
import { mailParts } from '../mails/rows.ts'
import type { AuditEvent as AuditModel } from '../../../generated/prisma/client.ts'

/** The audit events of the error codes that are recorded */
type RefusalNames = Readonly<Partial<Record<ErrorCode, EventName>>>

/** The subject of a rejection, and the e-mails about it */
type About = AuditContext & Pick<AuditEvent, 'accountId'> & Readonly<{ mails?: readonly NewMail[] }>

/** How long equal rejections are not recorded again, if the rejection has no `retryAfterSeconds` */
const QUIET_SECONDS = 60

export type Audit = {
  /**
   * Records an event, together with the e-mails about it.
   *
   * @param claim the request with an Idempotency-Key; nothing is stored if another request has taken it over
   */
  record(event: AuditEvent, mails?: readonly NewMail[], claim?: Claim): Promise<void>
  /**
   * Records a rejection that has an audit event, and throws it again. This process records only the first rejection of
   * an exhausted counter or of a `key`, with its e-mails, so a flood of rejected requests does not fill the audit trail.
   */
  recordRefusal(refusal: unknown, names: RefusalNames, key: string, about: About): Promise<never>
}

/** What is recorded at once */
type Records = Readonly<{ event: AuditEvent; mails: readonly NewMail[]; claim?: Claim | undefined }>

/**
 * Returns the statement that records an event with its e-mails, and finishes the request if it has an Idempotency-Key.
 *
 * @param traceParent the trace of the request, which the delivery of the e-mails continues
 */
function recordStatement({ event, mails, claim }: Records, traceParent: string | null, bind: Bind): string {
  const finished = claim && { name: 'finished', sql: finishUpdate(claim, {}, bind) }
  const from = finished ? 'finished' : '(VALUES (1)) AS one'
  const parts = [...(finished ? [finished] : []), ...mailParts(from, mails, traceParent, bind)]
  if (parts.length === 0) return `INSERT INTO audit_events (${NAMES}) ${valuesSql([event], bind)}`
  return `${withParts(parts)} ${auditInsertFrom(from, [event], bind)}`
}

/** Logs events that a committed statement or transaction has recorded. */
export function logAuditEvents(events: readonly AuditEvent[], log: Log): void {
  for (const event of events) log.info(loggable(event), event.event)
}

type Parts = Pick<Database, 'pool'> & { clock: Clock; log: Log; outbox: OutboxOptions }

/** Records security events in the log and in the audit trail. */
export function audit({ pool, clock, log, outbox }: Parts): Audit {
  const isFirst = dedupe(() => clock.nowMs())

  const write = async (records: Records, policy?: string): Promise<void> => {
    const { event } = records
    log.info({ ...loggable(event), policy }, event.event)
    await runComposed(pool, (bind) => query({}, () => recordStatement(records, outbox.traceParent(), bind)))
  }
  return {
    async record(event, mails = [], claim?) {
      await write({ event, mails, claim })
      if (mails.length > 0) outbox.onCommit('mails')
    },
    async recordRefusal(refusal, names, key, { mails = [], ...about }) {
      const event = refusal instanceof Failure ? names[refusal.code] : undefined
      if (!(refusal instanceof Failure) || event === undefined) throw refusal
      const { counter, retryAfterSeconds = QUIET_SECONDS } = refusal
      const dedupeKey = counter ? `${counter.policy.name} ${counter.key}` : `${event} ${key}`
      if (isFirst(dedupeKey, clock.nowMs() + retryAfterSeconds * 1000)) {
        await write({ event: { event, ...about }, mails }, counter?.policy.name).catch((error: unknown) =>
          log.error({ err: error }, 'audit event of a rejected request could not be recorded'),
        )
      }
      throw refusal
    },
  }
}

/** Removes the reason, because free text may contain personal data. It is stored only in the database. */
function loggable({ reason: _, ...event }: AuditEvent): object {
  return event
}

/** The types of the columns of an event. A member without a column does not compile. */
const TYPES: { readonly [Field in keyof AuditEvent]-?: Field extends keyof AuditModel ? string : never } = {
  event: 'text',
  accountId: 'int',
  actorId: 'int',
  subject: 'text',
  reason: 'text',
  address: 'text',
  requestId: 'text',
}
const FIELDS = Object.keys(TYPES) as (keyof AuditEvent)[] // TYPES has exactly these keys
const NAMES = FIELDS.map(snakeCase).join(', ')

/** Returns the statement that records events in their order, if `from` has a row. */
export function auditInsertFrom(from: string, events: readonly AuditEvent[], bind: Bind): string {
  return `INSERT INTO audit_events (${NAMES}) SELECT v.* FROM ${from}, (${valuesSql(events, bind)}) AS v`
}

/** What the statement of a change knows before it runs; the account may be one that it adds. */
const GIVEN = ['event', 'subject', 'address', 'requestId'] as const satisfies readonly (keyof AuditEvent)[]

/**
 * Returns the statement that records the event of `auditParameters` for each row of `from`. Its text is fixed, so that
 * the statement of a change can include it and still be prepared once.
 *
 * @param at the number of the first of the parameters
 * @param options.accountId an expression over `from`
 */
export function auditInsertForEach(
  at: number,
  { accountId = 'NULL::int', from }: { accountId?: string; from: string },
): string {
  const names = GIVEN.map(snakeCase).join(', ')
  const parameters = GIVEN.map((_, index) => `$${at + index}`).join(', ')
  return `
    INSERT INTO audit_events (${names}, account_id)
    SELECT ${parameters}, ${accountId} FROM ${from}`
}

/** Returns the parameters of `auditInsertForEach`. */
export function auditParameters(event: Omit<AuditEvent, 'accountId'>): unknown[] {
  return GIVEN.map((field) => event[field])
}

function valuesSql(events: readonly AuditEvent[], bind: Bind): string {
  const rows = events.map((event) => FIELDS.map((field) => `${bind(event[field])}::${TYPES[field]}`).join(', '))
  return `VALUES ${rows.map((row) => `(${row})`).join(', ')}`
}

/** Returns whether a key is new. A new key is then remembered until `untilMs`. */
type IsFirst = (key: string, untilMs: number) => boolean

/** The oldest key is removed beyond this number, which limits the memory. */
const KEYS_MAX = 10_000

export function dedupe(nowMs: () => number): IsFirst {
  const seen = new Map<string, number>()
  return (key, untilMs) => {
    if ((seen.get(key) ?? 0) > nowMs()) return false
    seen.delete(key)
    seen.set(key, untilMs)
    const [oldest = key] = seen.keys()
    if (seen.size > KEYS_MAX) seen.delete(oldest)
    return true
  }
}
