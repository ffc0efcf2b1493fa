import type { Catalogue } from './catalogue.ts'

export const en: Catalogue = {
  email_mail_subject: 'Your e-mail address was changed',
  email_mail_text: 'The e-mail address of your Tawthiq account was changed to {email}.',
  deletion_mail_subject: 'Your account will be deleted',
  deletion_mail_text: 'Your Tawthiq account will be deleted in {days:day}. To keep it, log in and cancel the deletion.',
  export_mail_subject: 'Your data was exported',
  export_mail_text:
    'The data of your Tawthiq account was exported, including all of its files. If you did not request this, change your password at once and contact us.',
  outbox_read: 'These messages were not sent.',
  service_live: 'The service is running.',
  service_ready: 'The service is ready.',
  malformed_request: 'The request is malformed.',
  multipart_boundary_missing: 'The Content-Type of the form has no boundary. Let your HTTP client set this header.',
  transfer_encoding_unsupported: 'The encoding of a part of the form is not supported. Send its bytes unchanged.',
  otp_wrong: 'The verification code is wrong.',
  token_missing: 'Log in to continue.',
  token_invalid: 'Log in to continue.',
  token_expired: 'Your session has expired. Log in again.',
  token_revoked: 'Your session has ended. Log in again.',
  credentials_wrong: 'The e-mail address or the password is wrong.',
  refresh_token_invalid: 'Your session has ended. Log in again.',
  account_suspended: 'This account is suspended.',
  admin_required: 'You do not have permission for this action.',
  mfa_enrollment_required: 'Add a passkey or an authenticator app first. Administrators need a second factor.',
  reauthentication_required: 'Confirm your password to continue.',
  route_unknown: 'The path does not exist.',
  file_unknown: 'The file does not exist.',
  session_unknown: 'The session does not exist.',
  user_unknown: 'The user does not exist.',
  event_unknown: 'The event does not exist.',
  method_not_allowed: 'The method is not allowed for this path.',
  request_timeout: 'The request took too long to arrive.',
  body_too_large: 'The request is too large.',
  media_type_unsupported: 'The content type is not supported.',
  expectation_failed: 'The value of the Expect header is not supported.',
  invalid_data: 'invalid_data',
  rate_limited: 'Too many attempts. Wait a moment and try again.',
  challenge_required: 'Confirm that you are not a robot, and try again.',
  otp_cooldown: 'A code was just sent to this number. Wait before you request another one.',
  otp_send_limit: 'Too many codes were sent to this number. Try again later.',
  otp_tries_exhausted: 'Too many wrong codes for this number. Request a new code later.',
  email_tries_exhausted: 'Too many wrong codes for this e-mail address. Request a new code, or use the link.',
  headers_too_large: 'The request headers are too large or too many.',
  unexpected: 'An unexpected error occurred. Try again later.',
  overloaded: 'The service is busy. Try again in a moment.',
  database_unavailable: 'The service is currently unavailable. Try again in a moment.',
  limits_unavailable: 'The service is currently unavailable. Try again in a moment.',
  sms_unavailable: 'The message could not be sent. Try again in a moment.',
  mail_unavailable: 'E-mail is currently unavailable.',
  storage_unavailable: 'Files are currently unavailable. Try again in a moment.',
  shutting_down: 'The service is currently unavailable. Try again in a moment.',
  accepted: 'Accepted: {accepted}.',
  example: 'For example: {example}',
  line: 'The JSON is invalid at line {line}, column {column}.',
  header: 'Send the header {header} once.',
  escape: 'Percent-encode the characters of the URL as UTF-8, for example {escape}.',
  required: 'This field is required.',
  unknown_field: 'This field is unknown.',
  wrong_type: 'This value has the wrong type.',
  wrong_format: 'This value has the wrong format.',
  not_allowed: 'This value is not allowed.',
  too_short: 'This must have at least {limit:character}.',
  too_long: 'This must have at most {limit:character}.',
  too_small: 'This must be at least {limit}.',
  too_large: 'This must be at most {limit}.',
  too_few: 'Send at least {limit:value}.',
  too_many: 'Send at most {limit:value}.',
  repeated: 'A value is repeated.',
  email_taken: 'This e-mail address is already registered.',
  unknown_id: 'This option does not exist.',
  inactive_id: 'This option is no longer available.',
  wrong_parent: 'This option does not belong to the option selected before it.',
  national_id_implausible: 'This number does not match the type of identity document. Check the digits.',
  date_unreal: 'This date does not exist.',
  date_not_gregorian: 'Use the Gregorian calendar.',
  age_not_allowed: 'The age must be between {min} and {max:year}.',
  reset_token_wrong: 'This link has expired or was already used. Request a new one.',
  email_token_wrong: 'This link has expired, was already used or was replaced.',
  undo_token_wrong: 'This link has expired or was already used.',
  token_wrong: 'This link has expired, was already used or no longer has an effect.',
  reset_phone_missing: 'This e-mail address and the phone number of the account were never confirmed. Contact us.',
  password_wrong: 'The current password is wrong.',
  password_common: 'This password is too common. Choose another one.',
  password_guessable: 'This password is easy to guess. Avoid names, dates and keyboard patterns, or use several words.',
  password_breached: 'This password is known from a data breach. Choose another one.',
  password_is_email: 'The password must not be the e-mail address.',
  password_too_long: 'The password is too long.',
  file_type_not_allowed: 'Accepted: still JPEG, PNG and WebP images, and PDF for documents.',
  file_link_unknown: 'This is not the link of your stored file.',
  file_unreadable: 'The file is damaged or incomplete.',
  file_active_content: 'The PDF contains scripts, actions or attachments. Save a copy without them.',
  file_encrypted: 'The PDF is encrypted. Save an unprotected copy.',
  file_too_large: 'The file must not exceed {limit} MB.',
  image_too_large: 'The image has too many pixels.',
  own_account: 'You cannot do this to your own account.',
  not_a_lawyer: 'This is not a lawyer account.',
  profile_incomplete: 'The profile of this account is not complete.',
  outdated: 'The data has changed in the meantime. Reload it and try again.',

  // Messages that verify an e-mail address or a phone number, and notices of a change of it or of the phone number
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
  digest_mail_subject: 'More notices about your account',
  digest_mail_text:
    'This message replaces {count:notice} about your Tawthiq account within an hour:\n\n{lines}\n\nIf this was not you, set a new password at once and contact us.',
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
  factors_undo_sms:
    'The second factors of your Tawthiq account were changed. If this was not you, undo it within {days:day}. Code: {code}',
  password_undo_sms:
    'The password of your Tawthiq account was changed. If this was not you, undo it within {days:day}. Code: {code}',
  phone_sms:
    'The phone number of your Tawthiq account was changed. If this was not you, check your e-mail and contact us.',

  // Messages with a code. Each is one SMS. `{resend}` differs each time that a code is sent again, because some providers drop
  // repeated texts. Calls say `otp_prompt`, and after the key `{key}` the digits of the code one by one.
  otp_sent_whatsapp: 'A verification code was sent by WhatsApp.',
  otp_sent_voice: 'We are calling you with a verification code.',
  otp_text:
    'Your Tawthiq verification code is {code}. It is valid for {minutes:minute}. It confirms your phone number. Do not share it with anyone.{resend}',
  reset_otp_text:
    'Your Tawthiq code for a NEW PASSWORD is {code}. It is valid for {minutes:minute}. Do not share it with anyone. We will never ask you for it.{resend}',
  otp_prompt: 'This is Tawthiq, with the code that confirms your phone number. To hear the code, press {key}.',
  otp_speech: 'Your Tawthiq verification code is: {digits}. Again: {digits}. Do not share it with anyone.',

  // Rejections of a request because of its Idempotency-Key
  idempotency_in_progress: 'Another request with the same Idempotency-Key is running. Try again in a moment.',
  idempotency_outcome_unknown: 'A message may already have been sent. Wait for it, or request another one.',
  idempotency_session_ended: 'Your account was created. Log in.',
  idempotency_key_reused: 'This Idempotency-Key was already used for another request.',

  // E-mails and SMS about a reset of the password, and the notice of a change
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

  // Messages about invalid phone numbers
  phone_invalid: 'This is not a valid phone number.',
  phone_not_mobile: 'This must be a mobile number.',
  phone_type_not_allowed: 'Verification codes cannot be sent to numbers of this type.',
  phone_code_unknown: 'This country code is unknown.',
  phone_code_mismatch: 'The phone number has another country code.',
  country_not_served: 'Messages cannot be sent to this country.',
  channel_not_offered: 'Codes cannot be sent to this country by this channel.',
  phone_taken: 'This phone number is already registered.',

  events_unavailable: 'No webhook endpoint is configured.',
  signature_wrong: 'The signature of the request is missing or wrong.',
  sms_provider_unknown: 'This SMS provider does not exist, or its receipts are not configured.',
  mfa_required: 'Confirm with your authenticator app, a passkey or a recovery code.',
  mfa_code_wrong: 'The code is wrong or was used before.',
  code_wrong: 'The code is wrong, has expired or was used before.',
  totp_not_begun: 'There is no authenticator app to confirm. Begin again.',
  second_factor_missing: 'Your account has no second factor.',
  verified_contact_required: 'Verify your e-mail address or your phone number first.',
  factors_unavailable: 'Second factors are not available at the moment.',
  passkey_unknown: 'The passkey does not exist.',
  passkey_wrong: 'This passkey was not accepted. Try again.',
  passkey_known: 'This passkey was already added.',
  passkeys_max: 'You can have at most {limit} passkeys. Remove one first.',
  passkeys_unavailable: 'Passkeys are not available at the moment.',
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

  factor_reset_unavailable: 'Only our support can reset your second factors. Contact us.',
  factor_reset_otp_text:
    'Your Tawthiq code to REMOVE YOUR SECOND FACTORS is {code}. It is valid for {minutes:minute}. Never share it with anyone.{resend}',
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
