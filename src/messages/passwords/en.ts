import type { Catalogue, PasswordKey } from '../catalogue.ts'

/** E-mails and SMS about a reset of the password, and the notice of a change */
export const passwords: Pick<Catalogue, PasswordKey> = {
  reset_mail_subject: 'Set a new password',
  reset_mail_text:
    'We received a request to set a new password for your Tawthiq account. Set it {link?here|with this token} within {minutes:minute}:\n\n{link}\n\nIf you did not request this, ignore this message. Your password remains unchanged.',
  claim_mail_subject: 'Is this your account?',
  claim_mail_text:
    'We received a request to set a new password for a Tawthiq account with this e-mail address, which was never confirmed. If the account is yours, set the password {link?here|with this token} within {minutes:minute}. You also need a code that we send to the phone number of the account:\n\n{link}\n\nIf the account is not yours, you can remove your e-mail address from it {link?on the same page|with the same token}.',
  password_mail_subject: 'Your password was changed',
  password_mail_text:
    'The password of your Tawthiq account was changed. If this was not you, set a new password at once and contact us.',
  password_reset_mail_subject: 'Your password was reset by phone',
  password_reset_mail_text:
    'The password of your Tawthiq account was set with a code that was sent to its phone number.\n\nIf this was not you, undo it {link?here|with this token} within {days:day}:\n\n{link}\n\nAll sessions then end, the new password becomes unusable, and the phone number cannot reset the password for {hours:hour}. Then set a new password by e-mail.\n\nIf it was you, do not use {link?the link|the token}.',
  reset_link_text:
    'Tawthiq: we have sent a link for a new password to {email}. If you did not request it, ignore this message.',
  reset_sms: 'The password of your Tawthiq account was reset by e-mail. If this was not you, contact us at once.',
  reset_undone_sms:
    'The last reset of your Tawthiq password was undone by e-mail, and the password is no longer valid. If this was not you, contact us at once.',
}
