// Every change of an e-mail address or a phone number is announced to the old address and to the old number.
import { LIMITS } from '../../../generated/limits.ts'
import type { Context } from '../../context.ts'
import type { Contact, ContactChange } from '../../domain/accounts/account.ts'
import { buildEmailLink } from '../../domain/emails/email-code.ts'
import { maskEmail, maskPhone } from '../../domain/text.ts'
import type { Phone } from '../../domain/phones/phone.ts'
import { say, type SmsNoticeKey } from '../../messages/index.ts'
import type { NewMail } from '../../domain/mail.ts'
import { composeMails, requestMail, type NoticeContent, type RequestInfo } from './mail.ts'

const DAY_SECONDS = 86_400

/** The token that cancels a pending change, and its hash */
type CancelToken = Readonly<{ token: string; hash: Uint8Array }>

/** Composes the e-mails about the changes of an update, and the request to verify a new address. */
export function composeUpdateMails(
  contact: ContactChange,
  cancel: CancelToken,
  request: RequestInfo,
  context: Context,
): NewMail[] {
  const { before, email } = contact
  const verification = { kind: 'verification', accountId: before.accountId, email: email.to } as const
  return [
    ...composeMails(listNotices(contact, cancel, context), request, context),
    ...(email.outcome === 'unchanged' ? [] : requestMail(verification, request, context)),
  ]
}

function listNotices(
  { before, email: { to, outcome, canCancel }, newPhone }: ContactChange,
  cancel: CancelToken,
  { emailUrl }: Context,
): NoticeContent[] {
  const old = { accountId: before.accountId, to: before.email }
  const email = maskEmail(to)
  const notices: NoticeContent[] = []
  if (outcome === 'replaced') notices.push({ about: 'email', values: { email }, ...old })
  if (outcome === 'pending' && !canCancel) notices.push({ about: 'email_change_notice', values: { email }, ...old })
  if (canCancel) {
    const days = LIMITS.email.undo_days
    const values = { email, link: buildEmailLink(emailUrl, cancel.token, 'cancel'), days }
    notices.push({ about: 'email_change', values, token: { hash: cancel.hash, seconds: days * DAY_SECONDS }, ...old })
  }
  if (newPhone !== undefined) notices.push({ about: 'phone', values: { phone: maskPhone(newPhone) }, ...old })
  return notices
}

/** Announces the changes of an update to the old number, with the code that undoes them if it was stored. */
export function announceUpdateBySms(
  { before, email, newPhone, hasCode }: ContactChange,
  undoCode: string | undefined,
  request: RequestInfo,
  context: Context,
): void {
  const code = hasCode ? undoCode : undefined
  if (email.outcome === 'replaced') announceChange(before, 'email', code, request, context)
  if (newPhone !== undefined) announceChange(before, 'phone', code, request, context)
}

const UNDO_GROUPS = /.{5}/g

/** Announces a changed address or number to the number before the change, with the code that undoes it if there is one. */
export function announceChange(
  before: Contact,
  what: 'email' | 'phone',
  undoCode: string | undefined,
  request: RequestInfo,
  context: Context,
): void {
  const days = String(LIMITS.email.undo_days)
  const values = undoCode === undefined ? undefined : { code: undoCode.match(UNDO_GROUPS)?.join('-') ?? '', days }
  notifyContactBySms(before, values ? `${what}_undo_sms` : `${what}_sms`, request, context, values)
}

type Values = Readonly<Record<string, string>> | undefined

/** Announces a change by SMS if the number was verified. */
export function notifyContactBySms(
  { accountId, phone, phoneCode, phoneVerified }: Contact,
  about: SmsNoticeKey,
  request: RequestInfo,
  context: Context,
  values?: Values,
): void {
  if (!phoneVerified) return
  notifyBySms({ accountId, phone: { e164: phone, callingCode: phoneCode }, values }, about, request, context)
}

/** The notices with limits of their own */
const KINDS: Partial<Record<SmsNoticeKey, 'requested' | 'undo'>> = {
  reset_link_text: 'requested',
  email_undo_sms: 'undo',
  phone_undo_sms: 'undo',
}

/** Sends a notice by SMS, without personal data. */
export function notifyBySms(
  { accountId, phone: to, values }: { accountId: number; phone: Phone; values?: Values },
  about: SmsNoticeKey,
  { client: { requestId }, language }: RequestInfo,
  { smsNotices, background, log }: Context,
): void {
  const kind = KINDS[about] ?? ('change' as const)
  const notice = { accountId, to, text: say(language, about, values), language, reference: requestId, kind }
  try {
    background.enqueue('a notice by SMS', () => smsNotices.send(notice))
  } catch (error) {
    log.warn({ requestId, err: error }, 'SMS notice could not be sent')
  }
}
