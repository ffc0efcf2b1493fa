import type { bindings } from '../../generated/operations.ts'
import type { ErrorCode, FieldCode } from '../domain/failure.ts'

export type Language = 'ar' | 'en'

/** The messages of successful operations. Downloads have none. */
type SuccessKey = NonNullable<(typeof bindings)[keyof typeof bindings]['success']['message']>

/** The topics of e-mails about the addresses of an account, and of digests of notices */
type AddressTopic =
  'digest' | 'verify' | 'new_email' | 'email_change' | 'email_change_notice' | 'email_changed' | 'phone'

/** The topics of e-mails about the password */
type PasswordTopic = 'reset' | 'claim' | 'password' | 'password_reset'

/** The field codes of phone numbers and channels */
export type PhoneKey = Extract<FieldCode, `phone_${string}` | 'country_not_served' | 'channel_not_offered'>

/** The topics of e-mails */
export type MailTopic = PasswordTopic | 'email' | 'deletion' | 'export' | AddressTopic

/** The subjects and the texts of e-mails */
type MailKey<Topic extends MailTopic> = `${Topic}_mail_${'subject' | 'text'}`

/** Messages about events, and to SMS providers that send receipts */
export type WebhookKey =
  | 'events_read'
  | 'events_replayed'
  | 'events_unavailable'
  | 'sms_receipt_stored'
  | 'signature_wrong'
  | 'sms_provider_unknown'

/** Texts that contain a code, and the messages of responses by the channel of the code */
export type CodeKey =
  'otp_text' | 'reset_otp_text' | 'otp_prompt' | 'otp_speech' | 'otp_sent' | 'otp_sent_whatsapp' | 'otp_sent_voice'

/** Notices by SMS, without the codes of a verification */
export type SmsNoticeKey = AddressNotice | PasswordNotice

type AddressNotice = 'email_released_text' | 'email_sms' | 'phone_sms'
type PasswordNotice = 'reset_link_text' | 'reset_sms' | 'reset_undone_sms'

export type AddressKey = MailKey<AddressTopic> | AddressNotice

export type PasswordKey = MailKey<PasswordTopic> | PasswordNotice

export type IdempotencyErrorKey = Extract<ErrorCode | FieldCode, `idempotency_${string}`>

export type MessageKey =
  | SuccessKey
  | ErrorCode
  | FieldCode
  | MailKey<MailTopic>
  | AddressKey
  | PasswordKey
  | CodeKey
  | 'outbox_read'
  | 'service_live'
  | 'service_ready'

/**
 * The messages of a language by key. A missing key does not compile. `{name}` is replaced by a value, and `{name:unit}` by
 * a number with its unit in the right plural form, such as `{minutes:minute}`.
 */
export type Catalogue = Readonly<Record<MessageKey, string>>
