import type { AccountType } from '../../domain/accounts/account.ts'
import type { AuditContext } from '../../domain/audit/audit-context.ts'
import type { Clock } from '../../domain/clock.ts'
import type { DomainEvent } from '../../domain/event.ts'
import { Failure, invalidData } from '../../domain/failure.ts'
import type { Claim } from '../../domain/idempotency.ts'
import type { PhoneVerification } from '../../domain/phones/phone-verification.ts'
import type { Names } from '../../domain/profiles/profile.ts'
import type { NewMail } from '../../domain/mail.ts'
import type { Log } from '../../lib/log.ts'
import { throwIfTaken } from '../../database/database-errors.ts'
import type { Database } from '../../database/index.ts'
import { queryRow } from '../../database/query.ts'
import { logAuditEvents, auditParameters } from '../audit/index.ts'
import type { EventOptions } from '../events/outbox.ts'
import { mailsJson } from '../mails/rows.ts'
import { REGISTER, REGISTER_ONCE } from './registration-sql.ts'

export type Registration = Readonly<{
  account: {
    email: string
    accountType: AccountType
    passwordHash: string
    phone: { e164: string; code: string; isVerified: boolean }
  }
  /** The full name */
  name: string
  /** The parts of a lawyer's name */
  names: Names | undefined
  /** The confirmed verification whose code the registration uses */
  verification: PhoneVerification | undefined
  client: { address: string; userAgent: string | undefined }
  auditContext: AuditContext
  /** The e-mails to the new account, whose id is not known yet */
  mails: readonly NewMail[]
}>

export type Opened = { accountId: number; sessionId: string }

export type Registrations = {
  /**
   * Creates an account with its profile and its first session, all or nothing.
   *
   * @param claim the request with an Idempotency-Key, whose outcome is the session
   * @throws Failure 422 on `email`, `phone` or `otp` if a concurrent request was faster, 409 `idempotency_in_progress` if it
   * has taken the key over
   */
  add(registration: Registration, claim?: Claim): Promise<Opened>
}

type Parts = { clock: Clock; log: Log; eventOptions: EventOptions }

export function registrations({ pool }: Database, { clock, log, eventOptions }: Parts): Registrations {
  return {
    async add(registration, claim) {
      const { account, name, names, verification, client, auditContext, mails } = registration
      const { email, phone } = account
      const event = { event: 'registered', ...auditContext } as const
      const opened = await queryRow(
        pool,
        claim ? REGISTER_ONCE : REGISTER,
        ...[clock.shiftMs() / 1000, email, client.address, client.userAgent ?? null],
        ...[account.passwordHash, phone.e164, phone.code, account.accountType, phone.isVerified],
        ...[verification?.windowId ?? null, name],
        ...[names?.firstName, names?.secondName, names?.thirdName, names?.fourthName].map((part) => part ?? null),
        ...[JSON.stringify(registrationEvents(account)), eventOptions.hasWebhook, eventOptions.traceParent()],
        mailsJson(mails, eventOptions.traceParent()),
        ...auditParameters(event),
        ...(claim ? [claim.id, claim.token] : []),
      ).catch(throwIfTaken)
      if (!opened) throw refusal(registration)
      logAuditEvents([{ ...event, accountId: opened.accountId }], log)
      eventOptions.onCommit()
      return opened
    },
  }
}

/** Returns why a registration was not stored: its code is used, or another request has taken its Idempotency-Key over. */
function refusal({ verification }: Registration): Failure {
  if (verification) return invalidData({ otp: ['otp_wrong'] })
  return new Failure('idempotency_in_progress', { retryAfterSeconds: 1 })
}

/** An event of the new account, whose id is not known yet */
type NewAccountEvent<Event = DomainEvent> = Event extends DomainEvent
  ? { type: Event['type']; data: Omit<Event['data'], 'account_id'> }
  : never

function registrationEvents({ accountType, phone }: Registration['account']): NewAccountEvent[] {
  const data = { account_type: accountType, phone_verified: phone.isVerified }
  const registered = { type: 'account.registered', data } as const
  return phone.isVerified ? [registered, { type: 'phone.confirmed', data: {} }] : [registered]
}
