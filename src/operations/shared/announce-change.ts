// Every change of an e-mail address or a phone number is announced to the old address and to the old number.
import { LIMITS } from '../../../generated/limits.ts'
import type { Context } from '../../context.ts'
import type { Contact, ContactChange } from '../../domain/contact.ts'
import { emailLink } from '../../domain/email-link.ts'
import { maskEmail, maskPhone } from '../../domain/mask.ts'
import type { Phone } from '../../domain/phone.ts'
import { say } from '../../messages/index.ts'
import { notify } from './mail.ts'
import { verifyInBackground, type Asking } from './verify-email.ts'

/**
 * Announces what an update of a profile has changed, and sends the new address what confirms it.
 *
 * @param cancelToken what cancels a pending change
 */
export function announceUpdate(
  { before, email: { to, outcome }, newPhone }: ContactChange,
  cancelToken: string,
  asking: Asking,
  context: Context,
): void {
  const { accountId } = before
  const { client, language } = asking
  const old = { to: before.email, language, reference: client.requestId }
  const email = maskEmail(to)
  if (outcome === 'replaced') {
    notify({ about: 'email', values: { email }, ...old }, context)
    notifyContactBySms(before, 'email_sms', asking, context)
  }
  if (outcome === 'pending') {
    const link = emailLink(context.emailUrl, cancelToken, 'cancel')
    notify({ about: 'email_change', values: { email, link, days: LIMITS.email.undo_days }, ...old }, context)
  }
  if (outcome !== 'unchanged') verifyInBackground({ accountId, email: to }, asking, context)
  if (newPhone !== undefined) {
    notify({ about: 'phone', values: { phone: maskPhone(newPhone) }, ...old }, context)
    notifyContactBySms(before, 'phone_sms', asking, context)
  }
}

/** Announces a change by SMS, where the number was verified. */
export function notifyContactBySms(
  { accountId, phone, phoneCode, phoneVerified }: Contact,
  about: 'email_sms' | 'phone_sms',
  asking: Asking,
  context: Context,
): void {
  if (!phoneVerified) return
  notifyBySms({ accountId, phone: { e164: phone, callingCode: phoneCode } }, about, asking, context)
}

/** Announces by SMS that something changed: no code, and nothing personal. */
export function notifyBySms(
  { accountId, phone: to }: { accountId: number; phone: Phone },
  about: 'email_sms' | 'phone_sms' | 'email_released_text',
  { client: { requestId }, language }: Asking,
  { smsNotices, background, log }: Context,
): void {
  const notice = { accountId, to, text: say(language, about), reference: requestId }
  try {
    background.begin('a notice by SMS', () => smsNotices.send(notice))
  } catch (error) {
    log.warn({ requestId, err: error }, 'a notice by SMS was not sent')
  }
}
