import type { Context } from '../../context.ts'
import { toAuditContext, type AuditContext } from '../../domain/audit/audit-context.ts'
import type { NewMail } from '../../domain/mail.ts'
import type { Contact } from '../../domain/accounts/account.ts'
import type { FactorTopic } from '../../messages/index.ts'
import { notifyContactBySms } from '../notifications/contact-change.ts'
import { composeMails, type RequestInfo } from '../notifications/mail.ts'

type Topic = FactorTopic | 'factors_undone'
type Owner = Readonly<{ accountId: number; email: string; previousEmails?: readonly string[] }>

/** Composes the e-mails about a change of the second factors, for the transaction of the change. */
export function composeFactorMails(
  about: Topic,
  { accountId, email, previousEmails = [] }: Owner,
  request: RequestInfo,
  context: Context,
): NewMail[] {
  const notices = [email, ...previousEmails].map((to) => ({ accountId, to, about }))
  return composeMails(notices, request, context)
}

type Records = Readonly<{ auditContext: AuditContext; toMails: (owner: Owner) => NewMail[] }>

/** Returns what the store records of a change of the second factors. */
export function toFactorRecords(about: Topic, request: RequestInfo, context: Context): Records {
  return {
    auditContext: toAuditContext(request.client),
    toMails: (owner) => composeFactorMails(about, owner, request, context),
  }
}

/** Sends an SMS to a verified number. The e-mails are stored with the change. */
export function announceFactorChange(owner: Contact, request: RequestInfo, context: Context): void {
  notifyContactBySms(owner, 'factors_sms', request, context)
}
