import type { Context } from '../../context.ts'
import { toAuditContext, type AuditContext } from '../../domain/audit/audit-context.ts'
import type { NewMail } from '../../domain/mail.ts'
import type { FactorOwner } from '../../domain/accounts/account.ts'
import type { FactorTopic } from '../../messages/index.ts'
import { notifyContactBySms } from '../notifications/contact-change.ts'
import { composeMails, deliverSoon, type RequestInfo } from '../notifications/mail.ts'

type Owner = Readonly<{ accountId: number; email: string }>

/** Composes the e-mail about a change of the second factors, for the transaction of the change. */
export function composeFactorMails(
  about: FactorTopic | 'factors_undone',
  { accountId, email: to }: Owner,
  { client, language }: RequestInfo,
  context: Context,
): NewMail[] {
  return composeMails([{ accountId, to, about, language, reference: client.requestId }], context)
}

type RemovalRecords = Readonly<{ auditContext: AuditContext; toRemovalMails: (owner: Owner) => NewMail[] }>

/** Returns what the store records if factors are removed with an undone change. */
export function toRemovalRecords(request: RequestInfo, context: Context): RemovalRecords {
  return {
    auditContext: toAuditContext(request.client),
    toRemovalMails: (owner) => composeFactorMails('factors_undone', owner, request, context),
  }
}

/** Sends the e-mail, and an SMS to the verified number of an account whose address is not verified. */
export function announceFactorChange(
  { emailVerified, ...contact }: FactorOwner,
  request: RequestInfo,
  context: Context,
): void {
  deliverSoon(context)
  if (!emailVerified) notifyContactBySms(contact, 'factors_sms', request, context)
}
