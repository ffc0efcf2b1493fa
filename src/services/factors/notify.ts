import type { Context } from '../../context.ts'
import { toAuditContext, type AuditContext, type AuditEvent } from '../../domain/audit/audit-context.ts'
import type { NewMail } from '../../domain/mail.ts'
import type { Contact } from '../../domain/accounts/account.ts'
import type { OpenedUndo } from '../../domain/accounts/undo.ts'
import type { FactorTopic } from '../../messages/index.ts'
import { notifyContactBySms } from '../notifications/sms.ts'
import { announceChange, composeUndoable, newUndo, type NewProofs } from '../notifications/undo-notice.ts'
import { composeMails, type NoticeContent, type RequestInfo } from '../notifications/mail.ts'

type Topic = FactorTopic | 'factors_undone'
type Owner = Readonly<{ accountId: number; email: string; previousEmails?: readonly string[] }>

function listNotices(about: Topic, { accountId, email, previousEmails = [] }: Owner): NoticeContent[] {
  return [email, ...previousEmails].map((to) => ({ accountId, to, about }))
}

type Records = Readonly<{ auditContext: AuditContext; toMails: (owner: Owner) => NewMail[] }>

/** Returns what the store records of a change of the second factors. */
export function toFactorRecords(about: Topic, request: RequestInfo, context: Context): Records {
  return {
    auditContext: toAuditContext(request.client),
    toMails: (owner) => composeMails(listNotices(about, owner), request, context),
  }
}

type ChangeRecords = Omit<Records, 'toMails'> &
  Readonly<{ undo: NewProofs; toMails: (owner: Owner, opened: OpenedUndo) => NewMail[] }>

/** Returns what the store records of a change that can be undone. */
export function toUndoableRecords(about: FactorTopic, request: RequestInfo, context: Context): ChangeRecords {
  const undo = newUndo(context)
  return {
    auditContext: toAuditContext(request.client),
    undo,
    toMails: (owner, opened) => composeUndoable(listNotices(about, owner), opened, undo, request, context),
  }
}

type Proof = Readonly<{ method: string }>

/** Returns what the store records of the use of a proof. The owner is notified of that of a recovery code. */
export function toProofRecords(
  { method }: Proof,
  owner: Owner,
  request: RequestInfo,
  context: Context,
): Readonly<{ auditEvents: readonly AuditEvent[]; mails: readonly NewMail[] }> {
  if (method !== 'recovery_code') return { auditEvents: [], mails: [] }
  return {
    auditEvents: [{ event: 'recovery_code_used', accountId: owner.accountId, ...toAuditContext(request.client) }],
    mails: composeMails(listNotices('recovery_code_used', owner), request, context),
  }
}

/** Sends an SMS to a verified number if a recovery code was used. */
export function announceProof({ method }: Proof, owner: Contact, request: RequestInfo, context: Context): void {
  if (method === 'recovery_code') notifyContactBySms(owner, 'factors_sms', request, context)
}

type Changed = Readonly<{ owner: Contact; opened: OpenedUndo }>

/** Sends an SMS to a verified number, with the code that undoes the change if it was stored. The e-mails are stored with the change. */
export function announceFactorChange(
  { owner, opened }: Changed,
  { undo }: Pick<ChangeRecords, 'undo'>,
  request: RequestInfo,
  context: Context,
): void {
  announceChange(owner, { what: 'factors', opened, undo }, request, context)
}
