import type { Prisma } from '../../../generated/prisma/client.ts'
import type { Clock } from '../../domain/clock.ts'
import { Failure, type ErrorCode } from '../../domain/failure.ts'
import type { AuditEvent, EventName, AuditContext } from '../../domain/audit/audit-context.ts'
import type { Log } from '../../lib/log.ts'
import { runCommand, type Bind } from '../../database/composed.ts'
import type { Database } from '../../database/index.ts'
import type { Executor } from '../../database/query.ts'
import type { Claim } from '../../domain/idempotency.ts'
import type { NewMail } from '../../domain/mail.ts'
import { retryStalePlans } from '../../database/stale-plans.ts'
import { finishUpdate } from '../idempotency/finish.ts'
import { enqueueMails, mailInsert, mailInsertFrom, mailsJson } from '../mails/rows.ts'
import { dedupe } from './dedupe.ts'
import { auditInsert, auditInsertFrom } from './insert.ts'

/** The audit events of the error codes that are recorded */
type RefusalNames = Readonly<Partial<Record<ErrorCode, EventName>>>

/** The subject of a rejection */
type About = AuditContext & Pick<AuditEvent, 'accountId'>

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
   * an exhausted counter or of a `key`, so a flood of rejected requests does not fill the audit trail.
   */
  recordRefusal(refusal: unknown, names: RefusalNames, key: string, about: About): Promise<never>
}

/**
 * Runs a transaction that also writes its audit events and its e-mails, with one statement. A change that returns undefined
 * has no e-mails. The events are logged after the commit.
 */
export type Audited = <Result>(
  toAuditEvents: (result: Result) => readonly AuditEvent[],
  change: (transaction: Prisma.TransactionClient) => Promise<Result>,
  toMails?: (result: NonNullable<Result>) => readonly NewMail[],
) => Promise<Result>

export function audited({ prisma }: Database, log: Log): Audited {
  return async (toAuditEvents, change, toMails = () => []) => {
    const result = await retryStalePlans(() =>
      prisma.$transaction(async (transaction) => {
        const changed = await change(transaction)
        const mails = changed === undefined || changed === null ? [] : toMails(changed)
        await addRecords(transaction, toAuditEvents(changed), mails)
        return changed
      }),
    )
    logAuditEvents(toAuditEvents(result), log)
    return result
  }
}

async function addRecords(executor: Executor, events: readonly AuditEvent[], mails: readonly NewMail[]): Promise<void> {
  if (events.length === 0) return enqueueMails(executor, mails)
  await runCommand(executor, (bind) => {
    const audited = auditInsert(events, bind)
    return mails.length === 0 ? audited : `WITH mails AS (${mailInsert(mails, bind)}) ${audited}`
  })
}

/** Returns the statement that records an event with its e-mails, and finishes the request with an Idempotency-Key. */
function recordAndFinish(
  claim: Claim,
  { event, mails }: { event: AuditEvent; mails: readonly NewMail[] },
  { bind, clock }: { bind: Bind; clock: Clock },
): string {
  const finished = finishUpdate(claim, {}, { bind, shiftSeconds: clock.shiftMs() / 1000 })
  const queued = mailInsertFrom('finished', bind(mailsJson(mails)))
  return `WITH finished AS (${finished}), mails AS (${queued}) ${auditInsertFrom('finished', [event], bind)}`
}

/** Logs events that a committed statement or transaction has recorded. */
export function logAuditEvents(events: readonly AuditEvent[], log: Log): void {
  for (const event of events) log.info(loggable(event), event.event)
}

/** Records security events in the log and in the audit trail. */
export function audit({ pool }: Database, { clock, log }: { clock: Clock; log: Log }): Audit {
  const isFirst = dedupe(() => clock.nowMs())

  const record = async (event: AuditEvent, policy?: string): Promise<void> => {
    log.info({ ...loggable(event), policy }, event.event)
    await addRecords(pool, [event], [])
  }
  return {
    async record(event, mails = [], claim?) {
      log.info(loggable(event), event.event)
      if (claim) await runCommand(pool, (bind) => recordAndFinish(claim, { event, mails }, { bind, clock }))
      else await addRecords(pool, [event], mails)
    },
    async recordRefusal(refusal, names, key, about) {
      const event = refusal instanceof Failure ? names[refusal.code] : undefined
      if (!(refusal instanceof Failure) || event === undefined) throw refusal
      const { counter, retryAfterSeconds = QUIET_SECONDS } = refusal
      const dedupeKey = counter ? `${counter.policy.name} ${counter.key}` : `${event} ${key}`
      if (isFirst(dedupeKey, clock.nowMs() + retryAfterSeconds * 1000)) {
        await record({ event, ...about }, counter?.policy.name).catch((error: unknown) =>
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
