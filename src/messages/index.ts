import type { bindings } from '../../generated/operations.ts'
import type { ErrorCode, FieldCode } from '../domain/failure.ts'
import { ar } from './ar.ts'
import { en } from './en.ts'

export type Language = 'ar' | 'en'

/** What an operation says when it succeeds; one that answers bytes says nothing. */
type SuccessKey = NonNullable<(typeof bindings)[keyof typeof bindings]['success']['message']>

/** What e-mails about addresses of an account are about */
type AddressTopic = 'verify' | 'new_email' | 'email_change' | 'email_changed' | 'phone'

/** What e-mails are about */
export type MailTopic = 'reset' | 'claim' | 'password' | 'email' | 'deletion' | 'export' | AddressTopic

/** The subjects and the texts of e-mails */
type MailKey<Topic extends MailTopic> = `${Topic}_mail_${'subject' | 'text'}`

export type AddressKey = MailKey<AddressTopic> | 'email_released_text' | 'email_sms' | 'phone_sms'

/** The texts of SMS */
type SmsKey = 'otp_text' | 'reset_otp_text'

export type MessageKey =
  | SuccessKey
  | ErrorCode
  | FieldCode
  | MailKey<MailTopic>
  | AddressKey
  | SmsKey
  | 'outbox_read'
  | 'service_live'
  | 'service_ready'

/** A sentence for each key: one that is missing does not compile. `{name}` is replaced by a value. */
export type Catalogue = Readonly<Record<MessageKey, string>>

const catalogues: Readonly<Record<Language, Catalogue>> = { ar, en }

type Values = Readonly<Record<string, string | number>>

export function say(language: Language, key: MessageKey, values: Values = {}): string {
  return catalogues[language][key].replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))
}
