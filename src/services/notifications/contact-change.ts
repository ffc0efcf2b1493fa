// Every change of an e-mail address or a phone number is announced to the old address and to the old number.
import { LIMITS } from '../../../generated/limits.ts'
import type { Context } from '../../context.ts'
import type { Contact, ContactChange } from '../../domain/accounts/contact.ts'
import { buildEmailLink } from '../../domain/emails/email-link.ts'
import { maskEmail, maskPhone } from '../../domain/mask.ts'
import type { Phone } from '../../domain/phones/phone.ts'
import { say } from '../../messages/index.ts'
import { notify } from './mail.ts'
import { verifyInBackground, type RequestInfo } from './verify-email.ts'

/**
 * Announces the changes of an update, and sends the confirmation to the new e-mail address.
 *
 * @param cancelToken cancels a pending change
 */
export function announceUpdate(
  { before, email: { to, outcome }, newPhone }: ContactChange,
  cancelToken: string,
  request: RequestInfo,
  context: Context,
): void {
  const { accountId } = before
  const { client, language } = request
  const old = { to: before.email, language, reference: client.requestId }
  const email = maskEmail(to)
  if (outcome === 'replaced') {
    notify({ about: 'email', values: { email }, ...old }, context)
    notifyContactBySms(before, 'email_sms', request, context)
  }
  if (outcome === 'pending') {
    const link = buildEmailLink(context.emailUrl, cancelToken, 'cancel')
    notify({ about: 'email_change', values: { email, link, days: LIMITS.email.undo_days }, ...old }, context)
  }
  if (outcome !== 'unchanged') verifyInBackground({ accountId, email: to }, request, context)
  if (newPhone !== undefined) {
    notify({ about: 'phone', values: { phone: maskPhone(newPhone) }, ...old }, context)
    notifyContactBySms(before, 'phone_sms', request, context)
  }
}

/** Announces a change by SMS if the number was verified. */
export function notifyContactBySms(
  { accountId, phone, phoneCode, phoneVerified }: Contact,
  about: 'email_sms' | 'phone_sms',
  request: RequestInfo,
  context: Context,
): void {
  if (!phoneVerified) return
  notifyBySms({ accountId, phone: { e164: phone, callingCode: phoneCode } }, about, request, context)
}

/** Announces a change by SMS, without codes or personal data. */
export function notifyBySms(
  { accountId, phone: to }: { accountId: number; phone: Phone },
  about: 'email_sms' | 'phone_sms' | 'email_released_text',
  { client: { requestId }, language }: RequestInfo,
  { smsNotices, background, log }: Context,
): void {
  const notice = { accountId, to, text: say(language, about), reference: requestId }
  try {
    background.enqueue('a notice by SMS', () => smsNotices.send(notice))
  } catch (error) {
    log.warn({ requestId, err: error }, 'SMS notice could not be sent')
  }
}
