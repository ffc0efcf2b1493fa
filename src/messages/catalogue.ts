import type { SUCCESS_MESSAGES } from '../../generated/messages.ts'
import type { ErrorCode, FieldCode } from '../domain/failure.ts'

export type Language = 'ar' | 'en'

/** The messages of successful operations, which the document has */
type SuccessKey = keyof (typeof SUCCESS_MESSAGES)['en']

/** The topics of notices about second factors */
export type FactorTopic =
  'totp_added' | 'totp_removed' | 'passkey_added' | 'passkey_removed' | 'recovery_codes_renewed' | 'recovery_code_used'

/** The topics of e-mails about the password, the addresses of an account, the account, and of digests of notices */
export type MailTopic =
  | 'reset'
  | 'half_login'
  | 'claim'
  | 'password'
  | 'password_reset'
  | 'verify'
  | 'new_email'
  | 'email'
  | 'email_change'
  | 'email_change_notice'
  | 'undone'
  | 'phone'
  | 'deletion'
  | 'export'
  | 'digest'
  | 'factor_reset'
  | 'factor_reset_pending'
  | 'factor_reset_final'
  | 'admin_factor_reset'
  | 'factors_removed'
  | 'factors_undone'
  | 'admin_factors_removed'
  | FactorTopic

/** Texts that contain a code */
type CodeKey = 'otp_text' | 'reset_otp_text' | 'factor_reset_otp_text' | 'otp_prompt' | 'otp_speech'

/** Notices by SMS, without the codes of a verification */
export type SmsNoticeKey =
  | 'email_released_text'
  | 'email_sms'
  | 'email_undo_sms'
  | 'factors_sms'
  | 'factors_undo_sms'
  | 'factor_reset_sms'
  | 'phone_sms'
  | 'phone_undo_sms'
  | 'password_undo_sms'
  | 'reset_link_text'
  | 'reset_sms'
  | 'undone_sms'

/** Texts of e-mails, SMS and calls */
type NoticeKey =
  | `${MailTopic}_mail_${'subject' | 'text'}`
  | 'undo_mail_text'
  | 'no_undo_mail_text'
  | 'consent_mail_text'
  | SmsNoticeKey
  | CodeKey

/** Messages of responses: errors with what is added to them, and successes other than those of operations */
type ResponseKey =
  | ErrorCode
  | FieldCode
  | 'accepted'
  | 'example'
  | 'line'
  | 'header'
  | 'escape'
  | 'outbox_read'
  | 'service_live'
  | 'service_ready'
  | 'otp_sent_whatsapp'
  | 'otp_sent_voice'

export type MessageKey = SuccessKey | ResponseKey | NoticeKey

/**
 * The messages of a language by key. A missing key does not compile. `{name}` is replaced by a value, and `{name:unit}` by a number
 * with its unit in the right plural form, such as `{minutes:minute}`.
 */
export type Responses = Readonly<Record<ResponseKey, string>>
export type Notices = Readonly<Record<NoticeKey, string>>
