import type { Account, Prisma } from '../../../generated/prisma/client.ts'
import type { AccountType } from '../../domain/accounts/account.ts'
import type { Clock } from '../../domain/clock.ts'
import type { DomainEvent } from '../../domain/event.ts'
import type { PhoneVerification } from '../../domain/phones/code-window.ts'
import type { Names } from '../../domain/profiles/profile.ts'
import type { AuditEvent, AuditContext } from '../../domain/audit/audit-context.ts'
import type { Log } from '../../lib/log.ts'
import { audited } from '../audit/index.ts'
import type { Database } from '../../database/index.ts'
import { throwIfTaken } from '../../database/database-errors.ts'
import { beginSession } from '../sessions/own-sessions.ts'
import { useWindow } from '../phone-verifications.ts'
import { toNamesRow, type Written } from '../profiles/rows.ts'
import { verifyPhone } from '../recovery/phones.ts'
import type { EnqueueEvents } from '../events/outbox.ts'

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
  /** The confirmed window whose code the registration uses */
  window: PhoneVerification | undefined
  client: { address: string; userAgent: string | undefined }
  auditContext: AuditContext
}>

export type Opened = { accountId: number; sessionId: string }

export type Registrations = {
  /**
   * Creates an account with its profile and its first session, all or nothing.
   *
   * @throws Failure 422 on `email`, `phone` or `otp` if a concurrent request was faster
   */
  add(registration: Registration): Promise<Opened>
}

type Parts = { clock: Clock; log: Log; enqueueEvents: EnqueueEvents }

export function registrations(database: Database, { clock, log, enqueueEvents }: Parts): Registrations {
  const inTransaction = audited(database, log)
  return {
    async add(registration) {
      const toAuditEvents = ({ accountId }: Opened): AuditEvent[] => [
        { event: 'registered', accountId, ...registration.auditContext },
      ]
      return inTransaction(toAuditEvents, async (transaction) => {
        await useWindow(transaction, registration.window)
        const { id: accountId } = await transaction.account.create({
          data: toAccountRow(registration),
          select: { id: true },
        })
        if (registration.account.phone.isVerified) await verifyPhone(transaction, accountId)
        const { address, userAgent } = registration.client
        const { passwordHash } = registration.account
        const sessionId = await beginSession(transaction, clock, { accountId, passwordHash, address, userAgent })
        await enqueueEvents(transaction, ...registrationEvents(accountId, registration.account))
        return { accountId, sessionId }
      }).catch(throwIfTaken)
    },
  }
}

function registrationEvents(accountId: number, { accountType, phone }: Registration['account']): DomainEvent[] {
  const data = { account_id: accountId, account_type: accountType, phone_verified: phone.isVerified }
  const registered = { type: 'account.registered', data } as const
  return phone.isVerified ? [registered, { type: 'phone.confirmed', data: { account_id: accountId } }] : [registered]
}

type AccountRow = Written<Omit<Registration['account'], 'phone'>, Account> & Pick<Account, 'phone' | 'phoneCode'>

function toAccountRow({ account, name, names }: Registration): Prisma.AccountCreateInput {
  const row: AccountRow = {
    email: account.email,
    accountType: account.accountType,
    passwordHash: account.passwordHash,
    phone: account.phone.e164,
    phoneCode: account.phone.code,
  }
  return { ...row, profile: { create: { name } }, ...(names && { lawyer: { create: toNamesRow(names) } }) }
}
