import type { Notices } from '../catalogue.ts'

export const en: Notices = {
  // The account, its e-mail address and its phone number, and what undoes changes
  deletion_mail_subject: 'Your account will be deleted',
  deletion_mail_text: 'Your Tawthiq account will be deleted in {days:day}. To keep it, log in and cancel the deletion.',
  export_mail_subject: 'Your data was exported',
  export_mail_text:
    'The data of your Tawthiq account was exported, including all of its files. If you did not request this, change your password at once and contact us.',
  digest_mail_subject: 'More notices about your account',
  digest_mail_text:
    'This message replaces {count:notice} about your Tawthiq account within an hour:\n\n{lines}\n\nIf this was not you, set a new password at once and contact us.',
  email_mail_subject: 'Your e-mail address was changed',
  email_mail_text: 'The e-mail address of your Tawthiq account was changed to {email}.',
  verify_mail_subject: 'Confirm your e-mail address',
  verify_mail_text:
    'Confirm that this is the e-mail address of your Tawthiq account.\n\nYour verification code, valid for {minutes:minute}: {code}\n\nOr use {link?this link|this token} within {hours:hour}:\n\n{link}\n\nIf you did not create this account, ignore this message and do not use {link?the link|the token}.',
  new_email_mail_subject: 'Confirm your new e-mail address',
  new_email_mail_text:
    'Confirm that this is the new e-mail address of your Tawthiq account.\n\nYour verification code, valid for {minutes:minute}: {code}\n\nOr use {link?this link|this token} within {hours:hour}:\n\n{link}\n\nIf you did not request this change, ignore this message and do not use {link?the link|the token}.',
  email_change_mail_subject: 'A change of your e-mail address was requested',
  email_change_mail_text:
    'We received a request to change the e-mail address of your Tawthiq account to {email}. The current address remains until the new one is confirmed.\n\nIf you did not request this, cancel the change {undo?here|with this token} within {days:day} and set a new password:\n\n{undo}',
  email_change_notice_mail_subject: 'A change of your e-mail address was requested',
  email_change_notice_mail_text:
    'We received a request to change the e-mail address of your Tawthiq account to {email}. The current address remains until the new one is confirmed.\n\nIf you did not request this, cancel the change in your account, set a new password and contact us.',
  undone_mail_subject: 'Changes of your account were undone',
  undone_mail_text:
    'Changes of your Tawthiq account were undone. All sessions have ended, and the password is no longer valid. Set a new password {link?here|with this token} within {minutes:minute}:\n\n{link}\n\nAfter that time, request a new password.',
  undo_mail_text:
    'If this was not you, undo it {undo?here|with this token} within {days:day}:\n\n{undo}\n\nThis also undoes later changes, and ends all sessions. You then set a new password. If it was you, do not use {undo?the link|the token}.',
  no_undo_mail_text: 'If this was not you, set a new password at once and contact us.',
  consent_mail_text:
    'If you changed it, no action is needed. The new address can reset your password after {hours:hour}. To allow this at once, use {consent?this link|this token}:\n\n{consent}',
  phone_mail_subject: 'Your phone number was changed',
  phone_mail_text: 'The phone number of your Tawthiq account was changed to {phone}.',
  email_released_text:
    'Tawthiq: your e-mail address was removed from your account, because its owner did not recognize it. Log in as {email} and enter another one.',
  email_sms:
    'The e-mail address of your Tawthiq account was changed. If this was not you, check your e-mail and contact us.',
  email_undo_sms:
    'The e-mail address of your Tawthiq account was changed. If this was not you, undo it within {days:day}. Code: {code}',
  phone_undo_sms:
    'The phone number of your Tawthiq account was changed. If this was not you, undo it within {days:day}. Code: {code}',
  phone_sms:
    'The phone number of your Tawthiq account was changed. If this was not you, check your e-mail and contact us.',

  // Codes. Each is one SMS. `{resend}` differs each time that a code is sent again, because some providers drop repeated texts.
  // Calls say `otp_prompt`, and after the key `{key}` the digits of the code one by one.
  otp_text:
    'Your Tawthiq verification code is {code}. It is valid for {minutes:minute}. It confirms your phone number. Do not share it with anyone.{resend}',
  reset_otp_text:
    'Your Tawthiq code for a NEW PASSWORD is {code}. It is valid for {minutes:minute}. Do not share it with anyone. We will never ask you for it.{resend}',
  otp_prompt: 'This is Tawthiq, with the code that confirms your phone number. To hear the code, press {key}.',
  otp_speech: 'Your Tawthiq verification code is: {digits}. Again: {digits}. Do not share it with anyone.',
  factor_reset_otp_text:
    'Your Tawthiq code to REMOVE YOUR SECOND FACTORS is {code}. It is valid for {minutes:minute}. Never share it with anyone.{resend}',

  // The password
  password_undo_sms:
    'The password of your Tawthiq account was changed. If this was not you, undo it within {days:day}. Code: {code}',
  reset_mail_subject: 'Set a new password',
  reset_mail_text:
    'We received a request to set a new password for your Tawthiq account. Set it {link?here|with this token} within {minutes:minute}:\n\n{link}\n\nIf you did not request this, ignore this message. Your password remains unchanged.',
  claim_mail_subject: 'Is this your account?',
  claim_mail_text:
    'We received a request to set a new password for a Tawthiq account with this e-mail address, which was never confirmed. If the account is yours, set the password {link?here|with this token} within {minutes:minute}. You also need a code that we send to the phone number of the account:\n\n{link}\n\nIf the account is not yours, you can remove your e-mail address from it {link?on the same page|with the same token}.',
  password_mail_subject: 'Your password was changed',
  password_mail_text: 'The password of your Tawthiq account was changed.',
  password_reset_mail_subject: 'Your password was reset by phone',
  password_reset_mail_text:
    'The password of your Tawthiq account was set with a code that was sent to its phone number.',
  reset_link_text:
    'Tawthiq: we have sent a link for a new password to {email}. If you did not request it, ignore this message.',
  reset_sms: 'The password of your Tawthiq account was reset by e-mail. If this was not you, contact us at once.',
  undone_sms:
    'Changes of your Tawthiq account were undone by e-mail, and its password is no longer valid. If this was not you, contact us at once.',

  // Second factors
  factors_undo_sms:
    'The second factors of your Tawthiq account were changed. If this was not you, undo it within {days:day}. Code: {code}',
  passkey_added_mail_subject: 'A passkey was added',
  passkey_added_mail_text: 'A passkey was added to your Tawthiq account. A login now requires a second factor.',
  passkey_removed_mail_subject: 'A passkey was removed',
  passkey_removed_mail_text: 'A passkey was removed from your Tawthiq account.',
  totp_added_mail_subject: 'An authenticator app was added',
  totp_added_mail_text: 'An authenticator app was added to your Tawthiq account. A login now requires its code.',
  totp_removed_mail_subject: 'The authenticator app was removed',
  totp_removed_mail_text: 'The authenticator app was removed from your Tawthiq account.',
  recovery_codes_renewed_mail_subject: 'Your recovery codes were renewed',
  recovery_codes_renewed_mail_text:
    'The recovery codes of your Tawthiq account were renewed, and the previous ones are no longer valid.',
  half_login_mail_subject: 'Your password was used without a second factor',
  half_login_mail_text: 'A login had your password, but no second factor. If this was not you, change your password.',
  recovery_code_used_mail_subject: 'A recovery code was used',
  recovery_code_used_mail_text:
    'Someone logged in to your Tawthiq account with the password and a recovery code. If this was not you, change your password at once and contact us.',
  factors_sms:
    'Tawthiq: the second factors of your account were changed or used. If this was not you, contact us at once.',
  factor_reset_mail_subject: 'Reset your second factors',
  factor_reset_mail_text:
    'Someone who knows the password of your Tawthiq account asked to remove its second factors. If this was you, continue {link?here|with this token} within {minutes:minute}. If we sent a code to your phone number, you need it too:\n\n{link}\n\nIf this was not you, change your password at once.',
  factor_reset_pending_mail_subject: 'Your second factors will be removed',
  factor_reset_pending_mail_text:
    'The second factors of your Tawthiq account will be removed after {hours:hour}. From then on, the password alone is required to log in.\n\nIf this was not you, cancel it {link?here|with this token} and change your password:\n\n{link}',
  factor_reset_final_mail_subject: 'Your second factors will be removed',
  factor_reset_final_mail_text:
    'The second factors of your Tawthiq account will be removed after {hours:hour}. From then on, the password alone is required to log in.\n\nIf this was not you, change your password and contact us: only our support can cancel it.',
  factor_reset_sms:
    'Tawthiq: your second factors will be removed after {hours:hour}. If this was not you, follow our e-mail about it, or contact us.',
  admin_factor_reset_mail_subject: 'The second factors of an administrator will be removed',
  admin_factor_reset_mail_text:
    'The second factors of the administrator {email} will be removed after {hours:hour}, at the request of another administrator. If you do not expect this, contact both at once.',
  factors_removed_mail_subject: 'Your second factors were removed',
  factors_removed_mail_text:
    'Our support removed the second factors of your Tawthiq account and ended its sessions. The password alone is now required to log in. If you did not ask for this, contact us at once.',
  factors_undone_mail_subject: 'Your second factors were removed',
  factors_undone_mail_text:
    'The password of your Tawthiq account was reset, or a change of it was undone. Passkeys, an authenticator app or recovery codes that had been added shortly before were removed, because another person can have added them. Log in, check your second factors and add your own again.',
  admin_factors_removed_mail_subject: 'The second factors of an administrator were removed',
  admin_factors_removed_mail_text:
    'The operator of the service removed the second factors of the administrator {email} and ended the sessions. If you do not expect this, contact both at once.',
}
