import type { AddressKey, Catalogue } from '../catalogue.ts'

/** Messages that verify an e-mail address or a phone number, and notices of a change of it or of the phone number */
export const addresses: Pick<Catalogue, AddressKey> = {
  verify_mail_subject: 'Confirm your e-mail address',
  verify_mail_text:
    'Confirm that this is the e-mail address of your Tawthiq account.\n\nYour verification code, valid for {minutes:minute}: {code}\n\nOr use {link?this link|this token} within {hours:hour}:\n\n{link}\n\nIf you did not create this account, ignore this message and do not use {link?the link|the token}.',
  new_email_mail_subject: 'Confirm your new e-mail address',
  new_email_mail_text:
    'Confirm that this is the new e-mail address of your Tawthiq account.\n\nYour verification code, valid for {minutes:minute}: {code}\n\nOr use {link?this link|this token} within {hours:hour}:\n\n{link}\n\nIf you did not request this change, ignore this message and do not use {link?the link|the token}.',
  email_change_mail_subject: 'A change of your e-mail address was requested',
  email_change_mail_text:
    'We received a request to change the e-mail address of your Tawthiq account to {email}. The current address remains until the new one is confirmed.\n\nIf you did not request this, cancel the change {link?here|with this token} within {days:day} and set a new password:\n\n{link}',
  email_change_notice_mail_subject: 'A change of your e-mail address was requested',
  email_change_notice_mail_text:
    'We received a request to change the e-mail address of your Tawthiq account to {email}. The current address remains until the new one is confirmed.\n\nIf you did not request this, cancel the change in your account, set a new password and contact us.',
  email_changed_mail_subject: 'Your e-mail address was changed',
  email_changed_mail_text:
    'The e-mail address of your Tawthiq account was changed to {email}.\n\nIf this was not you, undo the change {undo?here|with this token} within {days:day}:\n\n{undo}\n\nIf you changed it, no action is needed. The new address can reset your password after {hours:hour}. To allow this at once, use {consent?this link|this token}:\n\n{consent}',
  digest_mail_subject: 'More notices about your account',
  digest_mail_text:
    'This message replaces {count:notice} about your Tawthiq account within an hour:\n\n{lines}\n\nIf this was not you, set a new password at once and contact us.',
  phone_mail_subject: 'Your phone number was changed',
  phone_mail_text:
    'The phone number of your Tawthiq account was changed to {phone}. If this was not you, set a new password at once and contact us.',
  email_released_text:
    'Tawthiq: your e-mail address was removed from your account, because its owner did not recognize it. Log in as {email} and enter another one.',
  email_sms:
    'The e-mail address of your Tawthiq account was changed. If this was not you, check your e-mail and contact us.',
  phone_sms:
    'The phone number of your Tawthiq account was changed. If this was not you, check your e-mail and contact us.',
}
