import type { AddressKey, Catalogue } from '../index.ts'

/** Messages that verify an e-mail address, and that announce a change of it or of the phone number */
export const addresses: Pick<Catalogue, AddressKey> = {
  verify_mail_subject: 'Confirm your e-mail address',
  verify_mail_text:
    'Confirm that this is the e-mail address of your Tawthiq account.\n\nYour code, valid for {minutes} minutes: {code}\n\nOr use this link within {hours} hours:\n\n{link}\n\nIf you did not create this account, ignore this message and do not use the link.',
  new_email_mail_subject: 'Confirm your new e-mail address',
  new_email_mail_text:
    'Confirm that this is the new e-mail address of your Tawthiq account.\n\nYour code, valid for {minutes} minutes: {code}\n\nOr use this link within {hours} hours:\n\n{link}\n\nIf you did not ask for this change, ignore this message and do not use the link.',
  email_change_mail_subject: 'A change of your e-mail address was requested',
  email_change_mail_text:
    'A change of the e-mail address of your Tawthiq account to {email} was requested. Your address stays until the new one is confirmed.\n\nIf it was not you, cancel the change within {days} days, and set a new password:\n\n{link}',
  email_changed_mail_subject: 'Your e-mail address was changed',
  email_changed_mail_text:
    'The e-mail address of your Tawthiq account is {email} now.\n\nIf it was not you, undo the change within {days} days:\n\n{undo}\n\nIf it was you, nothing is left to do. The new address can reset your password after {hours} hours. To allow that at once, use this link:\n\n{consent}',
  phone_mail_subject: 'Your phone number was changed',
  phone_mail_text:
    'The phone number of your Tawthiq account is {phone} now. If it was not you, set a new password at once and tell us.',
  email_released_text:
    'Tawthiq: your e-mail address was removed from your account, because its owner did not recognise the account. Enter another one in your profile.',
  email_sms:
    'The e-mail address of your Tawthiq account was changed. If it was not you, check your e-mail and tell us.',
  phone_sms: 'The phone number of your Tawthiq account was changed. If it was not you, check your e-mail and tell us.',
}
