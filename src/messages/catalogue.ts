import type { bindings } from '../../generated/operations.ts'
import type { ErrorCode, FieldCode } from '../domain/failure.ts'

export type Language = 'ar' | 'en'

/** The messages of successful operations. Downloads have none. */
type SuccessKey = NonNullable<(typeof bindings)[keyof typeof bindings]['success']['message']>

/** The topics of e-mails about the addresses of an account */
type AddressTopic = 'verify' | 'new_email' | 'email_change' | 'email_changed' | 'phone'

/** The field codes of phone numbers and channels */
export type PhoneKey = Extract<FieldCode, `phone_${string}` | 'country_not_served' | 'channel_not_offered'>

/** The topics of e-mails */
export type MailTopic = 'reset' | 'claim' | 'password' | 'email' | 'deletion' | 'export' | AddressTopic

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
  | 'otp_text'
  | 'reset_otp_text'
  | 'otp_speech'
  | 'reset_otp_speech'
  | 'otp_sent'
  | 'otp_sent_whatsapp'
  | 'otp_sent_voice'

export type AddressKey = MailKey<AddressTopic> | 'email_released_text' | 'email_sms' | 'phone_sms'

export type IdempotencyErrorKey = Extract<ErrorCode | FieldCode, `idempotency_${string}`>

export type MessageKey =
  | SuccessKey
  | ErrorCode
  | FieldCode
  | MailKey<MailTopic>
  | AddressKey
  | CodeKey
  | 'outbox_read'
  | 'service_live'
  | 'service_ready'

/**
 * The messages of a language by key. A missing key does not compile. `{name}` is replaced by a value, and `{name:unit}` by
 * a number with its unit in the right plural form, such as `{minutes:minute}`.
 */
export type Catalogue = Readonly<Record<MessageKey, string>>
