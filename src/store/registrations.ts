import type { Prisma } from '../../generated/prisma/client.ts'
import type { AccountType } from '../domain/account.ts'
import type { Clock } from '../domain/clock.ts'
import type { News } from '../domain/event.ts'
import type { PhoneVerification } from '../domain/phone-verification.ts'
import type { Names } from '../domain/profile.ts'
import type { AuditEvent, Trace } from '../domain/trace.ts'
import type { Log } from '../log.ts'
import { audited } from './audit.ts'
import type { Database } from './database.ts'
import { refuseTaken } from './faults.ts'
import { beginSession } from './own-sessions.ts'
import { useWindow } from './phone-verifications.ts'
import { verifyPhone } from './recovery/phones.ts'
import type { Tell } from './tell.ts'

export type Registration = Readonly<{
  account: {
    email: string
    accountType: AccountType
    passwordHash: string
    phone: { e164: string; code: string; isVerified: boolean }
  }
  /** The full name */
  name: string
  /** Its parts, of a lawyer */
  names: Names | undefined
  /** The confirmed window whose code the registration uses up */
  window: PhoneVerification | undefined
  client: { address: string; userAgent: string | undefined }
  trace: Trace
}>

export type Opened = { accountId: number; sessionId: string }

export type Registrations = {
  /**
   * Makes an account with the beginning of its profile and its first session, or nothing of it.
   *
   * @throws Failure 422 on `email`, `phone` or `otp` when somebody else was faster
   */
  add(registration: Registration): Promise<Opened>
}

type Parts = { clock: Clock; log: Log; tell: Tell }

export function registrations(database: Database, { clock, log, tell }: Parts): Registrations {
  const inTransaction = audited(database, log)
  return {
    async add(registration) {
      const eventsOf = ({ accountId }: Opened): AuditEvent[] => [
        { event: 'registered', accountId, ...registration.trace },
      ]
      return inTransaction(eventsOf, async (transaction) => {
        await useWindow(transaction, registration.window)
        const { id: accountId } = await transaction.account.create({
          data: accountOf(registration),
          select: { id: true },
        })
        if (registration.account.phone.isVerified) await verifyPhone(transaction, accountId)
        const { address, userAgent } = registration.client
        const { passwordHash } = registration.account
        const sessionId = await beginSession(transaction, clock, { accountId, passwordHash, address, userAgent })
        await tell(transaction, ...newsOf(accountId, registration.account))
        return { accountId, sessionId }
      }).catch(refuseTaken)
    },
  }
}

function newsOf(accountId: number, { accountType, phone }: Registration['account']): News[] {
  const data = { account_id: accountId, account_type: accountType, phone_verified: phone.isVerified }
  const registered = { type: 'account.registered', data } as const
  return phone.isVerified ? [registered, { type: 'phone.confirmed', data: { account_id: accountId } }] : [registered]
}

function accountOf({ account, name, names }: Registration): Prisma.AccountCreateInput {
  const { phone, ...rest } = account
  return {
    ...rest,
    phone: phone.e164,
    phoneCode: phone.code,
    profile: { create: { name } },
    ...(names && { lawyer: { create: names } }),
  }
}
