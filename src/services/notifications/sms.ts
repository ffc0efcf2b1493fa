// Notices by SMS, without the codes of a verification.
import type { Context } from '../../context.ts'
import type { Contact } from '../../domain/accounts/account.ts'
import type { Phone } from '../../domain/phones/phone.ts'
import { say, type SmsNoticeKey } from '../../messages/index.ts'
import type { RequestInfo } from './mail.ts'

type Sending = Readonly<{
  values?: Readonly<Record<string, string>>
  /** Runs after a provider has accepted the message */
  onSent?: () => Promise<void>
}>

/** Announces a change by SMS if the number was verified. */
export function notifyContactBySms(
  { accountId, phone, phoneCode, phoneVerified }: Contact,
  about: SmsNoticeKey,
  request: RequestInfo,
  context: Context,
  sending: Sending = {},
): void {
  if (!phoneVerified) return
  notifyBySms({ accountId, phone: { e164: phone, callingCode: phoneCode }, ...sending }, about, request, context)
}

/** The notices with limits of their own */
const KINDS: Partial<Record<SmsNoticeKey, 'requested' | 'undo'>> = {
  reset_link_text: 'requested',
  email_undo_sms: 'undo',
  phone_undo_sms: 'undo',
  factors_undo_sms: 'undo',
  password_undo_sms: 'undo',
}

/** Sends a notice by SMS, without personal data. */
export function notifyBySms(
  { accountId, phone: to, values, onSent }: Sending & { accountId: number; phone: Phone },
  about: SmsNoticeKey,
  { client: { requestId }, language }: RequestInfo,
  { smsNotices, background, log }: Context,
): void {
  const kind = KINDS[about] ?? ('change' as const)
  const notice = { accountId, to, text: say(language, about, values), language, reference: requestId, kind }
  try {
    background.enqueue('a notice by SMS', async () => {
      await smsNotices.send(notice)
      await onSent?.()
    })
  } catch (error) {
    log.warn({ requestId, err: error }, 'SMS notice could not be sent')
  }
}
