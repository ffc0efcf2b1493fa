// Generated from openapi/ by `npm run generate`. Do not edit.

import type { Upload } from '../upload.ts'

export interface paths {
  '/api/v1/auth/register': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Register an account
     * @description Creates an account and logs it in.
     *     Registration is atomic: on any error, nothing is stored.
     *
     *     The profile is not complete yet: `profile_complete` is false, and `GET /api/v1/profile` returns null for missing values.
     *     Complete it with `PUT /api/v1/profile`.
     *
     *     | Phone number | Effect of `otp` |
     *     |---|---|
     *     | with the calling code `966` | required: the code that `POST /api/v1/auth/check-phone` sent to the number |
     *     | with another calling code | optional: the correct code verifies the number, and a wrong code is ignored. Without a code, the number is stored unverified. |
     *
     *     Every wrong code counts towards the limits of `POST /api/v1/auth/confirm-phone`.
     *     An unverified number is not reserved: several accounts can have it until one of them verifies it.
     *
     *     One form can serve both account types: fields of the other account type are ignored, and are neither validated nor stored.
     *     Other unknown fields are rejected as `unknown_field`.
     *
     *     | Rate limit | Value |
     *     |---|---|
     *     | Requests of one network with an e-mail address or phone number that is taken | 60 in 15 minutes |
     *     | Registrations of one network | 300 per hour |
     *     | Requests of one network with an Idempotency-Key, including retries | 120 per minute |
     *
     *     Updates of a profile with taken e-mail addresses or phone numbers count towards the first limit.
     *     A request with a used `Idempotency-Key` and another body counts as a wrong password of `POST /api/v1/auth/login`.
     *
     *     | Error | Returned if |
     *     |---|---|
     *     | `400 multipart_boundary_missing` | the `Content-Type` of a form has no `boundary` parameter |
     *     | `400 transfer_encoding_unsupported` | a part of the form has a `Content-Transfer-Encoding` other than `7bit`, `8bit` or `binary`, such as `base64` |
     *     | `409 idempotency_in_progress` | another request with the same `Idempotency-Key` is running |
     *     | `409 idempotency_session_ended` | the first request with this `Idempotency-Key` created the account, but the session that it began has ended, or the account is suspended |
     *     | `422 email_taken` on `email` | an account already has the e-mail address |
     *     | `422 phone_taken` on `phone` | an account has already verified the number |
     *     | `422 otp_wrong` on `otp` | the required code is wrong or expired, or none was sent |
     *     | `429 challenge_required` | the operator has configured a CAPTCHA, the number is not confirmed by `otp`, and `challenge_response` is missing or not valid |
     *     | `429 otp_tries_exhausted` | too many wrong codes were sent for the number |
     *     | `429 rate_limited` | a limit of the table is reached, or the network has sent too many wrong codes, or a used `Idempotency-Key` was repeated with too many other bodies |
     *     | `503 limits_unavailable` | the store of the rate limits does not respond, so nothing is sent |
     *
     *     The guide Errors lists the errors that all operations share.
     */
    post: operations['register']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/auth/login': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Log in
     * @description Logs in with e-mail address and password, and starts a session.
     *     The response and its timing are the same for an unknown e-mail address and for a wrong password.
     *
     *     Rate limits count failed attempts only. Above a limit, all attempts are rejected, even with the correct password.
     *     Existing sessions are not affected.
     *     A network from which the account has completed a login in the last 90 days is known to it. It is rejected only after 10 wrong passwords for the account there in 15 minutes: failures of other accounts in the same network, and failures elsewhere, do not affect it. For codes of a second factor, only logins since the first factor count.
     *     A recovery code is not rejected because of wrong codes in other networks.
     *
     *     If the account has a second factor, send a `code` as well, or use `POST /api/v1/auth/login/passkey` instead. Without a code, a correct password gets `403 mfa_required`.
     *     Password and code are one attempt: a wrong code counts as a failure, and a correct password without a code does not.
     *
     *     | Rate limit | Value |
     *     |---|---|
     *     | Wrong passwords for one account, of one network | 10 in 15 minutes |
     *     | Wrong passwords and passkeys of one network | 30 in 5 minutes |
     *     | Wrong passwords and passkeys of one IPv6 /56 network | 60 in 5 minutes |
     *     | Wrong passwords and passkeys of one IPv6 /48 network | 120 in 5 minutes |
     *     | Wrong passwords for one account, of all networks that it has not logged in from in the last 90 days together | 100 per day |
     *     | Wrong codes of a second factor for one account, of all networks that it has not logged in from since its first factor together | 100 per day |
     *     | Wrong codes of a second factor for one account, of one network that it has logged in from since its first factor | 10 in 15 minutes |
     *
     *     Wrong passwords at `POST /api/v1/profile/password`, `POST /api/v1/auth/reauthenticate` and `POST /api/v1/account/deletion` count towards the daily limits, which do not appear in `RateLimit`.
     *     A new password resets the failures of the account.
     *
     *     | Error | Returned if |
     *     |---|---|
     *     | `401 credentials_wrong` | the e-mail address is unknown or the password is wrong |
     *     | `401 mfa_code_wrong` | the password is correct, and the code is wrong or was used before |
     *     | `403 mfa_required` | the password is correct, the account has a second factor, and `code` is left out |
     *     | `403 account_suspended` | the password is correct, and the account is suspended |
     *     | `429 rate_limited` | a limit of the table is reached |
     *     | `503 factors_unavailable` | the operator has not enabled second factors, or the service lacks the key of authenticator apps |
     *
     *     The guide Errors lists the errors that all operations share.
     */
    post: operations['login']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/auth/forgot-password': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Request a password reset
     * @description Sends a password reset token by e-mail, or a password reset code by SMS or WhatsApp.
     *     The response and its timing do not reveal whether the account exists or whether a message was sent.
     *
     *     | The account has | Message |
     *     |---|---|
     *     | a verified e-mail address that can recover it | a token that resets the password |
     *     | an e-mail address that was never verified with a login | a token that resets the password together with a code by SMS, or releases the address |
     *     | a verified phone number that can recover it | a code, or a link as follows |
     *     | an e-mail address or phone number that cannot recover it at present, or a phone number that was never verified | none |
     *
     *     Unless the operator has configured otherwise, a phone number leads to a token by e-mail instead of a code if the account has a verified e-mail address that can recover it. An address that was verified after the number does so 7 days later.
     *     An SMS then names the address, masked and shortened.
     *     Administrators never get a code.
     *
     *     - The e-mail address and phone number of the registration can recover the account as soon as they are verified.
     *     - A replacement can recover it 72 hours after the change. Until then, the previous one can.
     *     - The SMS states that the code sets a new password. The text of a WhatsApp message is defined by WhatsApp and does not. The code is not valid for any other purpose.
     *     - `channel` selects how the code is sent. If messages by that channel are rejected or do not arrive, it is sent by SMS. The response does not tell by which channel it was sent.
     *     - If a reset page is configured, the e-mail links to it and contains the token in the fragment: `#token=…`, or `#/route?token=…` if the URL of the page already contains a route. Read it with `location.hash`: browsers do not send fragments to servers.
     *
     *     | Limit | Value |
     *     |---|---|
     *     | Validity of the token | 15 minutes |
     *     | Validity of the code | 5 minutes |
     *     | E-mails for one account | 5 per hour, 2 of them reserved for networks that the account knows and for requests with a valid `challenge_response` |
     *     | Codes for one number | those of `POST /api/v1/auth/check-phone`, counted together |
     *
     *     | Rate limit | Value |
     *     |---|---|
     *     | Requests of one network, for any numbers | 10 per minute, 30 per hour |
     *     | Requests of one network with an Idempotency-Key, including retries | 120 per minute |
     *
     *     Requests of one network include `POST /api/v1/auth/check-phone`.
     *     An account knows a network from which it completed a login, with a verified phone number and with what a login requires today, more than 24 hours and less than 90 days ago.
     *     If the operator has configured a CAPTCHA, requests beyond 80% of the hourly limit, or of the network's daily share of the SMS budgets, need a valid `challenge_response`, whether or not the account exists.
     *
     *     | Error | Returned if |
     *     |---|---|
     *     | `409 idempotency_in_progress` | another request with the same `Idempotency-Key` is running |
     *     | `409 idempotency_outcome_unknown` | the first request with this `Idempotency-Key` was interrupted and may have sent a message |
     *     | `422 country_not_served` on `phone_code` | the operator does not send messages to this country |
     *     | `422 channel_not_offered` on `channel` | the operator does not send codes by this channel to this country |
     *     | `429 challenge_required` | the network has used up most of a limit, and `challenge_response` is missing or not valid; or `by` is `email`, and it is not valid |
     *     | `429 rate_limited` | the network has reached its limit |
     *     | `503 mail_unavailable` | `by` is `email`, and the service has no mail server |
     *     | `503 sms_unavailable` | `by` is `phone`, and the operator does not allow resets by SMS |
     *     | `503 limits_unavailable` | the store of the rate limits does not respond, so nothing is sent |
     *
     *     The guide Errors lists the errors that all operations share.
     */
    post: operations['requestPasswordReset']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/auth/reset-password': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Set a new password
     * @description Sets a new password with the token or the code that `POST /api/v1/auth/forgot-password` sent.
     *     The token and the code are valid for one use.
     *     All sessions of the account are revoked; log in with the new password.
     *
     *     An e-mail address that was never verified can be mistyped. So can one that was only verified by a link without a login, if the account has a phone number that can recover it, or a second factor.
     *     A reset with its token also requires a code:
     *
     *     1. Send the token and the password without `otp`. The response is `422 required` on `otp`, and a code is sent to the phone number of the account.
     *     2. Repeat the request with the code as `otp`. The password is changed, and the address is verified.
     *
     *     A reset has these effects:
     *
     *     - All other tokens and codes that were sent for the account become invalid, and a pending change of the e-mail address is cancelled.
     *     - Passkeys, an authenticator app and recovery codes that were added within the last 7 days are removed: another person can have added them.
     *     - The other identifier of the account cannot recover it for 72 hours if it was verified within the last 72 hours, or if it is younger and replaced another one within the last 7 days. One that was verified earlier is not affected.
     *     - A phone number that replaced another one less than 72 hours ago must be verified again: `phone_verified` is then false.
     *     - An e-mail address that replaced another one less than 72 hours ago is replaced by the previous one, which can reset the password until then.
     *     - After a reset with a previous phone number, this number replaces the current one.
     *     - A message about it is sent to the e-mail address, and after a reset by e-mail to the verified phone number too. The other identifier can undo it if it is old enough: `POST /api/v1/auth/undo`.
     *     - A reset by e-mail suspends a phone number that reset the password within the last 7 days for 72 hours.
     *
     *     Wrong codes count towards the limits of `POST /api/v1/auth/confirm-phone`, and wrong tokens towards the limit of rejected access tokens.
     *
     *     | Error | Returned if |
     *     |---|---|
     *     | `422 reset_token_wrong` on `token` | the token is wrong, used or expired |
     *     | `422 reset_phone_missing` on `token` | the e-mail address was never verified with a login, and no phone number can recover the account; the owner of the address can release it with `POST /api/v1/auth/email/release` |
     *     | `422 required` on `otp` | the e-mail address was never verified with a login; a code was sent to the phone number |
     *     | `422 otp_wrong` on `otp` | the code is wrong or expired, was sent for a registration or a change of the number, or no longer resets the password of the account |
     *     | `429 otp_tries_exhausted` | too many wrong codes were sent for the number |
     *     | `429 otp_cooldown`, `429 otp_send_limit` | no code can be sent to the number at present |
     *     | `429 rate_limited` | the network has sent too many wrong codes or tokens, or too many requests for codes |
     *     | `503 sms_unavailable` | the operator does not allow resets by SMS, or the SMS could not be sent |
     *     | `503 limits_unavailable` | the store of the rate limits does not respond, so nothing is sent |
     *
     *     The guide Errors lists the errors that all operations share.
     */
    post: operations['resetPassword']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/auth/undo': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Undo changes of an account
     * @description Undoes changes that the owner of an account did not make, with the token or the code of a notice about them.
     *
     *     Changes of the e-mail address, the phone number, the password and the second factors are announced. Up to two of the notices have a proof:
     *
     *     | Notice | Proof |
     *     |---|---|
     *     | an e-mail to the address that could reset the password when the change was made; a new address can do so after 72 hours, and until then the address before it can | `by: token` with the token of its link, `#token=…&action=cancel` |
     *     | an SMS to the phone number that could recover the account when the change was made, unless an SMS of the last 24 hours has a code | `by: phone` with the number that received it, and the code |
     *
     *     A password reset by phone is announced with a token only, to an address that had been verified for 72 hours, and before the number or for 7 days. A reset by e-mail is announced with a code only, to a number that was verified before the address.
     *
     *     A proof is valid for one use within 7 days. It undoes all changes since the earliest valid proof for the same address or number.
     *     While a change of the e-mail address is pending, and nothing else was changed, its token only cancels it.
     *
     *     Undoing changes has these effects:
     *
     *     - The e-mail address and the phone number are those before the changes. A token verifies the address. After a token, a number that was not verified before the address, or has reset the password since, cannot recover the account for 72 hours.
     *     - All sessions of the account are revoked, and the password becomes unusable.
     *     - Passkeys, an authenticator app and recovery codes that were added less than 7 days before the changes or after them are removed. Older ones that were removed or replaced since are restored.
     *     - A deletion of the account that was requested since is cancelled, and so is a pending reset of the second factors, once.
     *     - All other tokens and codes that were sent since become invalid.
     *     - After a code, if another account has taken the address in the meantime, the account gets one that receives no e-mail, as by `POST /api/v1/auth/email/release`.
     *     - A message with a link that sets a new password is sent to the address: always after a token, and after a code if the address was verified with a login, before the number or at least 7 days ago.
     *
     *     Then request a new password with `POST /api/v1/auth/forgot-password`.
     *     An address that was verified before a number ends the codes of the number if its owner consents to a change of the address, or resets the password. A reset by phone, and a code, end the tokens of addresses that were verified after the number and less than 7 days ago.
     *
     *     Ask the user before you send a token: programs that check links can open the page.
     *
     *     | Error | Returned if |
     *     |---|---|
     *     | `422 undo_token_wrong` on `token` | the token is wrong, used or expired |
     *     | `422 otp_wrong` on `otp` | the code is wrong, used or expired, was sent to another number, or another account has verified the number |
     *     | `422 email_taken` on `token` | another account has verified the previous address in the meantime |
     *     | `429 rate_limited` | the network has sent too many wrong tokens or codes, which count towards the limit of rejected access tokens |
     *
     *     The guide Errors lists the errors that all operations share.
     */
    post: operations['undoChanges']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/auth/email/release': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Release an e-mail address
     * @description Removes an e-mail address that was never verified with a login from the account that uses it.
     *     Offer this to the owner of the address if the account is not theirs, for example because the address was mistyped.
     *     The owner can then register with the address.
     *
     *     Send the token that `POST /api/v1/auth/forgot-password` sent to the address.
     *     It gives no access to the account:
     *
     *     - The account gets an address that receives no e-mail, such as `account-7-3f9c2a1b@released.invalid`, until its user enters another one.
     *     - An address that has replaced another one within the last 72 hours is replaced by that one instead.
     *     - Its sessions are revoked. Its password remains, and the user can log in with it and the new address.
     *     - If its phone number can recover the account, an SMS tells the user the new address. Administrators find it in the profile.
     *
     *     | Error | Returned if |
     *     |---|---|
     *     | `422 reset_token_wrong` on `token` | the token is wrong, used or expired, or resets the password without a code |
     *
     *     The guide Errors lists the errors that all operations share.
     */
    post: operations['releaseEmail']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/auth/check': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Check a token
     * @description Returns the account that the access token belongs to.
     *     The account and the session are checked on every request: a token becomes invalid as soon as its session ends or its account is suspended.
     */
    get: operations['checkToken']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/auth/email/verify': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Send a verification e-mail
     * @description Sends a link and a 6-digit code to an e-mail address of the account, to be confirmed with `POST /api/v1/auth/email/confirm`.
     *
     *     | `email` | A message is sent if |
     *     |---|---|
     *     | left out, or the current address | the current address was not verified with a login, or can no longer recover the account |
     *     | the pending address | a change to this address is pending |
     *     | any other address | never |
     *
     *     If no message is sent, the response is the same.
     *     To cancel a pending change instead, use `POST /api/v1/auth/email/cancel`.
     *
     *     The first message is sent automatically by a registration, and by `PUT /api/v1/profile` with a new address.
     *
     *     - The link is valid for 24 hours, and the code for 15 minutes. Earlier messages remain valid.
     *     - If a page for e-mail addresses is configured, the link leads to it and contains `token=…&action=confirm` in the fragment. Otherwise, the message contains the token alone.
     *
     *     | Rate limit | Value |
     *     |---|---|
     *     | Messages to one address, of all accounts | 10 per day |
     *     | Delay between two messages to one address | 60 s |
     *     | Messages of one account | 5 per hour, 10 per day |
     *
     *     | Error | Returned if |
     *     |---|---|
     *     | `429 rate_limited` | a limit of the table is reached |
     *     | `503 mail_unavailable` | the service has no mail server |
     *
     *     The guide Errors lists the errors that all operations share.
     */
    post: operations['requestEmailVerification']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/auth/email/confirm': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Confirm an e-mail address
     * @description Verifies an e-mail address of the account, with the token of a link, or with the code of the same message and an access token.
     *     A pending address replaces the current one.
     *
     *     - A token works without an access token, on any device. An address that was only verified in this way cannot reset the password of an account with a phone number or a second factor by itself: see `POST /api/v1/auth/reset-password`.
     *     - Sessions are not affected.
     *
     *     | Confirmed address | Can reset the password |
     *     |---|---|
     *     | the address of the registration | at once |
     *     | a replacement | after 72 hours, or as soon as the previous address consents |
     *
     *     After a change, the previous address receives a message. If that address could reset the password, the message has two tokens:
     *
     *     - One undoes the change with `POST /api/v1/auth/email/cancel`.
     *     - The other, sent to this operation, allows the new address to reset the password at once.
     *
     *     | Limit | Value |
     *     |---|---|
     *     | Wrong attempts at one code | 5, then the code is invalid; links remain valid |
     *     | Validity of the two tokens for the previous address | 7 days |
     *
     *     | Rate limit | Value | Error |
     *     |---|---|---|
     *     | Wrong codes of one account | 10 per day | `email_tries_exhausted` |
     *
     *     Above this limit, all codes of the account are invalid until the day ends.
     *
     *     | Error | Returned if |
     *     |---|---|
     *     | `401 token_missing` | `by` is `code`, and the request has no access token |
     *     | `422 email_token_wrong` on `token` | the token is wrong, used or expired, or its change was replaced by another one |
     *     | `422 otp_wrong` on `code` | the code is wrong or expired, or none was sent |
     *     | `422 email_taken` on `token` or `code` | another account has taken the address in the meantime |
     *     | `429 email_tries_exhausted` | too many wrong codes were sent |
     *     | `429 rate_limited` | the network has sent too many wrong tokens, which count towards the limit of rejected access tokens |
     *
     *     The guide Errors lists the errors that all operations share.
     */
    post: operations['confirmEmail']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/auth/email/cancel': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Cancel an e-mail change
     * @description Cancels a pending change of the e-mail address, or undoes a confirmed one.
     *
     *     | Request | State of the change | Effect |
     *     |---|---|---|
     *     | With an access token and without `token` | pending | The change is cancelled. The new address can no longer be confirmed. |
     *     | With an access token and without `token` | none or confirmed | None; the response is the same. |
     *     | With the `token` that was sent to the previous address | pending | The change is cancelled. |
     *     | With the `token` that was sent to the previous address | confirmed | The change is undone: the previous address is restored as verified, all sessions are revoked, and the password becomes unusable. |
     *
     *     The token is valid for one use within 7 days, and requires no access token.
     *     Once the change is confirmed, only another undo, or a reset by a phone number that is older than the address, invalidates it earlier. The tokens of all notices are accepted.
     *     If the previous address could not yet reset the password, because it had replaced another one less than 72 hours before, the token is sent to that one.
     *
     *     Undoing a change undoes all other changes since, with the effects of `POST /api/v1/auth/undo`, which takes the same token.
     *
     *     | Error | Returned if |
     *     |---|---|
     *     | `401 token_missing` | the request has neither a `token` nor an access token |
     *     | `422 email_token_wrong` on `token` | the token is wrong, used or expired |
     *     | `422 email_taken` on `token` | another account has verified the previous address in the meantime |
     *     | `429 rate_limited` | the network has sent too many wrong tokens, which count towards the limit of rejected access tokens |
     *
     *     The guide Errors lists the errors that all operations share.
     */
    post: operations['cancelEmailChange']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/auth/check-phone': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Send a code by SMS
     * @description Checks whether a phone number is eligible for registration, and sends it a one-time code of 6 digits by SMS, or by the requested `channel`.
     *
     *     - The code can be confirmed for 5 minutes with `POST /api/v1/auth/confirm-phone`. Another request in this time sends the same code again, for another 5 minutes, and does not reset the confirmation attempts. The same applies to a confirmed number, as long as its code can be used.
     *     - On success, `Retry-After` states in how many seconds the next code can be sent to this number, `Code-Channel` by which channel this code was sent, and `Offered-Channels` by which channels the next one can be sent.
     *     - If messages by another channel are rejected or do not arrive in this country at present, the code is sent by SMS, except to numbers that receive calls only. All channels share one code and the limits below.
     *
     *     See the guides for the [screens](/docs/en/phone-verification/) and for [budgets and challenges](/docs/en/rate-limits/).
     *
     *     | Rate limit | Value | Error |
     *     |---|---|---|
     *     | Requests of one network, for any numbers | 10 per minute, 30 per hour | `rate_limited` |
     *     | Codes for numbers that are at most 500 apart | 36 per hour | `rate_limited` |
     *     | Codes of one network for numbers that are at most 500 apart | 5 per hour | `rate_limited` |
     *     | Codes for numbers that are at most 50000 apart | 200 per hour | `rate_limited` |
     *     | Codes of one network for numbers that are at most 50000 apart | 10 per hour | `rate_limited` |
     *     | Requests of one network with an Idempotency-Key, including retries | 120 per minute | `rate_limited` |
     *     | Delay between two codes for one number, of one network | 60 s, then 120 s, then 300 s | `otp_cooldown` |
     *     | Delay between two codes for one number, of all networks | 60 s | `otp_cooldown` |
     *     | Codes for one number, of one network | 5 per hour, 10 per day | `otp_send_limit` |
     *     | Networks that can request codes for one number | 8 per day | `otp_send_limit` |
     *     | Codes for one number, of all networks | 24 per day | `otp_send_limit` |
     *
     *     Requests of one network include `POST /api/v1/auth/forgot-password`, and wrong codes at `POST /api/v1/auth/confirm-phone` lead to `429 otp_tries_exhausted` here too.
     *     For codes for one number, a network is an IPv4 address or an IPv6 /48 network.
     *     `RateLimit` contains the limits of the caller only, without the limits of similar numbers and the daily budgets of the operator.
     *
     *     | Error | Returned if |
     *     |---|---|
     *     | `400 multipart_boundary_missing` | the `Content-Type` of a form has no `boundary` parameter |
     *     | `400 transfer_encoding_unsupported` | a part of the form has a `Content-Transfer-Encoding` other than `7bit`, `8bit` or `binary`, such as `base64` |
     *     | `409 idempotency_in_progress` | another request with the same `Idempotency-Key` is running |
     *     | `409 idempotency_outcome_unknown` | the first request with this `Idempotency-Key` was interrupted and may have sent a message |
     *     | `422 phone_taken` on `phone` | an account has already verified the number |
     *     | `422 country_not_served` on `phone_code` | the operator does not send messages to this country |
     *     | `422 phone_type_not_allowed` on `phone` | numbers of this type cannot receive codes by this channel: landlines receive calls only, and premium-rate numbers receive nothing |
     *     | `422 channel_not_offered` on `channel` | the operator does not send codes by this channel to this country |
     *     | `429 challenge_required` | the network has used up most of a limit, or only the reserve of the country or of similar numbers is left, and `challenge_response` is missing or not valid |
     *     | `429 otp_cooldown`, `429 otp_send_limit`, `429 otp_tries_exhausted`, `429 rate_limited` | a limit of the table is reached |
     *     | `503 sms_unavailable` | all providers have rejected the message, and the request does not count against the number; or a provider has not confirmed the message, which can still arrive, and the request counts |
     *     | `503 limits_unavailable` | the store of the rate limits does not respond, so nothing is sent |
     *
     *     The guide Errors lists the errors that all operations share.
     */
    post: operations['checkPhone']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/auth/confirm-phone': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Confirm a phone number
     * @description Confirms a phone number with the code that `POST /api/v1/auth/check-phone` sent to it.
     *
     *     - Confirmation does not consume the code. For 10 minutes, it can be sent as `otp` where a verified number is required.
     *     - Confirming the same code again also returns `200`, so a lost response can be retried.
     *     - Every wrong code counts as an attempt, even if no code is active. A code that was used already is rejected too, but does not count. Neither `400` nor `429` reveals whether a number has an account or was sent a code.
     *     - A resent code does not reset the attempts.
     *
     *     | Rate limit | Value | Error |
     *     |---|---|---|
     *     | Wrong codes of one network, for any numbers | 60 in 5 minutes | `rate_limited` |
     *     | Wrong codes for one number, of a network that requested a code within a day, or of all others together | 5 in 10 minutes | `otp_tries_exhausted` |
     *     | Wrong codes for one number, of a network that requested a code within a day | 10 per day | `otp_tries_exhausted` |
     *     | Wrong codes for one number, of all other networks together | 10 per day | `otp_tries_exhausted` |
     *     | Wrong codes for one number, of all networks | 50 per day | `otp_tries_exhausted` |
     *
     *     For codes for one number, a network is an IPv4 address or an IPv6 /48 network.
     *     A network that requested a code has 5 attempts per day of its own. Its further attempts count towards the 10 attempts that networks share.
     *
     *     | Error | Returned if |
     *     |---|---|
     *     | `400 otp_wrong` | the code is wrong or expired, is a password reset code, or the number has no code |
     *     | `400 multipart_boundary_missing` | the `Content-Type` of a form has no `boundary` parameter |
     *     | `400 transfer_encoding_unsupported` | a part of the form has a `Content-Transfer-Encoding` other than `7bit`, `8bit` or `binary`, such as `base64` |
     *     | `429 otp_tries_exhausted`, `429 rate_limited` | a limit of the table is reached |
     *
     *     The guide Errors lists the errors that all operations share.
     */
    post: operations['confirmPhone']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/auth/refresh': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Refresh a token
     * @description Exchanges a refresh token for a new access token and a new refresh token.
     *
     *     | Expires | After |
     *     |---|---|
     *     | Refresh token | 30 days without use |
     *     | Session | 90 days after the login |
     *
     *     A refresh token can be sent again, so lost responses and parallel tabs are safe:
     *
     *     | Sent again | Result |
     *     |---|---|
     *     | within 30 seconds | the same successor |
     *     | later, while neither the successor nor its access token has been used | another successor; the unused one becomes invalid |
     *     | later, after one of them has been used | treated as theft: **the session is revoked** |
     *
     *     An older refresh token, or a successor that was replaced, revokes the session as well.
     *
     *     Rejected refresh tokens count towards the limit of rejected access tokens.
     *
     *     | Error | Returned if |
     *     |---|---|
     *     | `401 refresh_token_invalid` | the refresh token is wrong, used or expired, or its session has ended |
     *
     *     The guide Errors lists the errors that all operations share.
     */
    post: operations['refreshToken']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/auth/reauthenticate': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Confirm your password
     * @description Confirms the password and replaces the session of the request with a new session that has recent authentication.
     *     The response is the same as that of a login.
     *     The previous session is revoked, with its access tokens and its refresh token.
     *
     *     Recent authentication lasts 900 seconds unless the operator configures another period.
     *
     *     If the account has a second factor, send a `code` as well, or use `POST /api/v1/auth/reauthenticate/passkey` instead.
     *
     *     | Rate limit | Value |
     *     |---|---|
     *     | Wrong passwords and passkeys of one account with an access token, of one network | 10 in 15 minutes |
     *
     *     Wrong passwords at `POST /api/v1/profile/password` and `POST /api/v1/account/deletion` count towards the same limit.
     *
     *     | Error | Returned if |
     *     |---|---|
     *     | `403 mfa_required` | the password is correct, the account has a second factor, and `code` is left out |
     *     | `422 password_wrong` on `password` | the password is wrong |
     *     | `422 code_wrong` on `code` | the password is correct, and the code is wrong or was used before |
     *     | `429 rate_limited` | a limit of the table is reached, or a daily limit of `POST /api/v1/auth/login` |
     *     | `503 factors_unavailable` | the operator has not enabled second factors, or the service lacks the key of authenticator apps |
     *
     *     The guide Errors lists the errors that all operations share.
     */
    post: operations['reauthenticate']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/auth/logout': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Log out
     * @description Ends the session of the access token.
     *     Its access tokens and its refresh token become invalid at once.
     *     The request has no body.
     */
    post: operations['logout']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/auth/sessions': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List your sessions
     * @description Returns the sessions of the account, most recently used first.
     *     An account has at most 50 sessions. A further login revokes the least recently used session.
     */
    get: operations['listSessions']
    put?: never
    post?: never
    /**
     * Revoke the other sessions
     * @description Revokes all sessions of the account except the session of the request.
     *     Their tokens become invalid at once.
     *     A pending change of the e-mail address is cancelled, and tokens and codes that were sent for it become invalid. Those that reset the password remain valid.
     *     An e-mail address or a phone number that another session has changed less than 72 hours ago is replaced by the previous one. A number without a previous one that can recover the account must be verified again.
     *
     *     Requires recent authentication: the password, and a second factor if the account has one, proven on this session within the last 900 seconds, unless the operator configures another period.
     *
     *     | Error | Returned if |
     *     |---|---|
     *     | `403 reauthentication_required` | the session has no recent authentication |
     *
     *     The guide Errors lists the errors that all operations share.
     */
    delete: operations['revokeOtherSessions']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/auth/sessions/{session_id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Revoke a session
     * @description Revokes a session of the account, which can be the session of the request.
     *     Its tokens become invalid at once.
     *
     *     Requires recent authentication: the password, and a second factor if the account has one, proven on this session within the last 900 seconds, unless the operator configures another period.
     *
     *     | Error | Returned if |
     *     |---|---|
     *     | `403 reauthentication_required` | the session has no recent authentication |
     *     | `404 session_unknown` | the account has no active session with this id |
     *
     *     The guide Errors lists the errors that all operations share.
     */
    delete: operations['revokeSession']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/auth/factors': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List your second factors
     * @description Returns the second factors of the account.
     */
    get: operations['getFactors']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/auth/factors/reset': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Request a reset of second factors
     * @description Begins the reset of the second factors of an account that has lost them, with its e-mail address and password.
     *     Sends a link to the verified e-mail address, and a code to the verified phone number by SMS. Send both to `POST /api/v1/auth/factors/reset/confirm`.
     *
     *     - An account with only one of the two confirms with that one, and the reset takes effect after 7 days instead of 72 hours. Without a verified e-mail address, send the code with the `token` of the response.
     *     - The link and the code are valid for one use. The link and the `token` expire after 15 minutes, and the code after 5 minutes.
     *     - A further request replaces the link and the `token`.
     *     - An owner who has a recovery code does not need a reset: log in with the recovery code.
     *
     *     Wrong passwords count, and are rejected, as by `POST /api/v1/auth/login`.
     *
     *     | Rate limit | Value |
     *     |---|---|
     *     | Requests of one account with its present password for a reset of its second factors | 3 per day |
     *
     *     | Error | Returned if |
     *     |---|---|
     *     | `401 credentials_wrong` | the e-mail address is unknown or the password is wrong |
     *     | `403 account_suspended` | the password is correct, and the account is suspended |
     *     | `409 second_factor_missing` | the account has no second factor |
     *     | `409 factor_reset_unavailable` | the account has no verified e-mail address or phone number, one of them cannot recover it yet, or the account is that of an administrator; another administrator can reset its factors |
     *     | `429 otp_cooldown`, `429 otp_send_limit` | no code can be sent to the number at present |
     *     | `429 rate_limited` | a limit of the table is reached, or one of `POST /api/v1/auth/login` |
     *     | `429 otp_tries_exhausted` | too many wrong codes were sent for this number |
     *     | `503 mail_unavailable` | the service has no mail server |
     *     | `503 sms_unavailable` | the SMS could not be sent |
     *     | `503 limits_unavailable` | the store of the rate limits does not respond, so nothing is sent |
     *
     *     The guide Errors lists the errors that all operations share.
     */
    post: operations['requestFactorReset']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/auth/factors/reset/confirm': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Confirm a reset of second factors
     * @description Confirms the reset of the second factors with the token and the code that `POST /api/v1/auth/factors/reset` sent.
     *     The second factors end at `reset_at`, and all sessions that began before. Until then, the second factors are required as before.
     *
     *     | Verified | Proof | Takes effect after |
     *     |---|---|---|
     *     | E-mail address and phone number | `token` of the link and `otp` | 72 hours |
     *     | E-mail address | `token` of the link | 7 days |
     *     | Phone number | `token` of the response to the request and `otp` | 7 days |
     *
     *     - Messages about it are sent to the e-mail address and to the phone number. The one to the e-mail address contains a link that cancels the reset, unless the address has confirmed it alone.
     *     - A login or a reauthentication with a second factor that was added more than 7 days ago cancels the reset too.
     *     - A reset can be cancelled once. An administrator cancels a later one by a suspension of the account.
     *     - A password reset and a change of the password neither shorten nor complete it.
     *     - If a reset is pending already, its time remains.
     *
     *     From `reset_at`, the account counts as having no second factor: the password alone is required, and the previous app and recovery codes are no longer accepted.
     *
     *     Wrong codes count towards the limits of `POST /api/v1/auth/confirm-phone`, and wrong tokens towards the limit of rejected access tokens.
     *
     *     | Error | Returned if |
     *     |---|---|
     *     | `422 token_wrong` on `token` | the token is wrong, used or expired, or no longer belongs to the account |
     *     | `422 otp_wrong` on `otp` | the code is wrong or expired |
     *     | `422 required` on `otp` | the account has a verified phone number |
     *     | `429 otp_tries_exhausted` | too many wrong codes were sent for the number |
     *     | `429 rate_limited` | the network has sent too many wrong codes or tokens |
     *
     *     The guide Errors lists the errors that all operations share.
     */
    post: operations['confirmFactorReset']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/auth/factors/reset/cancel': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Cancel a reset of second factors
     * @description Cancels a pending reset of the second factors, with the token of the link that was sent to the e-mail address.
     *     The second factors remain.
     *
     *     The reset was requested with the password of the account. Ask the owner to set a new one.
     *
     *     | Error | Returned if |
     *     |---|---|
     *     | `422 token_wrong` on `token` | the token is wrong, used or expired, no reset is pending, or one was cancelled before |
     *     | `429 rate_limited` | the network has sent too many wrong tokens, which count towards the limit of rejected access tokens |
     *
     *     The guide Errors lists the errors that all operations share.
     */
    post: operations['cancelFactorReset']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/auth/totp': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    /**
     * Add the authenticator app
     * @description Adds the authenticator app, with a code that it displays.
     *     From then on, a login and a reauthentication require a code besides the password.
     *
     *     If it is the first second factor of the account:
     *
     *     - The response contains 10 recovery codes. Show them once, for the owner to keep.
     *     - All other sessions of the account are revoked, as by `DELETE /api/v1/auth/sessions`.
     *
     *     Otherwise, the app replaces the previous one, and the recovery codes remain valid.
     *     The owner is notified by e-mail, and by SMS if the phone number is verified.
     *
     *     If the operator requires second factors of administrators, the first one of an administrator also needs an `enrollment_code` from the operator, and so does the first one after the account has become an administrator.
     *     It is valid once, for 24 hours, and a new one replaces it.
     *
     *     | Rate limit | Value |
     *     |---|---|
     *     | Requests of one account that begin or complete the addition of a second factor, or renew recovery codes, of one network | 10 per hour |
     *
     *     Requires recent authentication: the password, and a second factor if the account has one, proven on this session within the last 900 seconds, unless the operator configures another period.
     *
     *     | Error | Returned if |
     *     |---|---|
     *     | `403 reauthentication_required` | the session has no recent authentication |
     *     | `409 totp_not_begun` | no secret waits to be confirmed in this session, or its proof is no longer sufficient: call `POST /api/v1/auth/totp` first |
     *     | `409 verified_contact_required` | the account has neither a phone number that is verified nor an e-mail address that was verified with a login |
     *     | `422 code_wrong` on `code` | the code is wrong; the clock of the device may be wrong |
     *     | `422 required` on `enrollment_code` | the account of an administrator needs an enrollment code |
     *     | `422 code_wrong` on `enrollment_code` | the enrollment code is wrong, used, expired or replaced by a new one |
     *     | `503 factors_unavailable` | the operator has not enabled second factors |
     *
     *     The guide Errors lists the errors that all operations share.
     */
    put: operations['confirmTotp']
    /**
     * Begin to add an authenticator app
     * @description Returns a new secret for an authenticator app with time-based one-time passwords (RFC 6238): SHA-1, 6 digits, 30 seconds.
     *     The app counts as a second factor when `PUT /api/v1/auth/totp` has confirmed it.
     *     A further request replaces a secret that is not confirmed yet. An app that was added before remains valid until a new one is confirmed.
     *     Only the session of the request can confirm the secret.
     *
     *     Send a proof in the body: a `code` or a `credential` of an established second factor, or the `password` if the account has none.
     *     See [Proof of changes](/docs/en/second-factors/). A code is used up, and wrong proofs count towards the limits of `POST /api/v1/auth/reauthenticate`.
     *
     *     | Rate limit | Value |
     *     |---|---|
     *     | Requests of one account that begin or complete the addition of a second factor, or renew recovery codes, of one network | 10 per hour |
     *
     *     Requires recent authentication: the password, and a second factor if the account has one, proven on this session within the last 900 seconds, unless the operator configures another period.
     *
     *     | Error | Returned if |
     *     |---|---|
     *     | `403 mfa_required` | the account has an established second factor, and the request has no proof by one that the header `Mfa-Methods` lists |
     *     | `403 reauthentication_required` | the session has no recent authentication |
     *     | `409 verified_contact_required` | the account has neither a phone number that is verified nor an e-mail address that was verified with a login |
     *     | `422 required` on `password` | the account has no established second factor, and `password` is left out |
     *     | `422 password_wrong` on `password` | the password is wrong |
     *     | `422 code_wrong` on `code` | the code is wrong or was used before |
     *     | `422 passkey_wrong` on `credential` | the account has no such passkey, or its signature, challenge or origin is wrong |
     *     | `503 factors_unavailable` | the operator has not enabled second factors |
     *     | `503 passkeys_unavailable` | the operator has not configured passkeys |
     *
     *     The guide Errors lists the errors that all operations share.
     */
    post: operations['beginTotp']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/auth/totp/remove': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Remove the authenticator app
     * @description Removes the authenticator app, and a secret that is not confirmed yet.
     *     With the last second factor, the recovery codes are removed too, and a login requires the password alone.
     *     The owner is notified by e-mail, and by SMS if the phone number is verified. Returns the same response if there is no app.
     *
     *     Send a proof in the body: a `code` or a `credential` of an established second factor, or the `password` if the account has none.
     *     See [Proof of changes](/docs/en/second-factors/). A code is used up, and wrong proofs count towards the limits of `POST /api/v1/auth/reauthenticate`.
     *
     *     Requires recent authentication: the password, and a second factor if the account has one, proven on this session within the last 900 seconds, unless the operator configures another period.
     *
     *     | Error | Returned if |
     *     |---|---|
     *     | `403 mfa_required` | the account has an established second factor, and the request has no proof by one that the header `Mfa-Methods` lists |
     *     | `403 reauthentication_required` | the session has no recent authentication |
     *     | `422 required` on `password` | the account has no established second factor, and `password` is left out |
     *     | `422 password_wrong` on `password` | the password is wrong |
     *     | `422 code_wrong` on `code` | the code is wrong or was used before |
     *     | `422 passkey_wrong` on `credential` | the account has no such passkey, or its signature, challenge or origin is wrong |
     *     | `503 passkeys_unavailable` | the operator has not configured passkeys |
     *     | `503 factors_unavailable` | the operator has not enabled second factors, or the service lacks the key of authenticator apps |
     *
     *     The guide Errors lists the errors that all operations share.
     */
    post: operations['removeTotp']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/auth/recovery-codes': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Renew the recovery codes
     * @description Returns 10 new recovery codes. The previous ones become invalid.
     *     The new ones are established after 7 days.
     *     The owner is notified by e-mail, and by SMS if the phone number is verified.
     *
     *     Send a proof in the body: a `code` or a `credential` of an established second factor, or the `password` if the account has none.
     *     See [Proof of changes](/docs/en/second-factors/). A code is used up, and wrong proofs count towards the limits of `POST /api/v1/auth/reauthenticate`.
     *
     *     | Rate limit | Value |
     *     |---|---|
     *     | Requests of one account that begin or complete the addition of a second factor, or renew recovery codes, of one network | 10 per hour |
     *
     *     Requires recent authentication: the password, and a second factor if the account has one, proven on this session within the last 900 seconds, unless the operator configures another period.
     *
     *     | Error | Returned if |
     *     |---|---|
     *     | `403 mfa_required` | the account has an established second factor, and the request has no proof by one that the header `Mfa-Methods` lists |
     *     | `403 reauthentication_required` | the session has no recent authentication |
     *     | `409 second_factor_missing` | the account has no second factor |
     *     | `422 required` on `password` | the account has no established second factor, and `password` is left out |
     *     | `422 password_wrong` on `password` | the password is wrong |
     *     | `422 code_wrong` on `code` | the code is wrong or was used before |
     *     | `422 passkey_wrong` on `credential` | the account has no such passkey, or its signature, challenge or origin is wrong |
     *     | `503 passkeys_unavailable` | the operator has not configured passkeys |
     *     | `503 factors_unavailable` | the operator has not enabled second factors, or the service lacks the key of authenticator apps |
     *
     *     The guide Errors lists the errors that all operations share.
     */
    post: operations['renewRecoveryCodes']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/auth/login/passkey/options': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Begin a passkey login
     * @description Returns the options of `navigator.credentials.get()` for a login, with a challenge. They are the same for all accounts.
     *     With `mediation: conditional`, the browser offers passkeys among the suggestions of an input field with `autocomplete="username webauthn"`.
     *
     *     | Rate limit | Value |
     *     |---|---|
     *     | Challenges of one network for logins with a passkey | 60 per minute |
     *
     *     | Error | Returned if |
     *     |---|---|
     *     | `503 passkeys_unavailable` | the operator has not configured passkeys |
     *
     *     The guide Errors lists the errors that all operations share.
     */
    post: operations['beginPasskeyLogin']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/auth/login/passkey': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Log in with a passkey
     * @description Logs in with a passkey and starts a session. The response is the same as that of `POST /api/v1/auth/login`.
     *     No password and no code are required: a passkey counts as both factors.
     *
     *     Rate limits count failed attempts only, together with those of `POST /api/v1/auth/login`.
     *
     *     | Rate limit | Value |
     *     |---|---|
     *     | Wrong passwords and passkeys of one network | 30 in 5 minutes |
     *     | Wrong passwords and passkeys of one IPv6 /56 network | 60 in 5 minutes |
     *     | Wrong passwords and passkeys of one IPv6 /48 network | 120 in 5 minutes |
     *
     *     | Error | Returned if |
     *     |---|---|
     *     | `401 credentials_wrong` | no account has the passkey, or its signature, challenge or origin is wrong. The response does not reveal which. |
     *     | `403 account_suspended` | the passkey is correct, and the account is suspended |
     *     | `503 passkeys_unavailable` | the operator has not configured passkeys |
     *
     *     The guide Errors lists the errors that all operations share.
     */
    post: operations['loginWithPasskey']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/auth/reauthenticate/passkey/options': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Begin a passkey reauthentication
     * @description Returns the options of `navigator.credentials.get()` for a reauthentication, with a challenge that is valid for this session only.
     *
     *     | Rate limit | Value |
     *     |---|---|
     *     | Challenges of one account for reauthentications with a passkey, of one network | 60 per minute |
     *
     *     | Error | Returned if |
     *     |---|---|
     *     | `503 passkeys_unavailable` | the operator has not configured passkeys |
     *
     *     The guide Errors lists the errors that all operations share.
     */
    post: operations['beginPasskeyReauthentication']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/auth/reauthenticate/passkey': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Confirm your passkey
     * @description Confirms a passkey of the account and replaces the session of the request with a new session that has recent authentication, like `POST /api/v1/auth/reauthenticate`.
     *
     *     | Rate limit | Value |
     *     |---|---|
     *     | Wrong passwords and passkeys of one account with an access token, of one network | 10 in 15 minutes |
     *
     *     | Error | Returned if |
     *     |---|---|
     *     | `422 passkey_wrong` on `credential` | the account has no such passkey, or its signature, challenge or origin is wrong |
     *     | `503 passkeys_unavailable` | the operator has not configured passkeys |
     *
     *     The guide Errors lists the errors that all operations share.
     */
    post: operations['reauthenticateWithPasskey']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/auth/passkeys': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Add a passkey
     * @description Adds a passkey to the account. An account has at most 10 passkeys.
     *     From then on, a login and a reauthentication require a passkey, or the password and a second factor.
     *
     *     If it is the first second factor of the account:
     *
     *     - The response contains 10 recovery codes. Show them once, for the owner to keep.
     *     - All other sessions of the account are revoked, as by `DELETE /api/v1/auth/sessions`.
     *
     *     The owner is notified by e-mail, and by SMS if the phone number is verified.
     *
     *     | Rate limit | Value |
     *     |---|---|
     *     | Requests of one account that begin or complete the addition of a second factor, or renew recovery codes, of one network | 10 per hour |
     *
     *     Requires recent authentication: the password, and a second factor if the account has one, proven on this session within the last 900 seconds, unless the operator configures another period.
     *
     *     | Error | Returned if |
     *     |---|---|
     *     | `403 reauthentication_required` | the session has no recent authentication |
     *     | `409 verified_contact_required` | the account has neither a phone number that is verified nor an e-mail address that was verified with a login |
     *     | `422 passkey_wrong` on `credential` | the challenge or the origin is wrong, the proof of the request for the challenge is no longer sufficient, the authenticator has not verified the user, or the credential is malformed |
     *     | `422 passkey_known` on `credential` | the passkey was already added |
     *     | `422 passkeys_max` on `credential` | the account has 10 passkeys |
     *     | `503 factors_unavailable` | the operator has not enabled second factors |
     *     | `503 passkeys_unavailable` | the operator has not configured passkeys |
     *
     *     The guide Errors lists the errors that all operations share.
     */
    post: operations['addPasskey']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/auth/passkeys/options': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Begin to add a passkey
     * @description Returns the options of `navigator.credentials.create()` for a new passkey, with a challenge that is valid for this session only.
     *
     *     Send a proof in the body: a `code` or a `credential` of an established second factor, or the `password` if the account has none.
     *     See [Proof of changes](/docs/en/second-factors/). A code is used up, and wrong proofs count towards the limits of `POST /api/v1/auth/reauthenticate`.
     *
     *     | Rate limit | Value |
     *     |---|---|
     *     | Requests of one account that begin or complete the addition of a second factor, or renew recovery codes, of one network | 10 per hour |
     *
     *     Requires recent authentication: the password, and a second factor if the account has one, proven on this session within the last 900 seconds, unless the operator configures another period.
     *
     *     | Error | Returned if |
     *     |---|---|
     *     | `403 mfa_required` | the account has an established second factor, and the request has no proof by one that the header `Mfa-Methods` lists |
     *     | `403 reauthentication_required` | the session has no recent authentication |
     *     | `409 verified_contact_required` | the account has neither a phone number that is verified nor an e-mail address that was verified with a login |
     *     | `422 required` on `password` | the account has no established second factor, and `password` is left out |
     *     | `422 password_wrong` on `password` | the password is wrong |
     *     | `422 code_wrong` on `code` | the code is wrong or was used before |
     *     | `422 passkey_wrong` on `credential` | the account has no such passkey, or its signature, challenge or origin is wrong |
     *     | `503 factors_unavailable` | the operator has not enabled second factors |
     *     | `503 passkeys_unavailable` | the operator has not configured passkeys |
     *
     *     The guide Errors lists the errors that all operations share.
     */
    post: operations['beginPasskey']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/auth/passkeys/{passkey_id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    /**
     * Rename a passkey
     * @description Changes the name of a passkey.
     *
     *     Requires recent authentication: the password, and a second factor if the account has one, proven on this session within the last 900 seconds, unless the operator configures another period.
     *
     *     | Error | Returned if |
     *     |---|---|
     *     | `403 reauthentication_required` | the session has no recent authentication |
     *     | `404 passkey_unknown` | the account has no passkey with this id |
     *
     *     The guide Errors lists the errors that all operations share.
     */
    put: operations['renamePasskey']
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/auth/passkeys/{passkey_id}/remove': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Remove a passkey
     * @description Removes a passkey. With the last second factor, the recovery codes are removed too, and a login requires the password alone.
     *     The owner is notified by e-mail, and by SMS if the phone number is verified.
     *
     *     Pass the `data` of the response to `PublicKeyCredential.signalUnknownCredential()`, so that the browser no longer offers it.
     *
     *     Send a proof in the body: a `code` or a `credential` of an established second factor, or the `password` if the account has none.
     *     See [Proof of changes](/docs/en/second-factors/). A code is used up, and wrong proofs count towards the limits of `POST /api/v1/auth/reauthenticate`.
     *
     *     Requires recent authentication: the password, and a second factor if the account has one, proven on this session within the last 900 seconds, unless the operator configures another period.
     *
     *     | Error | Returned if |
     *     |---|---|
     *     | `403 mfa_required` | the account has an established second factor, and the request has no proof by one that the header `Mfa-Methods` lists |
     *     | `403 reauthentication_required` | the session has no recent authentication |
     *     | `404 passkey_unknown` | the account has no passkey with this id |
     *     | `422 required` on `password` | the account has no established second factor, and `password` is left out |
     *     | `422 password_wrong` on `password` | the password is wrong |
     *     | `422 code_wrong` on `code` | the code is wrong or was used before |
     *     | `422 passkey_wrong` on `credential` | the account has no such passkey, or its signature, challenge or origin is wrong |
     *     | `503 passkeys_unavailable` | the operator has not configured passkeys |
     *     | `503 factors_unavailable` | the operator has not enabled second factors, or the service lacks the key of authenticator apps |
     *
     *     The guide Errors lists the errors that all operations share.
     */
    post: operations['removePasskey']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/auth/jwks': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the public keys
     * @description Returns the public keys for services that verify access tokens themselves.
     *     The number of requests is not limited.
     *     The body is both a JWK set (RFC 7517) and the response envelope: `keys` is at the top level, where JWT libraries expect it, and in `data`.
     *
     *     Keys are for EdDSA or ES256, as the operator chooses. While a key is replaced, the set can have both.
     *
     *     A verified token can belong to a session that has ended. Use `GET /api/v1/auth/check` to check the session.
     */
    get: operations['getJwks']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/admin/check': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Check for admin privileges
     * @description Returns whether the account is an administrator.
     *     An account without administrator privileges gets `200` with `is_admin: false`.
     */
    get: operations['checkAdmin']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/admin/users': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the users
     * @description Returns the users in pages, newest first.
     *     To get the next page, send `next_cursor` as `cursor` with the same filters. It is null on the last page.
     *
     *     - New registrations do not affect later pages.
     *     - A search covers all accounts. It is fastest with at least three characters.
     *     - **With `q` or a filter, a page can contain fewer users than `limit`, or none, and still have a `next_cursor`** to continue with older accounts. This happens when a search excludes very many accounts.
     *     - Each request is recorded in the audit trail as `users_listed`, with its filters and the ids of the returned users.
     *
     *     Requires recent authentication: the password, and a second factor if the account has one, proven on this session within the last 12 hours.
     *
     *     | Error | Returned if |
     *     |---|---|
     *     | `403 admin_required` | the account is not an administrator |
     *     | `403 mfa_enrollment_required` | the operator requires a second factor of administrators, and the account has none |
     *     | `403 reauthentication_required` | the session has no recent authentication |
     *
     *     The guide Errors lists the errors that all operations share.
     */
    get: operations['adminListUsers']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/admin/users/{user_id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a user
     * @description Returns the profile of a user, in the form that the user sees, and the state of the account.
     *
     *     - File links are valid for 15 minutes. For you, they require the password proven on your session within the last 900 seconds, unless the operator configures another period.
     *     - For lawyers, `national_id_check` and `duplicate_of` support the review. Only administrators see them.
     *     - Each request is recorded in the audit trail as `user_read`.
     *
     *     Requires recent authentication: the password, and a second factor if the account has one, proven on this session within the last 12 hours.
     *
     *     | Error | Returned if |
     *     |---|---|
     *     | `403 admin_required` | the account is not an administrator |
     *     | `403 mfa_enrollment_required` | the operator requires a second factor of administrators, and the account has none |
     *     | `403 reauthentication_required` | the session has no recent authentication |
     *     | `404 user_unknown` | the user does not exist |
     *
     *     The guide Errors lists the errors that all operations share.
     */
    get: operations['adminGetUser']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/admin/users/{user_id}/suspend': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Suspend a user
     * @description Suspends an account and revokes all of its sessions.
     *
     *     - Its access tokens become invalid at once, and its owner cannot log in.
     *     - The reason is stored and is not shown to the user.
     *     - If the account is already suspended, the request has no effect and the stored reason remains.
     *
     *     Requires recent authentication: the password, and a second factor if the account has one, proven on this session within the last 900 seconds, unless the operator configures another period.
     *
     *     | Error | Returned if |
     *     |---|---|
     *     | `403 admin_required` | the account is not an administrator |
     *     | `403 mfa_enrollment_required` | the operator requires a second factor of administrators, and the account has none |
     *     | `403 reauthentication_required` | the session has no recent authentication |
     *     | `404 user_unknown` | the user does not exist |
     *     | `409 idempotency_in_progress` | another request with the same `Idempotency-Key` is running |
     *     | `422 own_account` on `user_id` | the account is your own |
     *
     *     The guide Errors lists the errors that all operations share.
     */
    post: operations['adminSuspendUser']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/admin/users/{user_id}/restore': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Restore a user
     * @description Restores a suspended account.
     *
     *     - Its sessions remain revoked, so the owner must log in again.
     *     - An owner who has undone changes during the suspension gets an e-mail with a link that sets a new password.
     *     - The reason is recorded in the audit trail.
     *     - If the account is not suspended, the request has no effect.
     *
     *     Requires recent authentication: the password, and a second factor if the account has one, proven on this session within the last 900 seconds, unless the operator configures another period.
     *
     *     | Error | Returned if |
     *     |---|---|
     *     | `403 admin_required` | the account is not an administrator |
     *     | `403 mfa_enrollment_required` | the operator requires a second factor of administrators, and the account has none |
     *     | `403 reauthentication_required` | the session has no recent authentication |
     *     | `404 user_unknown` | the user does not exist |
     *     | `409 idempotency_in_progress` | another request with the same `Idempotency-Key` is running |
     *
     *     The guide Errors lists the errors that all operations share.
     */
    post: operations['adminRestoreUser']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/admin/users/{user_id}/factors/reset': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Reset a user's second factors
     * @description Resets the second factors of a user who has lost them, after you have checked the identity of the user.
     *     The second factors end after 24 hours, at `reset_at`. Until then, they are required as before.
     *
     *     - The user is notified by e-mail, with a link that cancels the reset, and by SMS to a verified number. If the user is an administrator, all administrators are notified.
     *     - The link is sent to addresses that can recover the account, unless the user has cancelled a reset before. A login does not cancel the reset. A suspension does.
     *     - If a reset is pending already, the earlier of the two times applies.
     *
     *     Requires recent authentication: the password, and a second factor if the account has one, proven on this session within the last 900 seconds, unless the operator configures another period.
     *
     *     | Error | Returned if |
     *     |---|---|
     *     | `403 admin_required` | the account is not an administrator |
     *     | `403 mfa_enrollment_required` | the operator requires a second factor of administrators, and the account has none |
     *     | `403 reauthentication_required` | the session has no recent authentication |
     *     | `404 user_unknown` | the user does not exist |
     *     | `409 second_factor_missing` | the account has no second factor |
     *     | `409 idempotency_in_progress` | another request with the same `Idempotency-Key` is running |
     *     | `422 own_account` on `user_id` | the account is your own: another administrator must reset its factors |
     *
     *     The guide Errors lists the errors that all operations share.
     */
    post: operations['adminResetFactors']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/admin/users/{user_id}/review': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Review a lawyer
     * @description Approves or rejects a lawyer whose profile is complete.
     *
     *     - The lawyer sees the reason of a rejection as `review_reason`.
     *     - A decision replaces the previous one. Repeating the same decision has no effect.
     *     - `review_version` is required: send the value of the user details, so that the decision applies to the data that you have reviewed.
     *     - A lawyer becomes `pending` again when reviewed data changes: see `PUT /api/v1/profile`.
     *
     *     If `national_id` is implausible or the account has duplicates at the time of the decision, the audit event records this in `subject`, for example `national_id_check=implausible duplicate_of=12,15`.
     *
     *     Requires recent authentication: the password, and a second factor if the account has one, proven on this session within the last 900 seconds, unless the operator configures another period.
     *
     *     | Error | Returned if |
     *     |---|---|
     *     | `403 admin_required` | the account is not an administrator |
     *     | `403 mfa_enrollment_required` | the operator requires a second factor of administrators, and the account has none |
     *     | `403 reauthentication_required` | the session has no recent authentication |
     *     | `404 user_unknown` | the user does not exist |
     *     | `409 idempotency_in_progress` | another request with the same `Idempotency-Key` is running |
     *     | `422 own_account` on `user_id` | the account is your own |
     *     | `422 not_a_lawyer` on `user_id` | the account is not a lawyer account |
     *     | `422 profile_incomplete` on `user_id` | the profile is not complete |
     *     | `422 outdated` on `review_version` | the reviewed data has changed since |
     *
     *     The guide Errors lists the errors that all operations share.
     */
    post: operations['adminReviewLawyer']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/admin/audit': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the audit trail
     * @description Returns the audit trail in pages, newest event first.
     *     To get the next page, send `next_cursor` as `cursor` with the same filters. It is null on the last page.
     *
     *     - E-mail addresses, phone numbers and IP addresses are masked.
     *     - Events are retained for the period that the operator configures, by default one year.
     *     - Each request is recorded in the audit trail as `audit_listed`, with its filters.
     *
     *     Requires recent authentication: the password, and a second factor if the account has one, proven on this session within the last 12 hours.
     *
     *     | Error | Returned if |
     *     |---|---|
     *     | `403 admin_required` | the account is not an administrator |
     *     | `403 mfa_enrollment_required` | the operator requires a second factor of administrators, and the account has none |
     *     | `403 reauthentication_required` | the session has no recent authentication |
     *
     *     The guide Errors lists the errors that all operations share.
     */
    get: operations['adminListAudit']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/admin/events': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List events
     * @description Returns the events for your webhook endpoint in pages, newest first, with the state of their delivery.
     *     To get the next page, send `next_cursor` as `cursor` with the same filters. It is null on the last page.
     *     Events are retained for 30 days.
     *
     *     Requires recent authentication: the password, and a second factor if the account has one, proven on this session within the last 12 hours.
     *
     *     | Error | Returned if |
     *     |---|---|
     *     | `403 admin_required` | the account is not an administrator |
     *     | `403 mfa_enrollment_required` | the operator requires a second factor of administrators, and the account has none |
     *     | `403 reauthentication_required` | the session has no recent authentication |
     *
     *     The guide Errors lists the errors that all operations share.
     */
    get: operations['adminListEvents']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/admin/events/replay': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Replay events
     * @description Delivers one event again, or the events of a period, for example after your system has lost events.
     *
     *     - Replayed events keep their ids and timestamps, and get all of their delivery attempts again.
     *     - Your endpoint can receive events again that it has already accepted.
     *     - A replay of a period skips events that are waiting for an attempt.
     *     - A replay of a period delivers at most 10000 events, oldest first. If there are more, `next_since` is the `since` of the next request.
     *
     *     Requires recent authentication: the password, and a second factor if the account has one, proven on this session within the last 900 seconds, unless the operator configures another period.
     *
     *     | Error | Returned if |
     *     |---|---|
     *     | `403 admin_required` | the account is not an administrator |
     *     | `403 mfa_enrollment_required` | the operator requires a second factor of administrators, and the account has none |
     *     | `403 reauthentication_required` | the session has no recent authentication |
     *     | `404 event_unknown` | no event has this id, or its retention period has ended |
     *     | `409 idempotency_in_progress` | another request with the same `Idempotency-Key` is running |
     *     | `503 events_unavailable` | the service has no webhook endpoint |
     *
     *     The guide Errors lists the errors that all operations share.
     */
    post: operations['adminReplayEvents']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/profile': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get your profile
     * @description Returns the profile of the authenticated account.
     *     `account_type` determines its schema.
     *
     *     `ETag` identifies the version of the profile. It changes with every change of the profile, and also with the language of the response and with renewed file links.
     *     Send it as `If-Match` with `PUT` or `PATCH /api/v1/profile`, where only the version of the profile is compared, or as `If-None-Match` with this request.
     */
    get: operations['getProfile']
    /**
     * Update your profile
     * @description Replaces the profile of the authenticated account.
     *     The update is atomic: on any error, nothing is stored. A `422` lists all invalid fields.
     *
     *     ### Form
     *     `account_type` selects the form. A value that differs from the current type changes the type of the account and requires all fields of the new type.
     *     If an account becomes a client, its lawyer data is retained. A new lawyer has the review status `pending`.
     *
     *     | Field | If it is missing | If it is empty |
     *     |---|---|---|
     *     | required | rejected as `required` | rejected as `required` |
     *     | optional | unchanged | cleared |
     *     | password or file | unchanged | unchanged |
     *
     *     Let your HTTP client set `Content-Type`, which contains the boundary between the parts.
     *
     *     ### Concurrent changes
     *     Send the `ETag` of the profile as `If-Match` to reject the update if the profile has changed in between, for example on another device.
     *     Without it, the last update wins.
     *
     *     ### E-mail address, number and password
     *
     *     | Change | Effect |
     *     |---|---|
     *     | `phone`, with the calling code `966` | requires `otp`: the code that `POST /api/v1/auth/check-phone` sent to the new number |
     *     | `phone`, with another calling code | stores the number unverified, unless `otp` is correct |
     *     | `otp` for the stored number | verifies it, if the code is correct |
     *     | `email`, while the stored address is verified | sets `pending_email`: the new address replaces `email` when it is confirmed |
     *     | `email`, otherwise | replaces the address at once, unverified |
     *     | `password` | revokes all other sessions, and cancels a change of the e-mail address that was pending; tokens and codes that reset the password remain valid |
     *
     *     Another notation of the stored number is not a change. Every wrong code counts towards the limits of `POST /api/v1/auth/confirm-phone`.
     *     The guide [Changing e-mail address and number](/docs/en/contact-changes/) has the details.
     *
     *     ### Review
     *     An approved or rejected lawyer becomes `pending` again when one of these fields changes, or when one of these files is replaced:
     *
     *     - the name, `national_id`, `identity_type`, the date of birth
     *     - `degree`, `other_degree`, the specialties, `sections`, `license_no`
     *     - `company_name`, `company_licences_no`
     *     - the files `national_id_image`, `degree_certificate`, `company_license_file`
     *
     *     Other changes, such as the address, `about` or the languages, do not affect the review.
     *
     *     ### Ignored fields
     *     The `user` object of `GET /api/v1/profile` can be sent back as a form, and one form can serve both account types:
     *
     *     - Read-only members of the profile are ignored: `id`, `name` of a lawyer, `phone_verified`, `email_verified`, `pending_email`, `profile_complete`, `deletion_due_at`, `review_status` and `review_reason`.
     *     - Fields of the other account type are ignored, and so is `other_degree` unless `degree` is 4.
     *     - A file field that contains a file link (`/api/v1/files/…`, with or without its query) leaves the file unchanged.
     *     - Send null as an empty text.
     *
     *     Ignored fields are neither validated nor stored, except that `other_degree` must be well formed.
     *     Other unknown fields are rejected as `unknown_field`.
     *
     *     ### Limits
     *
     *     | Limit | Value |
     *     |---|---|
     *     | Size of the form | 40 MB in total, 64 KB of text |
     *     | Waiting password hashes of one account | 40 |
     *     | Waiting image conversions of one account | 40 |
     *     | Time that a password hash waits | 4 s |
     *     | Time that an image conversion waits | 30 s |
     *
     *     | Rate limit | Value |
     *     |---|---|
     *     | Updates of one account with an e-mail address or phone number that is taken | 60 in 15 minutes |
     *
     *     Updates with taken e-mail addresses or phone numbers also count towards the limit of `POST /api/v1/auth/register`.
     *
     *     A new value of `email`, `phone` or `password` requires recent authentication: the password, and a second factor if the account has one, proven on this session within the last 900 seconds, unless the operator configures another period.
     *
     *     | Error | Returned if |
     *     |---|---|
     *     | `400 multipart_boundary_missing` | `Content-Type` has no `boundary` |
     *     | `400 transfer_encoding_unsupported` | a part has a `Content-Transfer-Encoding` other than `7bit`, `8bit` or `binary` |
     *     | `403 reauthentication_required` | a changed field requires recent authentication |
     *     | `412 outdated` | the profile has changed since the version that `If-Match` names |
     *     | `413 body_too_large` | the form exceeds its size limits or has too many parts |
     *     | `422 email_taken`, `422 phone_taken` | another account has the e-mail address, or had it until a change less than 72 hours ago, or has verified the phone number |
     *     | `422 otp_wrong` on `otp` | the required code is wrong or expired, or none was sent |
     *     | `422 file_too_large` | a file exceeds the limit of its field |
     *     | `429 otp_tries_exhausted` | too many wrong codes were sent for the number |
     *     | `429 rate_limited` | the limit of taken addresses and numbers is reached; only requests with a new e-mail address or phone number are rejected. Or the network has sent too many wrong codes. |
     *     | `503 overloaded` | too many password hashes or image conversions of the account are waiting; nothing is stored |
     *     | `503 storage_unavailable` | the file storage does not respond |
     *
     *     The guide Errors lists the errors that all operations share.
     */
    put: operations['updateProfile']
    post?: never
    delete?: never
    options?: never
    head?: never
    /**
     * Change parts of your profile
     * @description Changes the fields of the profile that the request contains, as a JSON merge patch (RFC 7396).
     *     The change is atomic: on any error, nothing is stored. A `422` lists all invalid fields.
     *
     *     | Field | Effect |
     *     |---|---|
     *     | missing | unchanged |
     *     | a value | replaces the stored value; a list or map is replaced as a whole |
     *     | null, if the field is optional | cleared |
     *     | null, if the field is required | rejected as `required` |
     *     | null for `password` or `otp` | rejected as `wrong_type` |
     *
     *     The result must be a valid form of `PUT /api/v1/profile`, and all rules of that operation apply: required fields, conditional rules, the code for a new phone number, the confirmation of a new e-mail address, the effect of a new password, limits and the review of lawyers.
     *     A profile with `profile_complete: false` is therefore rejected until the request contains all missing required fields.
     *
     *     - `account_type` is only needed to change the type of the account. The request must then contain all fields that the new type requires and the profile does not have.
     *     - `sections` and `license_no` must match after the change. Clearing `sections` clears `license_no`.
     *     - Fields of the other account type and read-only members of the profile are ignored. Other unknown fields are rejected as `unknown_field`.
     *
     *     ### Files
     *     Files are uploaded with `PUT /api/v1/profile`.
     *     Null deletes `profile_photo`, `cv_file` or `logo`. The link of the stored file is ignored.
     *
     *     ### Concurrent changes
     *     Changes of different fields at the same time do not overwrite each other.
     *     Send the `ETag` of the profile as `If-Match` to reject the request if the profile has changed in between.
     *
     *     A new value of `email`, `phone` or `password` requires recent authentication: the password, and a second factor if the account has one, proven on this session within the last 900 seconds, unless the operator configures another period.
     *
     *     | Error | Returned if |
     *     |---|---|
     *     | `403 reauthentication_required` | a changed field requires recent authentication |
     *     | `412 outdated` | the profile has changed since the version that `If-Match` names |
     *     | `422 email_taken`, `422 phone_taken` | another account has the e-mail address, or had it until a change less than 72 hours ago, or has verified the phone number |
     *     | `422 otp_wrong` on `otp` | the required code is wrong or expired, or none was sent |
     *     | `422 not_allowed` on a file | the file is required and can only be replaced |
     *     | `422 file_link_unknown` | the text is not the link of the file that the profile has in this field |
     *     | `429 otp_tries_exhausted` | too many wrong codes were sent for the number |
     *     | `429 rate_limited` | the limit of taken addresses and numbers is reached; only requests with a new e-mail address or phone number are rejected. Or the network has sent too many wrong codes. |
     *     | `503 overloaded` | too many password hashes of the account are waiting, or too many other requests change the profile at the same time; nothing is stored |
     *
     *     The guide Errors lists the errors that all operations share.
     */
    patch: operations['patchProfile']
    trace?: never
  }
  '/api/v1/profile/form': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the profile form
     * @description Returns the profile form of an account type as JSON Schema 2020-12, with labels in the language of the request.
     *     The number of requests is not limited.
     *     Use it to render the form and to validate input before you send it to `PUT /api/v1/profile`.
     *
     *     The schema has the rules that the service validates with.
     *     The service also applies rules that depend on stored data: see `PUT /api/v1/profile`.
     *     Conditions are an `allOf` of `if` and `then`.
     *
     *     | Keyword | Value |
     *     |---|---|
     *     | `title`, `description` | the label of a field, and a hint |
     *     | `oneOf` | the values of an enumeration as `const`, with their names as `title` |
     *     | `x-lookup` | the operation that returns the values, and the field and query parameter that they depend on |
     *     | `x-file` | the accepted media types, the size limit, and when the file is required if none is stored |
     *     | `x-clearable` | an empty value clears the field |
     *     | `x-keys` | the field whose items are the keys of a map: each item is a key, and there are no others |
     *     | `x-group`, `x-groups` | the group of a field, and the titles of the groups |
     *     | `x-birth-date` | the fields of the date of birth, and the limits of the age |
     *     | `x-ignored-fields` | names of other fields that the service ignores |
     *     | `x-messages` | the message of each field code, for errors that a client finds itself |
     *     | `x-visible` | a non-empty text needs a visible character |
     *     | `x-code` | in a condition: the field code, if it is not the usual one of the keyword |
     *
     *     | Error | Returned if |
     *     |---|---|
     *     | `422 required` | `account_type` is missing |
     *     | `422 not_allowed` | `account_type` has another value |
     *
     *     The guide Errors lists the errors that all operations share.
     */
    get: operations['getProfileForm']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/profile/password': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Change your password
     * @description Changes the password.
     *     Requires the current password.
     *     All sessions of the account are revoked, including the one of the request, and the response contains the tokens of a new session.
     *     A pending change of the e-mail address is cancelled, and tokens and codes that were sent for it become invalid. Those that reset the password remain valid.
     *     An e-mail address or a phone number that another session has changed less than 72 hours ago is replaced by the previous one. A number without a previous one that can recover the account must be verified again.
     *
     *     Wrong passwords also count as failed logins of the day: see `POST /api/v1/auth/login`.
     *
     *     | Rate limit | Value |
     *     |---|---|
     *     | Wrong passwords and passkeys of one account with an access token, of one network | 10 in 15 minutes |
     *
     *     Wrong passwords at `POST /api/v1/auth/reauthenticate` and `POST /api/v1/account/deletion` count towards the same limit.
     *
     *     An account with a second factor requires recent authentication: the password, and a second factor if the account has one, proven on this session within the last 900 seconds, unless the operator configures another period.
     *
     *     | Error | Returned if |
     *     |---|---|
     *     | `403 reauthentication_required` | the account has a second factor, and the session has no recent authentication |
     *     | `422 password_wrong` on `current_password` | the current password is wrong |
     *     | `429 rate_limited` | a limit of the table is reached, or a daily limit of `POST /api/v1/auth/login` |
     *
     *     The guide Errors lists the errors that all operations share.
     */
    post: operations['changePassword']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/account/deletion': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Delete your account
     * @description Schedules the account for deletion and revokes all of its sessions.
     *     Requires the current password.
     *
     *     - The account is deleted after 30 days. `deletion_due_at` of the profile states the due date.
     *     - Until then, the owner can log in and cancel the deletion with `DELETE /api/v1/account/deletion`.
     *     - Repeating the request does not change the due date, but revokes the sessions again.
     *
     *     | Data | At the deletion |
     *     |---|---|
     *     | Account, profile, files and sessions | deleted permanently |
     *     | E-mail address and phone number | can be used by another account |
     *     | Audit trail | retains the id of the account and the type and time of its events, without names, addresses or numbers, for the retention period that the operator configures |
     *
     *     | Rate limit | Value |
     *     |---|---|
     *     | Wrong passwords and passkeys of one account with an access token, of one network | 10 in 15 minutes |
     *
     *     Wrong passwords at `POST /api/v1/profile/password` and `POST /api/v1/auth/reauthenticate` count towards the same limit.
     *
     *     An account with a second factor requires recent authentication: the password, and a second factor if the account has one, proven on this session within the last 900 seconds, unless the operator configures another period.
     *
     *     | Error | Returned if |
     *     |---|---|
     *     | `403 reauthentication_required` | the account has a second factor, and the session has no recent authentication |
     *     | `422 password_wrong` on `password` | the password is wrong |
     *     | `429 rate_limited` | a limit of the table is reached, or a daily limit of `POST /api/v1/auth/login` |
     *
     *     The guide Errors lists the errors that all operations share.
     */
    post: operations['requestAccountDeletion']
    /**
     * Cancel the deletion
     * @description Cancels the scheduled deletion of the account.
     *     Returns the same response if no deletion is scheduled.
     */
    delete: operations['cancelAccountDeletion']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/account/export': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Export your data
     * @description Returns the stored data of the account as a ZIP archive, which is generated while it is sent.
     *     Every account that can log in can be exported, including accounts with an incomplete profile or a scheduled deletion.
     *
     *     | Entry | Content |
     *     |---|---|
     *     | `account.json` | the data described by the schema `AccountExport` |
     *     | `files/` | the files of the profile |
     *
     *     `account.json` contains:
     *
     *     - the account, and the profile in the form of `GET /api/v1/profile` with file names in place of links; ids refer to the lookups
     *     - the stored lawyer profile of a client account that was a lawyer account
     *     - the second factors, with the AAGUIDs of passkeys, without secrets, keys and credential ids
     *     - the sessions of the last 90 days, including ended sessions, at most the 500 most recently used
     *     - the audit events of the account, at most the newest 10000
     *
     *     The archive does not contain:
     *
     *     - secrets, such as the hashes of the password and of tokens, codes, and the secrets of authenticator apps
     *     - data about others: the administrators who acted on the account, from where and why, and the actions of the account on others
     *     - full IP addresses; they are masked as in the list of sessions
     *
     *     A deleted account cannot be exported.
     *     The audit trail retains its id and the type and time of its events, without names, addresses or numbers, for legal reasons and for the retention period that the operator configures.
     *
     *     A file that is missing in the storage is listed as `missing`.
     *     If the storage fails during the download, the connection is closed; an incomplete archive cannot be opened.
     *
     *     Each export is recorded in the audit trail as `account_exported`, with the confidential files in it as the subject.
     *     The owner is notified by e-mail.
     *
     *     | Rate limit | Value |
     *     |---|---|
     *     | Exports of one account | 5 per hour |
     *
     *     Failed exports count too.
     *
     *     Requires recent authentication: the password, and a second factor if the account has one, proven on this session within the last 900 seconds, unless the operator configures another period.
     *
     *     | Error | Returned if |
     *     |---|---|
     *     | `403 reauthentication_required` | the session has no recent authentication |
     *     | `429 rate_limited` | the limit of the table is reached |
     *     | `503 storage_unavailable` | the file storage does not respond |
     *
     *     The guide Errors lists the errors that all operations share.
     */
    get: operations['exportAccount']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/meta/limits': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the rate limits
     * @description Returns the rate limits of all operations, with descriptions in the language of the request.
     *     The number of requests is not limited.
     *     The service enforces these numbers, and the tables of the operations show them.
     *
     *     The daily SMS budgets, which the operator sets, are not included.
     */
    get: operations['listRateLimits']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/lookups': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the small lookups
     * @description Returns all values for a profile form in one response: the lookups except regions and cities, and the enumerations with their names.
     *     The number of requests is not limited.
     *     Get regions and cities from `GET /api/v1/lookups/regions` and `GET /api/v1/lookups/cities`.
     */
    get: operations['listLookups']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/lookups/countries': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the countries
     * @description Returns all countries and territories of ISO 3166-1 with their calling codes.
     *     The number of requests is not limited.
     */
    get: operations['listCountries']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/lookups/regions': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the regions
     * @description Returns the regions of all countries.
     *     The number of requests is not limited.
     *     Use `country_id` to list those of one country.
     */
    get: operations['listRegions']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/lookups/cities': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the cities
     * @description Returns the cities.
     *     The number of requests is not limited.
     *     Use `region_id` or `country_id` to list those of one region or country.
     */
    get: operations['listCities']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/lookups/nationalities': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the nationalities
     * @description Returns the nationalities, one for each country.
     *     The number of requests is not limited.
     */
    get: operations['listNationalities']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/lookups/degrees': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the degrees
     * @description Returns the degrees of lawyers. `need_certificate` states whether the degree requires a certificate.
     *     The number of requests is not limited.
     */
    get: operations['listDegrees']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/lookups/general-specialties': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the general specialties
     * @description Returns the general specialties of lawyers.
     *     The number of requests is not limited.
     */
    get: operations['listGeneralSpecialties']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/lookups/accurate-specialties': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the accurate specialties
     * @description Returns the accurate specialties, each within a general specialty.
     *     The number of requests is not limited.
     *     Use `general_specialty_id` to list those of one general specialty.
     */
    get: operations['listAccurateSpecialties']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/lookups/functional-cases': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the functional cases
     * @description Returns the employment statuses of lawyers.
     *     The number of requests is not limited.
     */
    get: operations['listFunctionalCases']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/lookups/languages': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the languages
     * @description Returns the languages that a lawyer can speak.
     *     The number of requests is not limited.
     */
    get: operations['listLanguages']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/lookups/digital-guide-categories': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the guide categories
     * @description Returns the categories of the digital guide with their sections. The ids of the sections are the values of `sections`.
     *     The number of requests is not limited.
     */
    get: operations['listDigitalGuideCategories']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/profile/files/{kind}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Delete a file
     * @description Deletes an optional file of your profile: the photo, the CV or the logo.
     *     Links to the file become invalid at once.
     *     Returns the same response if the profile has no such file.
     *
     *     | Error | Returned if |
     *     |---|---|
     *     | `422 not_allowed` on `kind` | the file cannot be deleted, or the kind does not exist |
     *
     *     The guide Errors lists the errors that all operations share.
     */
    delete: operations['deleteProfileFile']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/files/{file_id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Download a file
     * @description Returns the content of a profile file. Images are served inline, and PDFs as attachments.
     *
     *     | Request | Access |
     *     |---|---|
     *     | With a link, without an access token | for up to 15 minutes; get the profile again for a new link |
     *     | With an access token | the owner of the file, and administrators |
     *
     *     All files except `profile_photo` and `logo` are confidential. Their links are bound to the session that received them and end with it, and each access is recorded in the audit trail.
     *     For the files of another user, except a `profile_photo` or `logo` with its link, an administrator needs the password proven on the session within the last 900 seconds, unless the operator configures another period.
     *     If the operator requires second factors of administrators, the administrator needs one as well.
     *     The number of downloads is not limited.
     *
     *     | Error | Returned if |
     *     |---|---|
     *     | `403 mfa_enrollment_required` | the operator requires a second factor of administrators, and the account has none |
     *     | `403 reauthentication_required` | the session has no recent authentication |
     *     | `404 file_unknown` | the file does not exist, the link has expired, or the account has no access to the file |
     *     | `503 storage_unavailable` | the file storage does not respond |
     *
     *     The guide Errors lists the errors that all operations share.
     */
    get: operations['getFile']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
}
export interface webhooks {
  'account.registered': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Account registered
     * @description An account was registered. The profile is not complete yet: `profile.updated` follows when it is.
     */
    post: operations['accountRegistered']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  'phone.confirmed': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Phone number confirmed
     * @description The phone number of an account was confirmed by a code, in a registration or a profile update.
     *     Confirming a number that no account uses yet sends no event.
     */
    post: operations['phoneConfirmed']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  'profile.updated': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Profile updated
     * @description A profile was updated, or one of its files was deleted.
     *     A lawyer becomes `pending` again if reviewed data has changed.
     */
    post: operations['profileUpdated']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  'lawyer.reviewed': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Lawyer reviewed
     * @description An administrator approved or rejected a lawyer.
     */
    post: operations['lawyerReviewed']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  'account.suspended': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Account suspended
     * @description An administrator suspended an account. Its sessions are revoked.
     */
    post: operations['accountSuspended']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  'account.restored': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Account restored
     * @description An administrator restored a suspended account.
     */
    post: operations['accountRestored']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  'account.deleted': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Account deleted
     * @description An account was deleted at the request of its owner, after the grace period. Its personal data is erased.
     *     Erase the data that you store about it.
     */
    post: operations['accountDeleted']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
}
export interface components {
  schemas: {
    /** @description An error. The header `Error-Code` contains the error code. */
    ErrorResponse: {
      /**
       * @description Always false.
       * @enum {boolean}
       */
      status: false
      /**
       * Format: int32
       * @description The HTTP status. A 422 has its own schema.
       * @example 401
       * @enum {integer}
       */
      code: 400 | 401 | 403 | 404 | 405 | 408 | 409 | 412 | 413 | 415 | 417 | 429 | 431 | 500 | 503
      message: components['schemas']['Message']
      /** @description Always null. */
      data: null
    }
    /** @description An error that lists all invalid fields. */
    ValidationErrorResponse: {
      /**
       * @description Always false.
       * @enum {boolean}
       */
      status: false
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 422
      /**
       * @description Always this word, in all languages.
       * @enum {string}
       */
      message: 'invalid_data'
      data: components['schemas']['ValidationErrors']
    }
    /**
     * @description A stable error code, sent in the header `Error-Code`. Codes can be added, and are never renamed.
     * @enum {string}
     */
    ErrorCode:
      | 'malformed_request'
      | 'multipart_boundary_missing'
      | 'transfer_encoding_unsupported'
      | 'otp_wrong'
      | 'token_missing'
      | 'token_invalid'
      | 'token_expired'
      | 'token_revoked'
      | 'credentials_wrong'
      | 'refresh_token_invalid'
      | 'mfa_code_wrong'
      | 'account_suspended'
      | 'mfa_required'
      | 'admin_required'
      | 'mfa_enrollment_required'
      | 'reauthentication_required'
      | 'signature_wrong'
      | 'route_unknown'
      | 'file_unknown'
      | 'session_unknown'
      | 'passkey_unknown'
      | 'user_unknown'
      | 'event_unknown'
      | 'sms_provider_unknown'
      | 'method_not_allowed'
      | 'request_timeout'
      | 'idempotency_in_progress'
      | 'idempotency_outcome_unknown'
      | 'idempotency_session_ended'
      | 'totp_not_begun'
      | 'second_factor_missing'
      | 'verified_contact_required'
      | 'factor_reset_unavailable'
      | 'outdated'
      | 'body_too_large'
      | 'media_type_unsupported'
      | 'expectation_failed'
      | 'invalid_data'
      | 'rate_limited'
      | 'challenge_required'
      | 'otp_cooldown'
      | 'otp_send_limit'
      | 'otp_tries_exhausted'
      | 'email_tries_exhausted'
      | 'headers_too_large'
      | 'unexpected'
      | 'overloaded'
      | 'database_unavailable'
      | 'limits_unavailable'
      | 'sms_unavailable'
      | 'mail_unavailable'
      | 'factors_unavailable'
      | 'passkeys_unavailable'
      | 'events_unavailable'
      | 'storage_unavailable'
      | 'shutting_down'
    /** @description The registration form of a client. Fields of the lawyer form are ignored. */
    ClientRegistration: {
      /**
       * @description The type of the account. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      account_type: 'client'
      /**
       * Format: idn-email
       * @description The unique e-mail address. It is stored in lower case, with its domain in ASCII: `موقع.السعودية` is stored as `xn--4gbrim.xn--mgberp4a5d4ar`.
       *     The part before `@` has at most 64 characters, and each label of the domain at most 63.
       *     Invisible characters and surrounding spaces are removed.
       * @example client@demo.test
       */
      email: string
      /**
       * Format: password
       * @description A password of 8 to 256 characters, in any script. It is compared after NFKC normalization.
       *     No types of characters are required.
       *
       *     | Rejected password | Code |
       *     |---|---|
       *     | one of the most common passwords | `password_common` |
       *     | the e-mail address | `password_is_email` |
       *     | words, names, dates and keyboard patterns in English and Arabic, alone or with a few digits or signs; the name, e-mail address and phone number of the account | `password_guessable` |
       *     | a password known from data breaches, if the operator enables this check | `password_breached` |
       * @example olive-harbour-58-lantern
       */
      password: string
      phone: components['schemas']['PhoneInput']
      phone_code: components['schemas']['PhoneCodeInput']
      /**
       * @description The code that `POST /api/v1/auth/check-phone` sent to the number, confirmed or not. Required if `phone_code` is 966.
       *     The registration consumes the code.
       * @example 493027
       */
      otp?: string
      challenge_response?: components['schemas']['ChallengeResponse']
      /**
       * @description The full name.
       * @example سارة العتيبي
       */
      name: string
    }
    /** @description The registration form of a lawyer. Fields of the client form are ignored. */
    LawyerRegistration: {
      /**
       * @description The type of the account. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      account_type: 'lawyer'
      /**
       * Format: idn-email
       * @description The unique e-mail address. It is stored in lower case, with its domain in ASCII: `موقع.السعودية` is stored as `xn--4gbrim.xn--mgberp4a5d4ar`.
       *     The part before `@` has at most 64 characters, and each label of the domain at most 63.
       *     Invisible characters and surrounding spaces are removed.
       * @example lawyer@demo.test
       */
      email: string
      /**
       * Format: password
       * @description A password of 8 to 256 characters, in any script. It is compared after NFKC normalization.
       *     No types of characters are required.
       *
       *     | Rejected password | Code |
       *     |---|---|
       *     | one of the most common passwords | `password_common` |
       *     | the e-mail address | `password_is_email` |
       *     | words, names, dates and keyboard patterns in English and Arabic, alone or with a few digits or signs; the name, e-mail address and phone number of the account | `password_guessable` |
       *     | a password known from data breaches, if the operator enables this check | `password_breached` |
       * @example olive-harbour-58-lantern
       */
      password: string
      phone: components['schemas']['PhoneInput']
      phone_code: components['schemas']['PhoneCodeInput']
      /**
       * @description The code that `POST /api/v1/auth/check-phone` sent to the number, confirmed or not. Required if `phone_code` is 966.
       *     The registration consumes the code.
       * @example 493027
       */
      otp?: string
      challenge_response?: components['schemas']['ChallengeResponse']
      /**
       * @description The first name.
       * @example عبدالله
       */
      first_name: string
      /**
       * @description The second name.
       * @example محمد
       */
      second_name: string
      /**
       * @description The third name. Send it empty to clear it.
       * @example سعد
       */
      third_name?: string
      /**
       * @description The fourth name.
       * @example القحطاني
       */
      fourth_name: string
    }
    /** @description A registration form, by account type. */
    RegisterRequest: components['schemas']['ClientRegistration'] | components['schemas']['LawyerRegistration']
    /** @description The account and its access token. */
    AuthenticatedAccount: {
      /**
       * Format: email
       * @description The e-mail address of the account, in lower case.
       * @example client@demo.test
       */
      email: string
      /**
       * @description The access token, a JWT. Send it in the header `Authorization` with the scheme `Bearer`.
       * @example eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl
       */
      token: string
    }
    /** @description The refresh token of a session, and the lifetime of the access token. */
    SessionTokens: {
      /**
       * Format: int32
       * @description The lifetime of the access token in seconds.
       * @example 3600
       */
      expires_in: number
      /**
       * @description Exchange it for the next access token at `POST /api/v1/auth/refresh`, once. Store it as securely as a password.
       * @example 8XbnJXx4T0yAMSOpeMZrLwAAAACCVdUwIQbVwDPWPqzf3Mh6IhvZx-2mUjKkgMvFcDPwNA
       */
      refresh_token: string
    }
    /** @description The account and the tokens of its session. */
    AuthenticationResult: {
      account: components['schemas']['AuthenticatedAccount']
      session: components['schemas']['SessionTokens']
    }
    /** @description The credentials of an account. */
    LoginRequest: {
      /**
       * Format: idn-email
       * @description The e-mail address of the account. Case, invisible characters and surrounding spaces are ignored.
       * @example client@demo.test
       */
      email: string
      /**
       * Format: password
       * @description The password, compared after NFKC normalization.
       * @example Tawthiq-demo-1
       */
      password: string
      /**
       * @description A code of the authenticator app, or a recovery code. Required if the account has a second factor, ignored otherwise.
       *     Case, spaces, hyphens and invisible characters are ignored.
       * @example 493027
       */
      code?: string
    }
    /**
     * @description The token that the CAPTCHA widget of the operator returned to the client. Needed after `429 challenge_required`. A token is valid once.
     * @example 0.zrSnRHO7h0HwSjSCU8oyzbjEtD8p
     */
    ChallengeResponse: string
    /** @description A password reset by e-mail. */
    ForgotPasswordByEmail: {
      /**
       * @description The reset method. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      by: 'email'
      /**
       * Format: idn-email
       * @description The e-mail address of the account.
       * @example client@demo.test
       */
      email: string
      challenge_response?: components['schemas']['ChallengeResponse']
    }
    /**
     * @description The phone number, in any common notation and digits of any script. `0512345678`, `512345678`, `51 234 5678`, `+966512345678`, `tel:+966-51-234-5678` and `٠٥١٢٣٤٥٦٧٨` are equivalent.
     *     Spaces, dashes, dots, parentheses and invisible characters, as in numbers that are pasted from contacts, are ignored.
     *     A number with the calling code `966` must be a mobile number.
     * @example 512345678
     */
    PhoneInput: string
    /**
     * @description The country calling code, in digits of any script. `966`, `+966`, `00966` and `٩٦٦` are equivalent.
     *     Spaces and invisible characters are ignored.
     * @example 966
     */
    PhoneCodeInput: string
    /** @description A password reset by a code that is sent to the phone number. */
    ForgotPasswordByPhone: {
      /**
       * @description The reset method. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      by: 'phone'
      phone: components['schemas']['PhoneInput']
      phone_code: components['schemas']['PhoneCodeInput']
      challenge_response?: components['schemas']['ChallengeResponse']
      /**
       * @description The channel of the code: `sms` or `whatsapp`. The default is `sms`.
       *     If messages by WhatsApp are rejected or do not arrive, the code is sent by SMS.
       *     Both channels share one code and its limits. Codes that set a new password are not sent by a call, which a voicemail can record.
       * @example whatsapp
       * @enum {string}
       */
      channel?: 'sms' | 'whatsapp'
    }
    /** @description The e-mail address or the phone number of the account. */
    ForgotPasswordRequest:
      components['schemas']['ForgotPasswordByEmail'] | components['schemas']['ForgotPasswordByPhone']
    /** @description A new password and the token of the e-mail. */
    ResetPasswordByEmail: {
      /**
       * @description The reset method. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      by: 'email'
      /**
       * @description The token of the e-mail, which follows `token=` in the fragment of the link. Valid for one use.
       * @example q3Jm0mC0pXv1rYQ6b8mYw1cE5t2hG7kL9nRzUaVbXcY
       */
      token: string
      /**
       * @description The code that was sent to the phone number of the account. Required if the e-mail address was never verified with a login, and ignored otherwise.
       *     The reset consumes the code.
       * @example 493027
       */
      otp?: string
      /**
       * Format: password
       * @description A password of 8 to 256 characters, in any script. It is compared after NFKC normalization.
       *     No types of characters are required.
       *
       *     | Rejected password | Code |
       *     |---|---|
       *     | one of the most common passwords | `password_common` |
       *     | the e-mail address | `password_is_email` |
       *     | words, names, dates and keyboard patterns in English and Arabic, alone or with a few digits or signs; the name, e-mail address and phone number of the account | `password_guessable` |
       *     | a password known from data breaches, if the operator enables this check | `password_breached` |
       * @example olive-harbour-58-lantern
       */
      password: string
    }
    /** @description A new password and the code of the SMS. */
    ResetPasswordByPhone: {
      /**
       * @description The reset method. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      by: 'phone'
      phone: components['schemas']['PhoneInput']
      phone_code: components['schemas']['PhoneCodeInput']
      /**
       * @description The code that was sent to the number. The reset consumes it.
       * @example 493027
       */
      otp: string
      /**
       * Format: password
       * @description A password of 8 to 256 characters, in any script. It is compared after NFKC normalization.
       *     No types of characters are required.
       *
       *     | Rejected password | Code |
       *     |---|---|
       *     | one of the most common passwords | `password_common` |
       *     | the e-mail address | `password_is_email` |
       *     | words, names, dates and keyboard patterns in English and Arabic, alone or with a few digits or signs; the name, e-mail address and phone number of the account | `password_guessable` |
       *     | a password known from data breaches, if the operator enables this check | `password_breached` |
       * @example olive-harbour-58-lantern
       */
      password: string
    }
    /** @description A new password, and the token or the code of the reset. */
    ResetPasswordRequest: components['schemas']['ResetPasswordByEmail'] | components['schemas']['ResetPasswordByPhone']
    /** @description The token of an e-mail. */
    UndoByToken: {
      /**
       * @description The kind of the proof. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      by: 'token'
      /**
       * @description The token of the e-mail, which follows `token=` in the fragment of the link. Valid for one use.
       * @example q3Jm0mC0pXv1rYQ6b8mYw1cE5t2hG7kL9nRzUaVbXcY
       */
      token: string
    }
    /** @description The code of an SMS, and the number that it was sent to. */
    UndoByPhone: {
      /**
       * @description The kind of the proof. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      by: 'phone'
      phone: components['schemas']['PhoneInput']
      phone_code: components['schemas']['PhoneCodeInput']
      /**
       * @description The code of the SMS about the change. Valid for one use.
       *     Case, spaces, hyphens and invisible characters are ignored.
       * @example K7QD2-MXAR5
       */
      otp: string
    }
    /** @description The token or the code of a notice. */
    UndoRequest: components['schemas']['UndoByToken'] | components['schemas']['UndoByPhone']
    /** @description The token that releases an e-mail address. */
    ReleaseEmailRequest: {
      /**
       * @description The token of the e-mail, which follows `token=` in the fragment of the link. Valid for one use.
       * @example q3Jm0mC0pXv1rYQ6b8mYw1cE5t2hG7kL9nRzUaVbXcY
       */
      token: string
    }
    /** @description The account of an access token. */
    Account: {
      /**
       * Format: int32
       * @description The id of the account. It never changes and is never reused.
       * @example 1
       */
      id: number
      /**
       * Format: email
       * @description The e-mail address of the account, in lower case.
       * @example client@demo.test
       */
      email: string
      /**
       * @description The type of the account.
       * @example client
       * @enum {string}
       */
      account_type: 'client' | 'lawyer'
    }
    /** @description The account of the access token. */
    CheckTokenResult: {
      account: components['schemas']['Account']
    }
    /** @description The e-mail address to verify. Without it, the current address is meant. */
    EmailVerificationRequest: {
      /**
       * Format: idn-email
       * @description The current or the pending e-mail address of the account.
       * @example new-address@demo.test
       */
      email?: string
    }
    /** @description The token of a link. Requires no access token. */
    ConfirmEmailByToken: {
      /**
       * @description The confirmation method. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      by: 'token'
      /**
       * @description The token of the e-mail, which follows `token=` in the fragment of the link. Valid for one use.
       * @example q3Jm0mC0pXv1rYQ6b8mYw1cE5t2hG7kL9nRzUaVbXcY
       */
      token: string
    }
    /** @description The code of the message. Requires an access token. */
    ConfirmEmailByCode: {
      /**
       * @description The confirmation method. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      by: 'code'
      /**
       * @description The code of the message, in digits of any script.
       * @example 493027
       */
      code: string
    }
    /** @description The token or the code that confirms an e-mail address. */
    ConfirmEmailRequest: components['schemas']['ConfirmEmailByToken'] | components['schemas']['ConfirmEmailByCode']
    /** @description The token that cancels or undoes a change of the e-mail address. Without it, the pending change of the caller is cancelled, which requires an access token. */
    CancelEmailChangeRequest: {
      /**
       * @description The token of the e-mail, which follows `token=` in the fragment of the link. Valid for one use.
       * @example q3Jm0mC0pXv1rYQ6b8mYw1cE5t2hG7kL9nRzUaVbXcY
       */
      token?: string
    }
    /** @description The effect on the change. */
    CancelEmailChangeResult: {
      /**
       * @description True if a confirmed change was undone: all sessions are revoked, and a message with a link that sets a new password is sent.
       *     False if a pending change was cancelled.
       * @example false
       */
      undone: boolean
    }
    /** @description The phone number to send a code to. */
    CheckPhoneRequest: {
      phone_code: components['schemas']['PhoneCodeInput']
      phone: components['schemas']['PhoneInput']
      challenge_response?: components['schemas']['ChallengeResponse']
      /**
       * @description The channel of the code: `sms`, `whatsapp` or `voice`, a call that reads the code aloud after a key was pressed. The default is `sms`.
       *     If messages by another channel are rejected or do not arrive, the code is sent by SMS, if the number may receive SMS.
       *     All channels share one code and its limits.
       * @example whatsapp
       * @enum {string}
       */
      channel?: 'sms' | 'whatsapp' | 'voice'
    }
    /** @description A phone number and the code that was sent to it. */
    ConfirmPhoneRequest: {
      phone_code: components['schemas']['PhoneCodeInput']
      phone: components['schemas']['PhoneInput']
      /**
       * @description The 6-digit code of the SMS, in digits of any script. Spaces, hyphens and invisible characters are ignored.
       * @example 493027
       */
      otp: string
    }
    /** @description The refresh token of a session. */
    RefreshTokenRequest: {
      /**
       * @description The latest refresh token of the session.
       * @example 8XbnJXx4T0yAMSOpeMZrLwAAAACCVdUwIQbVwDPWPqzf3Mh6IhvZx-2mUjKkgMvFcDPwNA
       */
      refresh_token: string
    }
    /** @description A proof of identity. */
    ReauthenticateRequest: {
      /**
       * @description The method of authentication. Further methods can be added.
       * @example password
       * @enum {string}
       */
      method: 'password'
      /**
       * Format: password
       * @description The password, compared after NFKC normalization.
       * @example Tawthiq-demo-1
       */
      password: string
      /**
       * @description A code of the authenticator app, or a recovery code. Required if the account has a second factor, ignored otherwise.
       *     Case, spaces, hyphens and invisible characters are ignored.
       * @example 493027
       */
      code?: string
    }
    /** @description A session of the account on a device. */
    Session: {
      /**
       * Format: uuid
       * @description The id of the session.
       * @example 5b0e3ac7-7d2c-4b0c-8f6a-3c1d2e4f5a6b
       */
      id: string
      /**
       * @description The browser and the operating system, from the `User-Agent`; null if they are unknown.
       * @example Chrome, Windows
       */
      device: string | null
      /**
       * @description The masked IP address of the login.
       * @example 203.0.113.*
       */
      address: string
      /**
       * Format: date-time
       * @description The time of the login.
       * @example 2026-11-20T08:12:00.000Z
       */
      created_at: string
      /**
       * Format: date-time
       * @description The time of the last access token of the session.
       * @example 2026-11-21T09:30:00.000Z
       */
      last_used_at: string
      /**
       * @description True for the session of the request.
       * @example true
       */
      current: boolean
    }
    /** @description The sessions of an account. */
    SessionList: {
      /** @description The sessions, most recently used first. */
      items: components['schemas']['Session'][]
      /**
       * @description The `cursor` of the next page; null on the last page, and always null if the operation has no `cursor`.
       * @example NDI
       */
      next_cursor: string | null
    }
    /** @description The number of revoked sessions. */
    RevokeOtherSessionsResult: {
      /**
       * Format: int32
       * @description The number of sessions that were revoked.
       * @example 2
       */
      ended: number
    }
    /** @description A passkey of the account. */
    Passkey: {
      /**
       * Format: uuid
       * @description The id of the passkey.
       * @example 4f1d2c3b-5a69-4788-9b0c-1d2e3f405162
       */
      id: string
      /**
       * @description The name of the passkey, which the owner chooses.
       * @example MacBook
       */
      name: string
      /**
       * Format: date-time
       * @description The time at which the passkey was added.
       * @example 2026-11-20T08:12:00.000Z
       */
      added_at: string
      /**
       * Format: date-time
       * @description The time of the last login or reauthentication with the passkey; null if there was none.
       * @example 2026-11-21T09:30:00.000Z
       */
      last_used_at: string | null
      /**
       * @description True if the passkey is backed up, for example by a password manager. Other passkeys are lost with their device.
       * @example true
       */
      is_backed_up: boolean
    }
    /** @description The second factors of an account. */
    SecondFactors: {
      /** @description The passkeys, oldest first. */
      passkeys: components['schemas']['Passkey'][]
      /**
       * Format: date-time
       * @description The time at which the authenticator app was added; null if there is none.
       * @example 2026-11-21T09:30:00.000Z
       */
      totp_added_at: string | null
      /**
       * Format: int32
       * @description The number of recovery codes that have not been used.
       * @example 10
       */
      recovery_codes_left: number
      /**
       * Format: date-time
       * @description The time at which a pending reset ends the second factors; null if none is pending.
       * @example 2026-11-21T09:30:00.000Z
       */
      reset_at: string | null
    }
    /** @description The credentials of an account that has lost its second factors. */
    RequestFactorResetRequest: {
      /**
       * Format: idn-email
       * @description The e-mail address of the account. Case, invisible characters and surrounding spaces are ignored.
       * @example client@demo.test
       */
      email: string
      /**
       * Format: password
       * @description The password, compared after NFKC normalization.
       * @example Tawthiq-demo-1
       */
      password: string
    }
    /** @description The token and the code that confirm a reset of the second factors. */
    ConfirmFactorResetRequest: {
      /**
       * @description The token of the link, or that of the response to `POST /api/v1/auth/factors/reset`. Valid for one use.
       * @example q3Jm0mC0pXv1rYQ6b8mYw1cE5t2hG7kL9nRzUaVbXcY
       */
      token: string
      /**
       * @description The code that was sent to the phone number of the account. The confirmation consumes it. Not required of an account without a verified phone number.
       * @example 493027
       */
      otp?: string
    }
    /** @description A pending reset of the second factors. */
    FactorResetResult: {
      /**
       * Format: date-time
       * @description The time from which the account counts as having no second factor.
       * @example 2026-11-24T09:30:00.000Z
       */
      reset_at: string
    }
    /** @description The token that cancels a reset of the second factors. */
    CancelFactorResetRequest: {
      /**
       * @description The token of the e-mail, which follows `token=` in the fragment of the link. Valid for one use.
       * @example q3Jm0mC0pXv1rYQ6b8mYw1cE5t2hG7kL9nRzUaVbXcY
       */
      token: string
    }
    /** @description A code of the authenticator app. */
    ConfirmTotpRequest: {
      /**
       * @description The code that the app displays, in digits of any script. Spaces, hyphens and invisible characters are ignored.
       * @example 493027
       */
      code: string
      /**
       * @description The enrollment code that the operator has given to an administrator. Required for the first second factor of an administrator, and for the first one after the account has become an administrator, if the operator requires second factors of administrators. Ignored otherwise.
       *     Case, spaces, hyphens and invisible characters are ignored.
       * @example K7QD-2MXA-R5TB-WJ4E
       */
      enrollment_code?: string
    }
    /**
     * @description A recovery code, which is valid once.
     * @example ABCD-2345-EFGH-67AB-IJKL-MNOP
     */
    RecoveryCode: string
    /** @description The recovery codes that the account has received with its first factor. */
    ConfirmTotpResult: {
      /**
       * @description The recovery codes, each of which is valid once; null if the account already had a second factor.
       * @example [
       *       "ABCD-2345-EFGH-67AB-IJKL-MNOP",
       *       "QRST-2345-UVWX-67YZ-ABCD-EFGH",
       *       "IJKL-2345-MNOP-67QR-STUV-WXYZ",
       *       "ABCD-3456-EFGH-72AB-IJKL-MNOP",
       *       "QRST-3456-UVWX-72YZ-ABCD-EFGH",
       *       "IJKL-3456-MNOP-72QR-STUV-WXYZ",
       *       "ABCD-4567-EFGH-23AB-IJKL-MNOP",
       *       "QRST-4567-UVWX-23YZ-ABCD-EFGH",
       *       "IJKL-4567-MNOP-23QR-STUV-WXYZ",
       *       "ABCD-5672-EFGH-34AB-IJKL-MNOP"
       *     ]
       */
      recovery_codes: components['schemas']['RecoveryCode'][] | null
    }
    /** @description The response of the authenticator. Unknown members are ignored. */
    PasskeyAssertionData: {
      /**
       * @description The client data: type, challenge and origin. Encoded in base64url.
       * @example eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0
       */
      clientDataJSON: string
      /**
       * @description The authenticator data, encoded in base64url.
       * @example SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MdAAAAAA
       */
      authenticatorData: string
      /**
       * @description The signature, encoded in base64url.
       * @example MEUCIQDc0h
       */
      signature: string
      /**
       * @description The user handle: `user.id` of the options with which the passkey was created.
       * @example bXktdXNlci1oYW5kbGU
       */
      userHandle: string
    } & {
      [key: string]: unknown
    }
    /**
     * @description The credential that `navigator.credentials.get()` returns, serialized with `toJSON()`.
     *     Browsers can add members, so unknown members are ignored.
     */
    PasskeyAssertion: {
      /**
       * @description The id of the credential, encoded in base64url.
       * @example dGF3dGhpcS1wYXNza2V5LTE
       */
      id: string
      response: components['schemas']['PasskeyAssertionData']
    } & {
      [key: string]: unknown
    }
    /**
     * @description A proof of identity. Send one of the members: `code` or `credential` if the account has an established second factor, and `password` otherwise.
     *     Members that are not accepted are ignored.
     */
    FactorChangeProof: {
      /**
       * Format: password
       * @description The password, compared after NFKC normalization. Accepted if the account has no established second factor.
       * @example Tawthiq-demo-1
       */
      password?: string
      /**
       * @description A code of the authenticator app, or a recovery code, whichever is established.
       *     Case, spaces, hyphens and invisible characters are ignored.
       * @example 493027
       */
      code?: string
      /** @description A credential of an established passkey, for the options of `POST /api/v1/auth/reauthenticate/passkey/options`. */
      credential?: components['schemas']['PasskeyAssertion']
    }
    /** @description The secret of an authenticator app. */
    TotpSecret: {
      /**
       * Format: uri
       * @description The secret as an `otpauth` URI. Show it as a QR code.
       * @example otpauth://totp/Tawthiq:client%40demo.test?issuer=Tawthiq&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30
       */
      uri: string
      /**
       * @description The secret in base32, to type into the app.
       * @example JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP
       */
      secret: string
    }
    /**
     * @description The recovery codes. Each is valid once. They cannot be read again.
     * @example [
     *       "ABCD-2345-EFGH-67AB-IJKL-MNOP",
     *       "QRST-2345-UVWX-67YZ-ABCD-EFGH",
     *       "IJKL-2345-MNOP-67QR-STUV-WXYZ",
     *       "ABCD-3456-EFGH-72AB-IJKL-MNOP",
     *       "QRST-3456-UVWX-72YZ-ABCD-EFGH",
     *       "IJKL-3456-MNOP-72QR-STUV-WXYZ",
     *       "ABCD-4567-EFGH-23AB-IJKL-MNOP",
     *       "QRST-4567-UVWX-23YZ-ABCD-EFGH",
     *       "IJKL-4567-MNOP-23QR-STUV-WXYZ",
     *       "ABCD-5672-EFGH-34AB-IJKL-MNOP"
     *     ]
     */
    RecoveryCodes: components['schemas']['RecoveryCode'][]
    /** @description The new recovery codes of an account. */
    RecoveryCodesResult: {
      recovery_codes: components['schemas']['RecoveryCodes']
    }
    /** @description The id and the transports of a passkey, for the browser. */
    PasskeyDescriptor: {
      /**
       * @description The type of the credential.
       * @example public-key
       * @enum {string}
       */
      type: 'public-key'
      /**
       * @description The id of the credential, encoded in base64url.
       * @example dGF3dGhpcS1wYXNza2V5LTE
       */
      id: string
      /**
       * @description The transports of the authenticator.
       * @example [
       *       "internal",
       *       "hybrid"
       *     ]
       */
      transports: string[]
    }
    /** @description The options of `navigator.credentials.get()`, for `PublicKeyCredential.parseRequestOptionsFromJSON()` (WebAuthn Level 3). */
    PasskeyRequestOptions: {
      /**
       * @description The challenge, encoded in base64url. It is valid once, for 300 seconds.
       * @example AXo3YzJmMGEtY2hhbGxlbmdl
       */
      challenge: string
      /**
       * @description The RP ID: the domain that passkeys are bound to.
       * @example example.com
       */
      rpId: string
      /**
       * Format: int32
       * @description The time that the browser waits for the user, in milliseconds.
       * @example 300000
       */
      timeout: number
      /**
       * @description The authenticator must verify the user, for example with a fingerprint or a PIN.
       * @example required
       * @enum {string}
       */
      userVerification: 'required'
      /**
       * @description Always empty: the user chooses a passkey in the browser.
       * @example []
       */
      allowCredentials: components['schemas']['PasskeyDescriptor'][]
    }
    /** @description The credential of a login or a reauthentication. */
    PasskeyLoginRequest: {
      credential: components['schemas']['PasskeyAssertion']
    }
    /** @description The response of the authenticator. Unknown members are ignored. */
    PasskeyAttestationData: {
      /**
       * @description The client data: type, challenge and origin. Encoded in base64url.
       * @example eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0
       */
      clientDataJSON: string
      /**
       * @description The attestation object, which contains the public key, encoded in base64url.
       * @example o2NmbXRkbm9uZQ
       */
      attestationObject: string
      /**
       * @description The transports of the authenticator. The service stores them, and returns them in `excludeCredentials`.
       * @example [
       *       "internal",
       *       "hybrid"
       *     ]
       */
      transports?: string[]
    } & {
      [key: string]: unknown
    }
    /**
     * @description The credential that `navigator.credentials.create()` returns, serialized with `toJSON()`.
     *     Browsers can add members, so unknown members are ignored.
     */
    PasskeyAttestation: {
      /**
       * @description The id of the credential, encoded in base64url.
       * @example dGF3dGhpcS1wYXNza2V5LTE
       */
      id: string
      response: components['schemas']['PasskeyAttestationData']
    } & {
      [key: string]: unknown
    }
    /** @description A new passkey and its name. */
    AddPasskeyRequest: {
      /**
       * @description A name by which the owner recognizes the passkey. Invisible characters and spaces at its ends are removed.
       * @example MacBook
       */
      name: string
      credential: components['schemas']['PasskeyAttestation']
      /**
       * @description The enrollment code that the operator has given to an administrator. Required for the first second factor of an administrator, and for the first one after the account has become an administrator, if the operator requires second factors of administrators. Ignored otherwise.
       *     Case, spaces, hyphens and invisible characters are ignored.
       * @example K7QD-2MXA-R5TB-WJ4E
       */
      enrollment_code?: string
    }
    /** @description The added passkey, and the recovery codes that the account has received with its first factor. */
    AddedPasskey: {
      passkey: components['schemas']['Passkey']
      /**
       * @description The recovery codes, each of which is valid once; null if the account already had a second factor.
       * @example [
       *       "ABCD-2345-EFGH-67AB-IJKL-MNOP",
       *       "QRST-2345-UVWX-67YZ-ABCD-EFGH",
       *       "IJKL-2345-MNOP-67QR-STUV-WXYZ",
       *       "ABCD-3456-EFGH-72AB-IJKL-MNOP",
       *       "QRST-3456-UVWX-72YZ-ABCD-EFGH",
       *       "IJKL-3456-MNOP-72QR-STUV-WXYZ",
       *       "ABCD-4567-EFGH-23AB-IJKL-MNOP",
       *       "QRST-4567-UVWX-23YZ-ABCD-EFGH",
       *       "IJKL-4567-MNOP-23QR-STUV-WXYZ",
       *       "ABCD-5672-EFGH-34AB-IJKL-MNOP"
       *     ]
       */
      recovery_codes: components['schemas']['RecoveryCode'][] | null
    }
    /** @description A signature algorithm. */
    PasskeyAlgorithm: {
      /**
       * @description The type of the credential.
       * @example public-key
       * @enum {string}
       */
      type: 'public-key'
      /**
       * Format: int32
       * @description The COSE identifier of the algorithm (RFC 9053), such as -8 for EdDSA.
       * @example -8
       */
      alg: number
    }
    /** @description The options of `navigator.credentials.create()`, for `PublicKeyCredential.parseCreationOptionsFromJSON()` (WebAuthn Level 3). */
    PasskeyCreationOptions: {
      /**
       * @description The challenge, encoded in base64url. It is valid once, for 300 seconds.
       * @example AXo3YzJmMGEtY2hhbGxlbmdl
       */
      challenge: string
      /** @description The service that the passkey belongs to. */
      rp: {
        /**
         * @description The RP ID: the domain that passkeys are bound to.
         * @example example.com
         */
        id: string
        /**
         * @description The name of the service.
         * @example Tawthiq
         */
        name: string
      }
      /** @description The account that the passkey belongs to. */
      user: {
        /**
         * @description The user handle: a random identifier of the account, encoded in base64url.
         * @example bXktdXNlci1oYW5kbGU
         */
        id: string
        /**
         * Format: email
         * @description The e-mail address of the account, which the browser displays.
         * @example client@demo.test
         */
        name: string
        /**
         * Format: email
         * @description The same e-mail address.
         * @example client@demo.test
         */
        displayName: string
      }
      /** @description The accepted signature algorithms, preferred ones first. */
      pubKeyCredParams: components['schemas']['PasskeyAlgorithm'][]
      /**
       * Format: int32
       * @description The time that the browser waits for the user, in milliseconds.
       * @example 300000
       */
      timeout: number
      /** @description The passkeys of the account. The browser does not create a second one on the same authenticator. */
      excludeCredentials: components['schemas']['PasskeyDescriptor'][]
      /** @description The requirements for the authenticator. */
      authenticatorSelection: {
        /**
         * @description The authenticator must store the passkey, so that a login requires no e-mail address.
         * @example required
         * @enum {string}
         */
        residentKey: 'required'
        /**
         * @description The same requirement, for older browsers.
         * @example true
         */
        requireResidentKey: boolean
        /**
         * @description The authenticator must verify the user, for example with a fingerprint or a PIN.
         * @example required
         * @enum {string}
         */
        userVerification: 'required'
      }
      /**
       * @description No attestation of the authenticator is requested.
       * @example none
       * @enum {string}
       */
      attestation: 'none'
    }
    /** @description The new name of a passkey. */
    RenamePasskeyRequest: {
      /**
       * @description A name by which the owner recognizes the passkey. Invisible characters and spaces at its ends are removed.
       * @example MacBook
       */
      name: string
    }
    /** @description The argument of `PublicKeyCredential.signalUnknownCredential()` (WebAuthn Level 3), which makes the browser forget the passkey. */
    RemovedPasskey: {
      /**
       * @description The RP ID: the domain that passkeys are bound to.
       * @example example.com
       */
      rpId: string
      /**
       * @description The id of the credential, encoded in base64url.
       * @example dGF3dGhpcS1wYXNza2V5LTE
       */
      credentialId: string
    }
    /** @description A public key that verifies access tokens, for EdDSA (RFC 8037) or ES256 (RFC 7518). */
    Jwk: {
      /**
       * @description The key type, `OKP` for EdDSA and `EC` for ES256.
       * @enum {string}
       */
      kty: 'OKP' | 'EC'
      /**
       * @description The curve.
       * @enum {string}
       */
      crv: 'Ed25519' | 'P-256'
      /**
       * @description The public key, base64url. The first coordinate for ES256.
       * @example 11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo
       */
      x: string
      /**
       * @description The second coordinate of a key for ES256, base64url.
       * @example x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0
       */
      y?: string
      /**
       * @description The id of the key, as in the header of a token.
       * @example k-2026-11-21-7f3a
       */
      kid: string
      /**
       * @description The use of the key.
       * @enum {string}
       */
      use: 'sig'
      /**
       * @description The algorithm. Accept a token only if its `alg` is that of the key with its `kid`.
       * @enum {string}
       */
      alg: 'EdDSA' | 'ES256'
    }
    /** @description The public keys. The first key signs new tokens; the others verify tokens that have not expired. */
    PublicKeys: components['schemas']['Jwk'][]
    /** @description The public keys that verify access tokens. */
    JwkSet: {
      keys: components['schemas']['PublicKeys']
    }
    /** @description Whether the account is an administrator. */
    CheckAdminResult: {
      /**
       * @description True if the account is an administrator.
       * @example false
       */
      is_admin: boolean
    }
    /** @description A user in the list of users. */
    UserSummary: {
      /**
       * Format: int32
       * @description The id of the account.
       * @example 2
       */
      id: number
      /**
       * @description The full name.
       * @example عبدالله محمد سعد القحطاني
       */
      name: string
      /**
       * Format: email
       * @description The e-mail address, in lower case.
       * @example lawyer@demo.test
       */
      email: string
      /**
       * @description The national number, without the calling code.
       * @example 500000002
       */
      phone: string
      /**
       * @description The country calling code, digits only.
       * @example 966
       */
      phone_code: string
      /**
       * @description The type of the account.
       * @example lawyer
       * @enum {string}
       */
      account_type: 'client' | 'lawyer'
      /**
       * @description Whether the account is active or suspended.
       * @example active
       * @enum {string}
       */
      status: 'active' | 'suspended'
      /**
       * @description True if the account is an administrator.
       * @example false
       */
      is_admin: boolean
      /**
       * @description True if the phone number is verified.
       * @example true
       */
      phone_verified: boolean
      /**
       * @description False until the first profile update with this account type.
       * @example true
       */
      profile_complete: boolean
      /**
       * @description The review status of a lawyer; null for clients.
       * @example pending
       */
      review_status: ('pending' | 'approved' | 'rejected') | null
      /**
       * Format: date-time
       * @description The time of the registration.
       * @example 2026-11-20T08:12:00.000Z
       */
      created_at: string
    }
    /** @description A page of the list of users. */
    UserPage: {
      /** @description The users, newest first. */
      items: components['schemas']['UserSummary'][]
      /**
       * @description The `cursor` of the next page; null on the last page, and always null if the operation has no `cursor`.
       * @example NDI
       */
      next_cursor: string | null
    }
    /**
     * Format: int32
     * @description The id, which never changes.
     * @example 1
     */
    ResourceId: number
    /** @description The profile of a client. */
    ClientProfile: {
      /**
       * Format: int32
       * @description The id of the account.
       * @example 1
       */
      id: number
      /**
       * @description The full name.
       * @example سارة العتيبي
       */
      name: string
      /**
       * Format: email
       * @description The e-mail address, in lower case.
       * @example client@demo.test
       */
      email: string
      /**
       * @description The national number, without the calling code in `phone_code`.
       * @example 500000001
       */
      phone: string
      /**
       * @description The country calling code, digits only.
       * @example 966
       */
      phone_code: string
      /**
       * @description The type of the account. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      account_type: 'client'
      /**
       * @description The gender. Like the nationality and the fields of the address, it is null until the profile is complete.
       * @example Female
       */
      gender: ('Male' | 'Female') | null
      /**
       * Format: int32
       * @description The region, an id of the regions lookup.
       * @example 1
       */
      region_id: number | null
      /**
       * Format: int32
       * @description The country, an id of the countries lookup.
       * @example 682
       */
      country_id: number | null
      /**
       * Format: int32
       * @description The city, an id of the cities lookup.
       * @example 1
       */
      city_id: number | null
      /**
       * @description The user type; null until the profile is complete.
       * @example 1
       */
      type: (1 | 2 | 3 | 4 | 5) | null
      /**
       * Format: double
       * @description The longitude of the address, in degrees (WGS 84).
       * @example 46.6753
       */
      longitude: number | null
      /**
       * Format: double
       * @description The latitude of the address, in degrees (WGS 84).
       * @example 24.7136
       */
      latitude: number | null
      /**
       * Format: int32
       * @description The nationality, an id of the nationalities lookup.
       * @example 682
       */
      nationality_id: number | null
      /**
       * Format: uri-reference
       * @description A link to the profile photo; null if there is none. File links are relative to the server and valid for 15 minutes.
       * @example /api/v1/files/0f0e5cc8-6d5b-4e51-9c38-2a0a4f1f1c55?expires=1795254300&signature=q3Jm0mC0pXv1rYQ6b8mYw1cE5t2hG7kL9nRzUaVbXcY
       */
      profile_photo: string | null
      /**
       * @description True if the phone number is verified. A password reset by e-mail can set it to false until a code confirms the number again.
       * @example true
       */
      phone_verified: boolean
      /**
       * @description True if the e-mail address is verified.
       * @example false
       */
      email_verified: boolean
      /**
       * Format: email
       * @description The address that replaces `email` when it is confirmed; null if no change is pending.
       * @example null
       */
      pending_email: string | null
      /**
       * @description False until the first profile update with this account type.
       * @example true
       */
      profile_complete: boolean
      /**
       * Format: date-time
       * @description The due date of the scheduled deletion; null if none is scheduled.
       * @example null
       */
      deletion_due_at: string | null
    }
    /** @description The profile of a lawyer. */
    LawyerProfile: {
      /**
       * Format: int32
       * @description The id of the account.
       * @example 2
       */
      id: number
      /**
       * @description The full name, composed of the four names.
       * @example عبدالله محمد سعد القحطاني
       */
      name: string
      /**
       * Format: email
       * @description The e-mail address, in lower case.
       * @example lawyer@demo.test
       */
      email: string
      /**
       * @description The national number, without the calling code in `phone_code`.
       * @example 500000002
       */
      phone: string
      /**
       * @description The country calling code, digits only.
       * @example 966
       */
      phone_code: string
      /**
       * @description The type of the account. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      account_type: 'lawyer'
      /**
       * @description The gender. Like the nationality and the fields of the address, it is null until the profile is complete.
       * @example Male
       */
      gender: ('Male' | 'Female') | null
      /**
       * Format: int32
       * @description The region, an id of the regions lookup.
       * @example 1
       */
      region_id: number | null
      /**
       * Format: int32
       * @description The country, an id of the countries lookup.
       * @example 682
       */
      country_id: number | null
      /**
       * Format: int32
       * @description The city, an id of the cities lookup.
       * @example 1
       */
      city_id: number | null
      /**
       * @description The user type; null until the profile is complete.
       * @example 1
       */
      type: (1 | 2 | 3 | 4 | 5) | null
      /**
       * Format: double
       * @description The longitude of the address, in degrees (WGS 84).
       * @example 46.6753
       */
      longitude: number | null
      /**
       * Format: double
       * @description The latitude of the address, in degrees (WGS 84).
       * @example 24.7136
       */
      latitude: number | null
      /**
       * Format: int32
       * @description The nationality, an id of the nationalities lookup.
       * @example 682
       */
      nationality_id: number | null
      /**
       * Format: uri-reference
       * @description A link to the profile photo; null if there is none. File links are relative to the server and valid for 15 minutes.
       * @example /api/v1/files/0f0e5cc8-6d5b-4e51-9c38-2a0a4f1f1c55?expires=1795254300&signature=q3Jm0mC0pXv1rYQ6b8mYw1cE5t2hG7kL9nRzUaVbXcY
       */
      profile_photo: string | null
      /**
       * @description True if the phone number is verified. A password reset by e-mail can set it to false until a code confirms the number again.
       * @example true
       */
      phone_verified: boolean
      /**
       * @description True if the e-mail address is verified.
       * @example false
       */
      email_verified: boolean
      /**
       * Format: email
       * @description The address that replaces `email` when it is confirmed; null if no change is pending.
       * @example null
       */
      pending_email: string | null
      /**
       * @description False until the first profile update with this account type.
       * @example true
       */
      profile_complete: boolean
      /**
       * Format: date-time
       * @description The due date of the scheduled deletion; null if none is scheduled.
       * @example null
       */
      deletion_due_at: string | null
      /**
       * @description The first name. Like the other lawyer fields, it is null until it is set.
       * @example عبدالله
       */
      first_name: string | null
      /**
       * @description The second name.
       * @example محمد
       */
      second_name: string | null
      /**
       * @description The third name.
       * @example سعد
       */
      third_name: string | null
      /**
       * @description The fourth name.
       * @example القحطاني
       */
      fourth_name: string | null
      /**
       * @description A biography of the lawyer.
       * @example محامٍ متخصص في القضايا التجارية.
       */
      about: string | null
      /**
       * @description The number of the identity document.
       * @example 1012345672
       */
      national_id: string | null
      /**
       * @description The type of the identity document; null until it is set.
       * @example 1
       */
      identity_type: (1 | 2 | 3) | null
      /**
       * Format: int32
       * @description The day of birth.
       * @example 17
       */
      day: number | null
      /**
       * Format: int32
       * @description The month of birth.
       * @example 5
       */
      month: number | null
      /**
       * Format: int32
       * @description The year of birth.
       * @example 1988
       */
      year: number | null
      /**
       * Format: int32
       * @description The degree, an id of the degrees lookup.
       * @example 1
       */
      degree: number | null
      /**
       * @description The name of the degree, if `degree` is 4.
       * @example زمالة قانونية
       */
      other_degree: string | null
      /**
       * Format: int32
       * @description The general specialty, an id of its lookup.
       * @example 1
       */
      general_specialty: number | null
      /**
       * Format: int32
       * @description The accurate specialty, an id of its lookup.
       * @example 102
       */
      accurate_specialty: number | null
      /**
       * Format: int32
       * @description The employment status, an id of its lookup.
       * @example 1
       */
      functional_cases: number | null
      /**
       * @description The languages, ids of the languages lookup.
       * @example [
       *       8,
       *       37
       *     ]
       */
      languages: number[]
      /**
       * @description The sections of the digital guide, ids of their lookup.
       * @example [
       *       101,
       *       102
       *     ]
       */
      sections: number[]
      /**
       * @description The licence numbers by section id.
       * @example {
       *       "101": "38/1234",
       *       "102": "39/5678"
       *     }
       */
      license_no: {
        [key: string]: string
      }
      /**
       * @description The name of the company or body.
       * @example مكتب القحطاني للمحاماة
       */
      company_name: string | null
      /**
       * @description The licence number of the company.
       * @example 1010123456
       */
      company_licences_no: string | null
      /**
       * Format: uri-reference
       * @description A link to the image of the identity document. It requires an access token.
       * @example /api/v1/files/0f0e5cc8-6d5b-4e51-9c38-2a0a4f1f1c55
       */
      national_id_image: string | null
      /**
       * Format: uri-reference
       * @description A link to the certificate of the degree.
       * @example /api/v1/files/0f0e5cc8-6d5b-4e51-9c38-2a0a4f1f1c55?expires=1795254300&signature=q3Jm0mC0pXv1rYQ6b8mYw1cE5t2hG7kL9nRzUaVbXcY
       */
      degree_certificate: string | null
      /**
       * Format: uri-reference
       * @description A link to the licence of the company.
       * @example /api/v1/files/0f0e5cc8-6d5b-4e51-9c38-2a0a4f1f1c55?expires=1795254300&signature=q3Jm0mC0pXv1rYQ6b8mYw1cE5t2hG7kL9nRzUaVbXcY
       */
      company_license_file: string | null
      /**
       * Format: uri-reference
       * @description A link to the CV.
       * @example /api/v1/files/0f0e5cc8-6d5b-4e51-9c38-2a0a4f1f1c55?expires=1795254300&signature=q3Jm0mC0pXv1rYQ6b8mYw1cE5t2hG7kL9nRzUaVbXcY
       */
      cv_file: string | null
      /**
       * Format: uri-reference
       * @description A link to the logo.
       * @example /api/v1/files/0f0e5cc8-6d5b-4e51-9c38-2a0a4f1f1c55?expires=1795254300&signature=q3Jm0mC0pXv1rYQ6b8mYw1cE5t2hG7kL9nRzUaVbXcY
       */
      logo: string | null
      /**
       * @description The review status. It is `pending` again when reviewed data changes: see `PUT /api/v1/profile`.
       * @example rejected
       * @enum {string}
       */
      review_status: 'pending' | 'approved' | 'rejected'
      /**
       * @description The reason of the rejection; null otherwise.
       * @example صورة الهوية غير واضحة.
       */
      review_reason: string | null
    }
    /** @description A profile, by account type. */
    UserProfile: components['schemas']['ClientProfile'] | components['schemas']['LawyerProfile']
    /** @description The state of an account. */
    AccountState: {
      /**
       * Format: int32
       * @description The id of the account.
       * @example 2
       */
      id: number
      /**
       * @description Whether the account is active or suspended.
       * @example active
       * @enum {string}
       */
      status: 'active' | 'suspended'
      /**
       * @description True if the account is an administrator.
       * @example false
       */
      is_admin: boolean
      /**
       * Format: date-time
       * @description The time of the registration.
       * @example 2026-11-20T08:12:00.000Z
       */
      created_at: string
      /**
       * Format: date-time
       * @description The time of the suspension; null if the account is not suspended.
       * @example 2026-11-21T09:30:00.000Z
       */
      suspended_at: string | null
      /**
       * @description The reason of the suspension. It is not shown to the user.
       * @example انتحال صفة محامٍ آخر.
       */
      suspension_reason: string | null
      /**
       * Format: int32
       * @description The number of active sessions.
       * @example 2
       */
      sessions: number
    }
    /** @description The profile of a user and the state of the account. */
    UserDetails: {
      user: components['schemas']['UserProfile']
      account: components['schemas']['AccountState']
      /**
       * Format: int32
       * @description The version of the reviewed data; null for clients. Send it with the decision, so that data changed in the meantime is not approved.
       * @example 3
       */
      review_version: number | null
      /**
       * @description Whether `national_id` has the format of its `identity_type`. A plausible number is not necessarily an issued number.
       *     null for clients, and for lawyers without a `national_id`.
       *
       *     | `identity_type` | Plausible format |
       *     |---|---|
       *     | 1, national ID | 10 digits, the first is 1, with a correct check digit (Luhn algorithm) |
       *     | 2, passport | 6 to 9 Latin letters and digits, at least one digit |
       *     | 3, resident ID | 10 digits, the first is 2, with a correct check digit (Luhn algorithm) |
       * @example plausible
       */
      national_id_check: ('plausible' | 'implausible') | null
      /**
       * @description The ids of other accounts with the same `national_id`, regardless of `identity_type`, or with the same licence number in the same section.
       *     The ids are in ascending order, at most 10.
       *     Letter case is ignored, and in licence numbers also spaces and the script of digits.
       *     Suspended accounts and clients who were lawyers are included. Empty for clients.
       * @example [
       *       12,
       *       15
       *     ]
       */
      duplicate_of: number[]
    }
    /** @description The reason of a suspension or a restoration. */
    AccountStatusChangeRequest: {
      /**
       * @description The reason. It is recorded in the audit trail and shown to administrators.
       * @example انتحال صفة محامٍ آخر.
       */
      reason: string
    }
    /** @description The state of an account. */
    AccountStateResult: {
      account: components['schemas']['AccountState']
    }
    /** @description The reason of a reset of second factors. */
    ResetFactorsRequest: {
      /**
       * @description The reason. It is recorded in the audit trail.
       * @example Lost the phone, identity checked in a video call.
       */
      reason: string
    }
    /** @description The lawyer is approved. */
    LawyerApproval: {
      /**
       * @description The decision. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      decision: 'approved'
      /**
       * @description A note for administrators. It is recorded in the audit trail and is not shown to the lawyer.
       * @example تم التحقق من الترخيص.
       */
      reason?: string
      /**
       * Format: int32
       * @description The `review_version` of the user details that the decision is based on.
       *     It is rejected as `outdated` if the reviewed data has changed since.
       * @example 3
       */
      review_version: number
    }
    /** @description The lawyer is rejected. */
    LawyerRejection: {
      /**
       * @description The decision. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      decision: 'rejected'
      /**
       * @description The reason of the rejection. It is shown to the lawyer as `review_reason`.
       * @example صورة الهوية غير واضحة.
       */
      reason: string
      /**
       * Format: int32
       * @description The `review_version` of the user details that the decision is based on.
       *     It is rejected as `outdated` if the reviewed data has changed since.
       * @example 3
       */
      review_version: number
    }
    /** @description A review, by decision. */
    ReviewLawyerRequest: components['schemas']['LawyerApproval'] | components['schemas']['LawyerRejection']
    /** @description The review of a lawyer. */
    ReviewLawyerResult: {
      /**
       * Format: int32
       * @description The id of the account.
       * @example 2
       */
      id: number
      /**
       * @description The decision.
       * @example rejected
       * @enum {string}
       */
      review_status: 'approved' | 'rejected'
      /**
       * @description The reason of a rejection, as shown to the lawyer.
       * @example صورة الهوية غير واضحة.
       */
      review_reason: string | null
    }
    /** @description An action on an account, successful or not. */
    AuditEvent: {
      /**
       * @description The id of the event.
       * @example 4711
       */
      id: string
      /**
       * Format: date-time
       * @description The time of the event.
       * @example 2026-11-20T08:12:00.000Z
       */
      at: string
      /**
       * @description The type of the event.
       * @example user_suspended
       * @enum {string}
       */
      event:
        | 'login'
        | 'login_failed'
        | 'login_limited'
        | 'login_suspended'
        | 'logout'
        | 'registered'
        | 'taken_limited'
        | 'refresh_token_reused'
        | 'reauthenticated'
        | 'reauthentication_failed'
        | 'reauthentication_limited'
        | 'mfa_code_failed'
        | 'mfa_code_missing'
        | 'recovery_code_used'
        | 'totp_added'
        | 'totp_removed'
        | 'recovery_codes_renewed'
        | 'passkey_added'
        | 'passkey_removed'
        | 'passkey_failed'
        | 'factor_reset_requested'
        | 'factor_reset_confirmed'
        | 'factor_reset_failed'
        | 'factor_reset_cancelled'
        | 'factor_reset_cancellation_failed'
        | 'factor_reset_scheduled'
        | 'factors_removed'
        | 'session_revoked'
        | 'other_sessions_revoked'
        | 'phone_checked'
        | 'phone_check_limited'
        | 'phone_found_taken'
        | 'phone_confirmed'
        | 'phone_confirm_limited'
        | 'phone_confirmation_failed'
        | 'otp_exhausted'
        | 'email_verification_requested'
        | 'email_verification_limited'
        | 'email_verification_failed'
        | 'email_verified'
        | 'email_change_requested'
        | 'email_changed'
        | 'email_change_cancelled'
        | 'email_change_undone'
        | 'email_cancellation_failed'
        | 'email_recovery_allowed'
        | 'email_released'
        | 'phone_changed'
        | 'profile_updated'
        | 'password_changed'
        | 'password_change_failed'
        | 'password_change_limited'
        | 'password_reset'
        | 'password_reset_requested'
        | 'password_reset_failed'
        | 'changes_undone'
        | 'changes_undo_failed'
        | 'email_release_failed'
        | 'email_marked_verified'
        | 'deletion_requested'
        | 'deletion_refused'
        | 'deletion_limited'
        | 'deletion_cancelled'
        | 'account_deleted'
        | 'account_exported'
        | 'export_limited'
        | 'account_imported'
        | 'document_read'
        | 'file_deleted'
        | 'user_read'
        | 'users_listed'
        | 'audit_listed'
        | 'user_suspended'
        | 'user_restored'
        | 'lawyer_approved'
        | 'lawyer_rejected'
        | 'events_replayed'
        | 'enrollment_code_issued'
        | 'admin_refused'
        | 'admin_granted'
        | 'admin_revoked'
        | 'files_swept'
        | 'files_sweep_stopped'
        | 'key_rotated'
      /**
       * Format: int32
       * @description The affected account; null if there is none, as for a login with an unknown e-mail address.
       * @example 2
       */
      account_id: number | null
      /**
       * Format: int32
       * @description The administrator who acted on the account; null if users act on their own account.
       * @example 3
       */
      actor_id: number | null
      /**
       * @description The subject of the event:
       *
       *     | Event | Subject |
       *     |---|---|
       *     | of an e-mail address or phone number | the masked address or number |
       *     | `phone_changed` | the masked old and new number, separated by a space |
       *     | of a file | the kind of the file |
       *     | of an operator on the server | `command line` |
       *     | sweep of the file storage | its counts |
       *     | list that an administrator has read | the filters and, for users, the returned ids |
       *     | review of a lawyer with an implausible `national_id` or with duplicates | `national_id_check` and `duplicate_of` |
       *
       *     The text of a search is not stored, only its type.
       * @example l***@demo.test
       */
      subject: string | null
      /**
       * @description The reason that the administrator entered.
       * @example انتحال صفة محامٍ آخر.
       */
      reason: string | null
      /**
       * @description The masked IP address of the client.
       * @example 203.0.113.*
       */
      address: string | null
      /**
       * @description The `X-Request-Id` of the request.
       * @example 0c9d8e7f-6a5b-4c3d-9e1f-0a1b2c3d4e5f
       */
      request_id: string | null
    }
    /** @description A page of the audit trail. */
    AuditEventPage: {
      /** @description The events, newest first. */
      items: components['schemas']['AuditEvent'][]
      /**
       * @description The `cursor` of the next page; null on the last page, and always null if the operation has no `cursor`.
       * @example NDI
       */
      next_cursor: string | null
    }
    /** @description The registered account. */
    AccountRegisteredEventData: {
      /**
       * Format: int32
       * @description The id of the account, as in its profile.
       * @example 2
       */
      account_id: number
      /**
       * @description The account type.
       * @example lawyer
       * @enum {string}
       */
      account_type: 'client' | 'lawyer'
      /**
       * @description True if the phone number is verified.
       * @example true
       */
      phone_verified: boolean
    }
    /** @description An account was registered. */
    AccountRegisteredEvent: {
      /**
       * @description The type of the event. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'account.registered'
      /**
       * Format: date-time
       * @description The time of the event. Events can arrive in any order.
       * @example 2026-11-20T08:12:00.000Z
       */
      timestamp: string
      data: components['schemas']['AccountRegisteredEventData']
    }
    /** @description The account of the event. */
    AccountEventData: {
      /**
       * Format: int32
       * @description The id of the account, as in its profile.
       * @example 2
       */
      account_id: number
    }
    /** @description The phone number of an account was confirmed by a code. */
    PhoneConfirmedEvent: {
      /**
       * @description The type of the event. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'phone.confirmed'
      /**
       * Format: date-time
       * @description The time of the event. Events can arrive in any order.
       * @example 2026-11-20T08:12:00.000Z
       */
      timestamp: string
      data: components['schemas']['AccountEventData']
    }
    /** @description The account and its review status. */
    ProfileUpdatedEventData: {
      /**
       * Format: int32
       * @description The id of the account, as in its profile.
       * @example 2
       */
      account_id: number
      /**
       * @description The account type after the update.
       * @example lawyer
       * @enum {string}
       */
      account_type: 'client' | 'lawyer'
      /**
       * @description The review status after the update, which can revoke an approval; null for clients.
       * @example pending
       */
      review_status: ('pending' | 'approved' | 'rejected') | null
    }
    /** @description A profile was updated. */
    ProfileUpdatedEvent: {
      /**
       * @description The type of the event. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'profile.updated'
      /**
       * Format: date-time
       * @description The time of the event. Events can arrive in any order.
       * @example 2026-11-20T08:12:00.000Z
       */
      timestamp: string
      data: components['schemas']['ProfileUpdatedEventData']
    }
    /** @description The lawyer and the decision. */
    LawyerReviewedEventData: {
      /**
       * Format: int32
       * @description The id of the account, as in its profile.
       * @example 2
       */
      account_id: number
      /**
       * @description The decision.
       * @example approved
       * @enum {string}
       */
      review_status: 'approved' | 'rejected'
    }
    /** @description A lawyer was approved or rejected. */
    LawyerReviewedEvent: {
      /**
       * @description The type of the event. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'lawyer.reviewed'
      /**
       * Format: date-time
       * @description The time of the event. Events can arrive in any order.
       * @example 2026-11-20T08:12:00.000Z
       */
      timestamp: string
      data: components['schemas']['LawyerReviewedEventData']
    }
    /** @description An account was suspended. */
    AccountSuspendedEvent: {
      /**
       * @description The type of the event. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'account.suspended'
      /**
       * Format: date-time
       * @description The time of the event. Events can arrive in any order.
       * @example 2026-11-20T08:12:00.000Z
       */
      timestamp: string
      data: components['schemas']['AccountEventData']
    }
    /** @description A suspended account was restored. */
    AccountRestoredEvent: {
      /**
       * @description The type of the event. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'account.restored'
      /**
       * Format: date-time
       * @description The time of the event. Events can arrive in any order.
       * @example 2026-11-20T08:12:00.000Z
       */
      timestamp: string
      data: components['schemas']['AccountEventData']
    }
    /** @description An account was deleted, and its personal data was erased. */
    AccountDeletedEvent: {
      /**
       * @description The type of the event. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'account.deleted'
      /**
       * Format: date-time
       * @description The time of the event. Events can arrive in any order.
       * @example 2026-11-20T08:12:00.000Z
       */
      timestamp: string
      data: components['schemas']['AccountEventData']
    }
    /** @description An account event, as delivered to your endpoint. */
    Event:
      | components['schemas']['AccountRegisteredEvent']
      | components['schemas']['PhoneConfirmedEvent']
      | components['schemas']['ProfileUpdatedEvent']
      | components['schemas']['LawyerReviewedEvent']
      | components['schemas']['AccountSuspendedEvent']
      | components['schemas']['AccountRestoredEvent']
      | components['schemas']['AccountDeletedEvent']
    /** @description An event and the state of its delivery. */
    EventDelivery: {
      /**
       * Format: uuid
       * @description The id of the event, sent as `webhook-id` with every attempt.
       * @example 0199a3c4-5b6d-4e7f-8a9b-0c1d2e3f4a5b
       */
      id: string
      /**
       * @description The state of the delivery:
       *
       *     | State | Meaning |
       *     |---|---|
       *     | `waiting` | The event waits for its next attempt. |
       *     | `delivered` | Your endpoint has accepted the event. |
       *     | `failed` | All attempts have failed. |
       *     | `unsent` | The service had no webhook endpoint at the time of the event. |
       *
       *     Failed and unsent events can be replayed.
       * @example delivered
       * @enum {string}
       */
      state: 'waiting' | 'delivered' | 'failed' | 'unsent'
      event: components['schemas']['Event']
      /**
       * Format: int32
       * @description The number of attempts since the event or its last replay.
       * @example 1
       */
      attempts: number
      /**
       * Format: date-time
       * @description The time of the last attempt; null if there was none.
       * @example 2026-11-21T09:30:00.000Z
       */
      last_attempt_at: string | null
      /**
       * @description The error of the last attempt; null if there was none.
       * @example status 500
       */
      last_failure: string | null
      /**
       * Format: date-time
       * @description The earliest time of the next attempt; null if there is none.
       * @example 2026-11-21T09:30:00.000Z
       */
      next_attempt_at: string | null
      /**
       * Format: date-time
       * @description The time of the successful delivery; null if there was none.
       * @example 2026-11-21T09:30:00.000Z
       */
      delivered_at: string | null
    }
    /** @description A page of events and their deliveries. */
    EventDeliveryPage: {
      /** @description The events, newest first. */
      items: components['schemas']['EventDelivery'][]
      /**
       * @description The `cursor` of the next page; null on the last page, and always null if the operation has no `cursor`.
       * @example NDI
       */
      next_cursor: string | null
    }
    /** @description One event, by its id. */
    ReplayEventsById: {
      /**
       * @description The selection of the events. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      by: 'event'
      /**
       * Format: uuid
       * @description The id of the event.
       * @example 0199a3c4-5b6d-4e7f-8a9b-0c1d2e3f4a5b
       */
      id: string
    }
    /** @description The events of a period. */
    ReplayEventsByTime: {
      /**
       * @description The selection of the events. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      by: 'time'
      /**
       * Format: date-time
       * @description Only events at or after this time.
       * @example 2026-11-20T08:12:00.000Z
       */
      since: string
      /**
       * Format: date-time
       * @description Only events before this time.
       * @example 2026-11-20T08:12:00.000Z
       */
      until?: string
      /**
       * @description Only events in this state. Waiting events are delivered regardless.
       * @example failed
       * @enum {string}
       */
      state?: 'delivered' | 'failed' | 'unsent'
    }
    /** @description The events to replay. */
    ReplayEventsRequest: components['schemas']['ReplayEventsById'] | components['schemas']['ReplayEventsByTime']
    /** @description The result of a replay. */
    ReplayEventsResult: {
      /**
       * Format: int32
       * @description The number of replayed events.
       * @example 12
       */
      replayed: number
      /**
       * Format: date-time
       * @description The `since` of the next replay; null if all events were replayed.
       * @example 2026-11-21T09:30:00.000Z
       */
      next_since: string | null
    }
    /**
     * Format: binary
     * @description The content of a file.
     */
    FileContent: Upload
    /** @description The profile of the account. */
    ProfileResult: {
      user: components['schemas']['UserProfile']
    }
    /**
     * @description The profile form of a client. Missing optional fields remain unchanged.
     *     Fields of the lawyer form and read-only members of the profile are ignored.
     */
    ClientProfileForm: {
      /**
       * @description The type of the account. Another value changes the type. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      account_type: 'client'
      /**
       * Format: idn-email
       * @description The unique e-mail address. It is stored in lower case, with its domain in ASCII: `موقع.السعودية` is stored as `xn--4gbrim.xn--mgberp4a5d4ar`.
       *     The part before `@` has at most 64 characters, and each label of the domain at most 63.
       *     Invisible characters and surrounding spaces are removed.
       * @example client@demo.test
       */
      email: string
      phone: components['schemas']['PhoneInput']
      phone_code: components['schemas']['PhoneCodeInput']
      /**
       * @description The code that `POST /api/v1/auth/check-phone` sent to the new number. Required if the number changes and `phone_code` is 966.
       *     The change consumes the code.
       * @example 493027
       */
      otp?: string
      /**
       * Format: password
       * @description A new password of 8 to 256 characters, with the rules of `POST /api/v1/auth/register`.
       *     It revokes all other sessions.
       * @example olive-harbour-58-lantern
       */
      password?: string
      /**
       * Format: int32
       * @description The country, an id of `GET /api/v1/lookups/countries`.
       * @example 682
       */
      country_id: number
      /**
       * Format: int32
       * @description The region, an id of `GET /api/v1/lookups/regions` in the country.
       * @example 1
       */
      region_id: number
      /**
       * Format: int32
       * @description The city, an id of `GET /api/v1/lookups/cities` in the region.
       * @example 1
       */
      city_id: number
      /**
       * Format: int32
       * @description The nationality, an id of `GET /api/v1/lookups/nationalities`.
       * @example 682
       */
      nationality_id: number
      /**
       * Format: int32
       * @description The user type: 1 individual, 2 establishment, 3 company, 4 government body, 5 authority.
       * @example 1
       * @enum {integer}
       */
      type: 1 | 2 | 3 | 4 | 5
      /**
       * @description The gender.
       * @example Female
       * @enum {string}
       */
      gender: 'Male' | 'Female'
      /**
       * Format: double
       * @description The longitude of the address, in degrees (WGS 84).
       * @example 46.6753
       */
      longitude: number
      /**
       * Format: double
       * @description The latitude of the address, in degrees (WGS 84).
       * @example 24.7136
       */
      latitude: number
      profile_photo?: components['schemas']['ImageUpload']
      /**
       * @description The full name.
       * @example سارة العتيبي
       */
      name: string
    }
    /**
     * Format: binary
     * @description A JPEG, PNG or WebP image without animation.
     *
     *     | Limit | Value |
     *     |---|---|
     *     | File size | 5 MB |
     *     | Pixels | 25 megapixels |
     *     | Side length | 10000 pixels |
     *     | Memory of the pixels, if the rows cannot be decoded one after the other | 75 MB |
     *
     *     The memory limit allows 10 megapixels in a WebP.
     *     It allows fewer in an interlaced PNG, a progressive JPEG or a rotated photo only if the image has an alpha channel, 16 bits per channel or unsubsampled colors.
     *
     *     Images are re-encoded, and metadata, such as the location of a photo, is removed.
     *     A WebP is stored as a JPEG, or as a PNG if it has an alpha channel.
     */
    ImageUpload: Upload
    /**
     * Format: binary
     * @description A PDF, or a JPEG, PNG or WebP image, of at most 10 MB.
     *     Images have the pixel limits of `ImageUpload` and are re-encoded.
     *     PDFs with JavaScript, a launch action, embedded files or an XFA form are rejected as `file_active_content`, and encrypted PDFs as `file_encrypted`.
     */
    DocumentUpload: Upload
    /**
     * @description The profile form of a lawyer. Missing optional fields remain unchanged, and empty ones are cleared. Missing files remain unchanged.
     *
     *     A stored file must be sent again only if a field that it proves changes:
     *
     *     | File | Required with a change of |
     *     |---|---|
     *     | `national_id_image` | `identity_type` or `national_id` |
     *     | `degree_certificate` | `degree`, if the degree has `need_certificate` |
     *     | `company_license_file` | `type` or `company_licences_no`, if `type` is 2 or 3 |
     *
     *     Fields of the client form and read-only members of the profile are ignored.
     */
    LawyerProfileForm: {
      /**
       * @description The type of the account. Another value changes the type. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      account_type: 'lawyer'
      /**
       * Format: idn-email
       * @description The unique e-mail address. It is stored in lower case, with its domain in ASCII: `موقع.السعودية` is stored as `xn--4gbrim.xn--mgberp4a5d4ar`.
       *     The part before `@` has at most 64 characters, and each label of the domain at most 63.
       *     Invisible characters and surrounding spaces are removed.
       * @example lawyer@demo.test
       */
      email: string
      phone: components['schemas']['PhoneInput']
      phone_code: components['schemas']['PhoneCodeInput']
      /**
       * @description The code that `POST /api/v1/auth/check-phone` sent to the new number. Required if the number changes and `phone_code` is 966.
       *     The change consumes the code.
       * @example 493027
       */
      otp?: string
      /**
       * Format: password
       * @description A new password of 8 to 256 characters, with the rules of `POST /api/v1/auth/register`.
       *     It revokes all other sessions.
       * @example olive-harbour-58-lantern
       */
      password?: string
      /**
       * Format: int32
       * @description The country, an id of `GET /api/v1/lookups/countries`.
       * @example 682
       */
      country_id: number
      /**
       * Format: int32
       * @description The region, an id of `GET /api/v1/lookups/regions` in the country.
       * @example 1
       */
      region_id: number
      /**
       * Format: int32
       * @description The city, an id of `GET /api/v1/lookups/cities` in the region.
       * @example 1
       */
      city_id: number
      /**
       * Format: int32
       * @description The nationality, an id of `GET /api/v1/lookups/nationalities`.
       * @example 682
       */
      nationality_id: number
      /**
       * Format: int32
       * @description The user type: 1 individual, 2 establishment, 3 company, 4 government body, 5 authority.
       * @example 1
       * @enum {integer}
       */
      type: 1 | 2 | 3 | 4 | 5
      /**
       * @description The gender.
       * @example Male
       * @enum {string}
       */
      gender: 'Male' | 'Female'
      /**
       * Format: double
       * @description The longitude of the address, in degrees (WGS 84).
       * @example 46.6753
       */
      longitude: number
      /**
       * Format: double
       * @description The latitude of the address, in degrees (WGS 84).
       * @example 24.7136
       */
      latitude: number
      profile_photo?: components['schemas']['ImageUpload']
      /**
       * @description The first name.
       * @example عبدالله
       */
      first_name: string
      /**
       * @description The second name.
       * @example محمد
       */
      second_name: string
      /**
       * @description The third name. Send it empty to clear it.
       * @example سعد
       */
      third_name?: string
      /**
       * @description The fourth name.
       * @example القحطاني
       */
      fourth_name: string
      /**
       * @description A biography of the lawyer. Invisible characters and spaces at its ends are removed.
       * @example محامٍ متخصص في القضايا التجارية.
       */
      about: string
      /**
       * @description The number of the identity document, in digits of any script. Spaces and invisible characters are ignored.
       *     If the operator has set `NATIONAL_ID_CHECK=strict`, a number that is implausible for its `identity_type` is rejected as `national_id_implausible`.
       *     The stored number with the stored type is always accepted.
       *     `national_id_check` of `GET /api/v1/admin/users/{user_id}` describes the plausible formats.
       * @example 1012345672
       */
      national_id: string
      /**
       * Format: int32
       * @description The type of the identity document: 1 national ID, 2 passport, 3 resident ID.
       * @example 1
       * @enum {integer}
       */
      identity_type: 1 | 2 | 3
      national_id_image?: components['schemas']['ImageUpload']
      /**
       * Format: int32
       * @description The day of birth.
       * @example 17
       */
      day: number
      /**
       * Format: int32
       * @description The month of birth.
       * @example 5
       */
      month: number
      /**
       * Format: int32
       * @description The year of birth in the Gregorian calendar. A Hijri year is rejected as `date_not_gregorian`. The age must be 18 to 120 years.
       * @example 1988
       */
      year: number
      /**
       * Format: int32
       * @description The degree, an id of `GET /api/v1/lookups/degrees`.
       * @example 1
       */
      degree: number
      /**
       * @description The name of the degree. Required if `degree` is 4, and ignored otherwise.
       * @example زمالة قانونية
       */
      other_degree?: string
      degree_certificate?: components['schemas']['DocumentUpload']
      /**
       * Format: int32
       * @description The general specialty, an id of `GET /api/v1/lookups/general-specialties`.
       * @example 1
       */
      general_specialty: number
      /**
       * Format: int32
       * @description The accurate specialty, an id of `GET /api/v1/lookups/accurate-specialties` within the general specialty.
       * @example 102
       */
      accurate_specialty: number
      /**
       * Format: int32
       * @description The employment status, an id of `GET /api/v1/lookups/functional-cases`.
       * @example 1
       */
      functional_cases: number
      /**
       * @description The languages, ids of `GET /api/v1/lookups/languages`.
       * @example [
       *       8,
       *       37
       *     ]
       */
      languages: number[]
      /**
       * @description The sections of the digital guide, ids within `GET /api/v1/lookups/digital-guide-categories`.
       *     An empty value, `sections=` or `[]`, clears the licences.
       * @example [
       *       101,
       *       102
       *     ]
       */
      sections?: number[]
      /**
       * @description The licence numbers by section id. Required with `sections`, with the same ids as keys.
       *     Send it in a form as `license_no[101]`, or as JSON.
       * @example {
       *       "101": "38/1234",
       *       "102": "39/5678"
       *     }
       */
      license_no?: {
        [key: string]: string
      }
      /**
       * @description The name of the company or body. Required if `type` is 2, 3, 4 or 5.
       * @example مكتب القحطاني للمحاماة
       */
      company_name?: string
      /**
       * @description The licence number of the company. Required if `type` is 2 or 3.
       * @example 1010123456
       */
      company_licences_no?: string
      company_license_file?: components['schemas']['DocumentUpload']
      cv_file?: components['schemas']['DocumentUpload']
      logo?: components['schemas']['ImageUpload']
    }
    /** @description A profile form, by account type. */
    UpdateProfileRequest: components['schemas']['ClientProfileForm'] | components['schemas']['LawyerProfileForm']
    /**
     * @description The changes of the profile of a client. Missing fields remain unchanged.
     *     Fields of a lawyer and read-only members of the profile are ignored.
     */
    ClientProfilePatch: {
      /**
       * @description The type of the account. Another value changes the type.
       * @example client
       * @enum {string}
       */
      account_type?: 'client'
      /**
       * Format: idn-email
       * @description The unique e-mail address. It is stored in lower case, with its domain in ASCII: `موقع.السعودية` is stored as `xn--4gbrim.xn--mgberp4a5d4ar`.
       *     The part before `@` has at most 64 characters, and each label of the domain at most 63.
       *     Invisible characters and surrounding spaces are removed.
       * @example client@demo.test
       */
      email?: string
      phone?: components['schemas']['PhoneInput']
      phone_code?: components['schemas']['PhoneCodeInput']
      /**
       * @description The code that `POST /api/v1/auth/check-phone` sent to the new number. Required if the number changes and `phone_code` is 966.
       *     The change consumes the code.
       * @example 493027
       */
      otp?: string
      /**
       * Format: password
       * @description A new password of 8 to 256 characters, with the rules of `POST /api/v1/auth/register`.
       *     It revokes all other sessions.
       * @example olive-harbour-58-lantern
       */
      password?: string
      /**
       * Format: int32
       * @description The country, an id of `GET /api/v1/lookups/countries`.
       * @example 682
       */
      country_id?: number
      /**
       * Format: int32
       * @description The region, an id of `GET /api/v1/lookups/regions` in the country.
       * @example 1
       */
      region_id?: number
      /**
       * Format: int32
       * @description The city, an id of `GET /api/v1/lookups/cities` in the region.
       * @example 1
       */
      city_id?: number
      /**
       * Format: int32
       * @description The nationality, an id of `GET /api/v1/lookups/nationalities`.
       * @example 682
       */
      nationality_id?: number
      /**
       * Format: int32
       * @description The user type: 1 individual, 2 establishment, 3 company, 4 government body, 5 authority.
       * @example 1
       * @enum {integer}
       */
      type?: 1 | 2 | 3 | 4 | 5
      /**
       * @description The gender.
       * @example Female
       * @enum {string}
       */
      gender?: 'Male' | 'Female'
      /**
       * Format: double
       * @description The longitude of the address, in degrees (WGS 84).
       * @example 46.6753
       */
      longitude?: number
      /**
       * Format: double
       * @description The latitude of the address, in degrees (WGS 84).
       * @example 24.7136
       */
      latitude?: number
      /**
       * Format: uri-reference
       * @description Null deletes the file. The link to the stored file leaves it unchanged. Files are uploaded with `PUT /api/v1/profile`.
       */
      profile_photo?: string | null
      /**
       * @description The full name.
       * @example سارة العتيبي
       */
      name?: string
    }
    /**
     * @description The changes of the profile of a lawyer. Missing fields remain unchanged, and null clears optional ones.
     *     Fields of a client and read-only members of the profile are ignored.
     */
    LawyerProfilePatch: {
      /**
       * @description The type of the account. Another value changes the type.
       * @example lawyer
       * @enum {string}
       */
      account_type?: 'lawyer'
      /**
       * Format: idn-email
       * @description The unique e-mail address. It is stored in lower case, with its domain in ASCII: `موقع.السعودية` is stored as `xn--4gbrim.xn--mgberp4a5d4ar`.
       *     The part before `@` has at most 64 characters, and each label of the domain at most 63.
       *     Invisible characters and surrounding spaces are removed.
       * @example lawyer@demo.test
       */
      email?: string
      phone?: components['schemas']['PhoneInput']
      phone_code?: components['schemas']['PhoneCodeInput']
      /**
       * @description The code that `POST /api/v1/auth/check-phone` sent to the new number. Required if the number changes and `phone_code` is 966.
       *     The change consumes the code.
       * @example 493027
       */
      otp?: string
      /**
       * Format: password
       * @description A new password of 8 to 256 characters, with the rules of `POST /api/v1/auth/register`.
       *     It revokes all other sessions.
       * @example olive-harbour-58-lantern
       */
      password?: string
      /**
       * Format: int32
       * @description The country, an id of `GET /api/v1/lookups/countries`.
       * @example 682
       */
      country_id?: number
      /**
       * Format: int32
       * @description The region, an id of `GET /api/v1/lookups/regions` in the country.
       * @example 1
       */
      region_id?: number
      /**
       * Format: int32
       * @description The city, an id of `GET /api/v1/lookups/cities` in the region.
       * @example 1
       */
      city_id?: number
      /**
       * Format: int32
       * @description The nationality, an id of `GET /api/v1/lookups/nationalities`.
       * @example 682
       */
      nationality_id?: number
      /**
       * Format: int32
       * @description The user type: 1 individual, 2 establishment, 3 company, 4 government body, 5 authority.
       * @example 1
       * @enum {integer}
       */
      type?: 1 | 2 | 3 | 4 | 5
      /**
       * @description The gender.
       * @example Male
       * @enum {string}
       */
      gender?: 'Male' | 'Female'
      /**
       * Format: double
       * @description The longitude of the address, in degrees (WGS 84).
       * @example 46.6753
       */
      longitude?: number
      /**
       * Format: double
       * @description The latitude of the address, in degrees (WGS 84).
       * @example 24.7136
       */
      latitude?: number
      /**
       * Format: uri-reference
       * @description Null deletes the file. The link to the stored file leaves it unchanged. Files are uploaded with `PUT /api/v1/profile`.
       */
      profile_photo?: string | null
      /**
       * @description The first name.
       * @example عبدالله
       */
      first_name?: string
      /**
       * @description The second name.
       * @example محمد
       */
      second_name?: string
      /**
       * @description The third name. Send it empty to clear it.
       * @example سعد
       */
      third_name?: string | null
      /**
       * @description The fourth name.
       * @example القحطاني
       */
      fourth_name?: string
      /**
       * @description A biography of the lawyer. Invisible characters and spaces at its ends are removed.
       * @example محامٍ متخصص في القضايا التجارية.
       */
      about?: string
      /**
       * @description The number of the identity document, in digits of any script. Spaces and invisible characters are ignored.
       *     If the operator has set `NATIONAL_ID_CHECK=strict`, a number that is implausible for its `identity_type` is rejected as `national_id_implausible`.
       *     The stored number with the stored type is always accepted.
       *     `national_id_check` of `GET /api/v1/admin/users/{user_id}` describes the plausible formats.
       * @example 1012345672
       */
      national_id?: string
      /**
       * Format: int32
       * @description The type of the identity document: 1 national ID, 2 passport, 3 resident ID.
       * @example 1
       * @enum {integer}
       */
      identity_type?: 1 | 2 | 3
      /**
       * Format: uri-reference
       * @description The link to the stored file, or null if there is none. Files are replaced with `PUT /api/v1/profile`.
       */
      national_id_image?: string | null
      /**
       * Format: int32
       * @description The day of birth.
       * @example 17
       */
      day?: number
      /**
       * Format: int32
       * @description The month of birth.
       * @example 5
       */
      month?: number
      /**
       * Format: int32
       * @description The year of birth in the Gregorian calendar. A Hijri year is rejected as `date_not_gregorian`. The age must be 18 to 120 years.
       * @example 1988
       */
      year?: number
      /**
       * Format: int32
       * @description The degree, an id of `GET /api/v1/lookups/degrees`.
       * @example 1
       */
      degree?: number
      /**
       * @description The name of the degree. Required if `degree` is 4, and ignored otherwise.
       * @example زمالة قانونية
       */
      other_degree?: string | null
      /**
       * Format: uri-reference
       * @description The link to the stored file, or null if there is none. Files are replaced with `PUT /api/v1/profile`.
       */
      degree_certificate?: string | null
      /**
       * Format: int32
       * @description The general specialty, an id of `GET /api/v1/lookups/general-specialties`.
       * @example 1
       */
      general_specialty?: number
      /**
       * Format: int32
       * @description The accurate specialty, an id of `GET /api/v1/lookups/accurate-specialties` within the general specialty.
       * @example 102
       */
      accurate_specialty?: number
      /**
       * Format: int32
       * @description The employment status, an id of `GET /api/v1/lookups/functional-cases`.
       * @example 1
       */
      functional_cases?: number
      /**
       * @description The languages, ids of `GET /api/v1/lookups/languages`. The list replaces the stored one.
       * @example [
       *       8,
       *       37
       *     ]
       */
      languages?: number[]
      /**
       * @description The sections of the digital guide, ids within `GET /api/v1/lookups/digital-guide-categories`.
       *     The list replaces the stored one. Null or `[]` clears the licences.
       * @example [
       *       101,
       *       102
       *     ]
       */
      sections?: number[] | null
      /**
       * @description The licence numbers by section id, with the ids of `sections` as keys. The map replaces the stored one as a whole.
       * @example {
       *       "101": "38/1234",
       *       "102": "39/5678"
       *     }
       */
      license_no?: {
        [key: string]: string
      } | null
      /**
       * @description The name of the company or body. Required if `type` is 2, 3, 4 or 5.
       * @example مكتب القحطاني للمحاماة
       */
      company_name?: string | null
      /**
       * @description The licence number of the company. Required if `type` is 2 or 3.
       * @example 1010123456
       */
      company_licences_no?: string | null
      /**
       * Format: uri-reference
       * @description The link to the stored file, or null if there is none. Files are replaced with `PUT /api/v1/profile`.
       */
      company_license_file?: string | null
      /**
       * Format: uri-reference
       * @description Null deletes the file. The link to the stored file leaves it unchanged. Files are uploaded with `PUT /api/v1/profile`.
       */
      cv_file?: string | null
      /**
       * Format: uri-reference
       * @description Null deletes the file. The link to the stored file leaves it unchanged. Files are uploaded with `PUT /api/v1/profile`.
       */
      logo?: string | null
    }
    /** @description The changes of a profile, as a JSON merge patch. `account_type` is only needed to change the type of the account: without it, the current type selects the fields. */
    PatchProfileRequest: components['schemas']['ClientProfilePatch'] | components['schemas']['LawyerProfilePatch']
    /** @description A value of an enumeration. */
    FormOption: {
      /**
       * @description The value of the field.
       * @example 1
       */
      const: (1 | 2 | 3 | 4 | 5) | ('Male' | 'Female')
      /**
       * @description The name of the value.
       * @example فرد
       */
      title: string
    }
    /** @description The rules of the items of a list, or of the values of a map. */
    FormItem: {
      /**
       * @description The type of the value.
       * @example integer
       * @enum {string}
       */
      type: 'string' | 'integer'
      /**
       * Format: double
       * @description The smallest number.
       * @example 1
       */
      minimum?: number
      /**
       * Format: double
       * @description The largest number.
       * @example 1
       */
      maximum?: number
      /**
       * Format: int32
       * @description The smallest number of characters.
       * @example 1
       */
      minLength?: number
      /**
       * Format: int32
       * @description The largest number of characters.
       * @example 1
       */
      maxLength?: number
      /**
       * Format: regex
       * @description A regular expression that a text matches.
       * @example ^[0-9]{6}$
       */
      pattern?: string
      /**
       * @description As in a field of the form.
       * @example true
       */
      'x-visible'?: boolean
    }
    /** @description The lookup that contains the values of a field. */
    FormLookup: {
      /**
       * @description The path of the operation that returns the values as `data.items`.
       * @example /api/v1/lookups/regions
       */
      url: string
      /**
       * @description The last part of the path, such as `regions` of `GET /api/v1/lookups/regions`.
       * @example regions
       */
      set: string
      /**
       * @description The field that the values depend on. Clear the value if the parent changes.
       * @example country_id
       */
      parent?: string
      /**
       * @description The query parameter for the value of `parent`. The items name their parent by the same member.
       * @example country_id
       */
      query?: string
      /**
       * @description The member of each item that lists the values. Missing if the items are the values.
       * @example sections
       */
      members?: string
    }
    /** @description The rules of a file. */
    FormFile: {
      /**
       * @description The accepted media types.
       * @example [
       *       "image/jpeg",
       *       "image/png",
       *       "image/webp"
       *     ]
       */
      accept: string[]
      /**
       * Format: int32
       * @description The size limit in MB.
       * @example 5
       */
      megabytes: number
      /**
       * @description Whether the file is required. A stored file satisfies `unless_stored`.
       * @example unless_stored
       * @enum {string}
       */
      required: 'never' | 'unless_stored'
      /**
       * @description A stored file does not satisfy `unless_stored` if one of these fields changes.
       * @example [
       *       "identity_type",
       *       "national_id"
       *     ]
       */
      proves?: string[]
      /** @description The condition of `unless_stored`. Without it, the file is required with every value of the other fields. */
      if?: {
        /**
         * @description The name of the other field.
         * @example degree
         */
        field: string
        /**
         * @description The values of the other field with which the file is required.
         * @example [
         *       1,
         *       2
         *     ]
         */
        values: number[]
      }
    }
    /** @description A field of the form. All keywords are those of JSON Schema, except for those with `x-`. */
    FormField: {
      /**
       * @description The label.
       * @example المنطقة
       */
      title: string
      /**
       * @description A hint for the user.
       * @example بالتاريخ الميلادي.
       */
      description?: string
      /**
       * @description The part of the form.
       * @example location
       * @enum {string}
       */
      'x-group': 'account' | 'identity' | 'location' | 'qualification' | 'practice' | 'company'
      /**
       * @description The type of the value.
       * @example integer
       * @enum {string}
       */
      type: 'string' | 'integer' | 'number' | 'array' | 'object'
      /**
       * @description The only value.
       * @example lawyer
       */
      const?: string
      /**
       * @description The format of a text. A file has `binary`.
       * @example email
       * @enum {string}
       */
      format?: 'email' | 'password' | 'binary'
      /** @description The values of an enumeration with their names. */
      oneOf?: components['schemas']['FormOption'][]
      /**
       * Format: double
       * @description The smallest number.
       * @example 1
       */
      minimum?: number
      /**
       * Format: double
       * @description The largest number.
       * @example 1
       */
      maximum?: number
      /**
       * Format: int32
       * @description The smallest number of characters.
       * @example 1
       */
      minLength?: number
      /**
       * Format: int32
       * @description The largest number of characters.
       * @example 1
       */
      maxLength?: number
      /**
       * Format: regex
       * @description A regular expression that a text matches.
       * @example ^[0-9]{6}$
       */
      pattern?: string
      /**
       * Format: int32
       * @description The smallest number of items.
       * @example 1
       */
      minItems?: number
      /**
       * Format: int32
       * @description The largest number of items.
       * @example 1
       */
      maxItems?: number
      /**
       * @description Whether each item occurs once.
       * @example true
       */
      uniqueItems?: boolean
      items?: components['schemas']['FormItem']
      /**
       * Format: int32
       * @description The largest number of entries of a map.
       * @example 1
       */
      maxProperties?: number
      /** @description The rules of the keys of a map. */
      propertyNames?: {
        /**
         * Format: regex
         * @description A regular expression that a text matches.
         * @example ^[0-9]{6}$
         */
        pattern: string
      }
      additionalProperties?: components['schemas']['FormItem']
      'x-lookup'?: components['schemas']['FormLookup']
      /**
       * @description The field whose items are the keys of the map: each item is a key, and there are no others.
       * @example sections
       */
      'x-keys'?: string
      'x-file'?: components['schemas']['FormFile']
      /**
       * @description Whether a non-empty text must contain a visible character: a letter, digit, punctuation mark or symbol of Unicode that is not ignorable by default and not a blank. `pattern` rejects the frequent other characters.
       * @example true
       */
      'x-visible'?: boolean
      /**
       * @description Whether an empty value clears the field.
       * @example true
       */
      'x-clearable'?: boolean
    }
    /** @description A rule of one field in a condition. An empty object allows every value. */
    FormRule: {
      /**
       * Format: int32
       * @description The only value.
       * @example 4
       */
      const?: number
      /**
       * @description The possible values.
       * @example [
       *       2,
       *       3
       *     ]
       */
      enum?: number[]
      /**
       * Format: int32
       * @description The smallest number of items.
       * @example 1
       */
      minItems?: number
      /**
       * Format: int32
       * @description The smallest number of characters.
       * @example 1
       */
      minLength?: number
      /**
       * Format: double
       * @description The smallest number.
       * @example 1
       */
      minimum?: number
      /**
       * Format: double
       * @description The largest number.
       * @example 1
       */
      maximum?: number
      /** @description A rule that the number does not match. */
      not?: {
        /**
         * Format: int32
         * @description The number is a multiple of it.
         * @example 1
         */
        multipleOf: number
      }
      /**
       * @description The field code of a value that breaks the rule, if it is not the usual one of the keyword.
       * @example date_unreal
       * @enum {string}
       */
      'x-code'?: 'date_not_gregorian' | 'date_unreal'
    }
    /** @description Rules that apply if a field has a certain value. */
    FormCondition: {
      /** @description The fields that the condition depends on. */
      if: {
        /**
         * @description The names of required fields.
         * @example [
         *       "account_type",
         *       "email"
         *     ]
         */
        required: string[]
        /**
         * @description The rules of the fields by name.
         * @example {
         *       "other_degree": {
         *         "minLength": 1
         *       }
         *     }
         */
        properties: {
          [key: string]: components['schemas']['FormRule']
        }
      }
      /** @description The rules that apply. */
      then: {
        /**
         * @description The names of required fields.
         * @example [
         *       "account_type",
         *       "email"
         *     ]
         */
        required: string[]
        /**
         * @description The rules of the fields by name.
         * @example {
         *       "other_degree": {
         *         "minLength": 1
         *       }
         *     }
         */
        properties: {
          [key: string]: components['schemas']['FormRule']
        }
      }
    }
    /** @description A group of fields of the form. */
    FormGroup: {
      /**
       * @description The `x-group` of the fields.
       * @example location
       */
      name: string
      /**
       * @description The heading.
       * @example الموقع
       */
      title: string
    }
    /** @description The fields of a date of birth, and the limits of the age on the day of the request in UTC. The calendar is Gregorian. */
    FormBirthDate: {
      /**
       * @description The field of the day.
       * @example day
       */
      day: string
      /**
       * @description The field of the month.
       * @example month
       */
      month: string
      /**
       * @description The field of the year.
       * @example year
       */
      year: string
      /**
       * Format: int32
       * @description The lowest age in completed years.
       * @example 18
       */
      years_min: number
      /**
       * Format: int32
       * @description The highest age in completed years.
       * @example 120
       */
      years_max: number
    }
    /** @description A profile form as JSON Schema 2020-12. Its keywords have the same meaning in draft 7. */
    ProfileForm: {
      /**
       * @description The type of a form.
       * @example object
       * @enum {string}
       */
      type: 'object'
      /**
       * @description The names of required fields.
       * @example [
       *       "account_type",
       *       "email"
       *     ]
       */
      required: string[]
      /**
       * @description The fields by name, in the order in which to show them.
       * @example {
       *       "latitude": {
       *         "title": "خط العرض",
       *         "x-group": "location",
       *         "type": "number",
       *         "minimum": -90,
       *         "maximum": 90
       *       }
       *     }
       */
      properties: {
        [key: string]: components['schemas']['FormField']
      }
      /**
       * @description Always false. The form has no other fields, but the service ignores those of `x-ignored-fields`.
       * @example false
       */
      additionalProperties: boolean
      /** @description The conditions of the form. Missing if it has none. */
      allOf?: components['schemas']['FormCondition'][]
      /** @description The groups of the fields, in the order in which to show them. */
      'x-groups': components['schemas']['FormGroup'][]
      /**
       * @description Names of other fields that the service ignores.
       * @example [
       *       "account_type",
       *       "email"
       *     ]
       */
      'x-ignored-fields': string[]
      'x-birth-date'?: components['schemas']['FormBirthDate']
      /**
       * @description The messages of broken rules in the language of the response, by field code. A code with a limit is followed by the limit, as in `too_long.160`.
       * @example {
       *       "required": "هذا الحقل مطلوب."
       *     }
       */
      'x-messages': {
        [key: string]: string
      }
    }
    /** @description The current password and the new one. */
    ChangePasswordRequest: {
      /**
       * Format: password
       * @description The current password, compared after NFKC normalization.
       * @example Tawthiq-demo-1
       */
      current_password: string
      /**
       * Format: password
       * @description A password of 8 to 256 characters, in any script. It is compared after NFKC normalization.
       *     No types of characters are required.
       *
       *     | Rejected password | Code |
       *     |---|---|
       *     | one of the most common passwords | `password_common` |
       *     | the e-mail address | `password_is_email` |
       *     | words, names, dates and keyboard patterns in English and Arabic, alone or with a few digits or signs; the name, e-mail address and phone number of the account | `password_guessable` |
       *     | a password known from data breaches, if the operator enables this check | `password_breached` |
       * @example olive-harbour-58-lantern
       */
      new_password: string
    }
    /** @description The current password, as proof of identity. */
    AccountDeletionRequest: {
      /**
       * Format: password
       * @description The password, compared after NFKC normalization.
       * @example Tawthiq-demo-1
       */
      password: string
    }
    /** @description The scheduled deletion. */
    AccountDeletionResult: {
      /**
       * Format: date-time
       * @description The due date of the deletion.
       * @example 2026-11-20T08:12:00.000Z
       */
      deletion_due_at: string
    }
    /** @description The account without its profile. */
    ExportedAccount: {
      /**
       * Format: int32
       * @description The id of the account.
       * @example 1
       */
      id: number
      /**
       * Format: email
       * @description The e-mail address, in lower case.
       * @example client@demo.test
       */
      email: string
      /**
       * @description The national number, without the calling code.
       * @example 500000001
       */
      phone: string
      /**
       * @description The country calling code, digits only.
       * @example 966
       */
      phone_code: string
      /**
       * @description True if the phone number is verified.
       * @example true
       */
      phone_verified: boolean
      /**
       * @description True if the e-mail address is verified.
       * @example false
       */
      email_verified: boolean
      /**
       * Format: email
       * @description The address that replaces `email` when it is confirmed; null if no change is pending.
       * @example null
       */
      pending_email: string | null
      /**
       * @description The type of the account.
       * @example client
       * @enum {string}
       */
      account_type: 'client' | 'lawyer'
      /**
       * @description Whether the account is active or suspended.
       * @example active
       * @enum {string}
       */
      status: 'active' | 'suspended'
      /**
       * @description True if the account is an administrator.
       * @example false
       */
      is_admin: boolean
      /**
       * Format: date-time
       * @description The time of the registration.
       * @example 2026-11-20T08:12:00.000Z
       */
      created_at: string
      /**
       * Format: date-time
       * @description The due date of the scheduled deletion; null if none is scheduled.
       * @example 2026-11-21T09:30:00.000Z
       */
      deletion_due_at: string | null
    }
    /** @description A file of the profile. */
    ExportedFile: {
      /**
       * @description The profile field of the file.
       * @example profile_photo
       * @enum {string}
       */
      kind: 'profile_photo' | 'national_id_image' | 'degree_certificate' | 'cv_file' | 'company_license_file' | 'logo'
      /**
       * @description The name of the file in the archive; null if it is missing.
       * @example files/profile_photo.jpg
       */
      name: string | null
      /**
       * @description The media type of the file.
       * @example image/jpeg
       * @enum {string}
       */
      media_type: 'image/jpeg' | 'image/png' | 'image/webp' | 'application/pdf'
      /**
       * Format: int32
       * @description The size of the file in bytes.
       * @example 48213
       */
      bytes: number
      /**
       * Format: date-time
       * @description The time of the upload.
       * @example 2026-11-20T08:12:00.000Z
       */
      uploaded_at: string
      /**
       * @description True if the file is missing in the storage and in the archive.
       * @example false
       */
      missing: boolean
    }
    /** @description A passkey of the account, in an export. */
    ExportedPasskey: {
      /**
       * Format: uuid
       * @description The id of the passkey.
       * @example 4f1d2c3b-5a69-4788-9b0c-1d2e3f405162
       */
      id: string
      /**
       * @description The name of the passkey, which the owner chooses.
       * @example MacBook
       */
      name: string
      /**
       * Format: date-time
       * @description The time at which the passkey was added.
       * @example 2026-11-20T08:12:00.000Z
       */
      added_at: string
      /**
       * Format: date-time
       * @description The time of the last login or reauthentication with the passkey; null if there was none.
       * @example 2026-11-21T09:30:00.000Z
       */
      last_used_at: string | null
      /**
       * @description True if the passkey is backed up, for example by a password manager. Other passkeys are lost with their device.
       * @example true
       */
      is_backed_up: boolean
      /**
       * Format: uuid
       * @description The AAGUID, which identifies the model of the authenticator or the password manager. Only zeros if it is not known.
       * @example ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4
       */
      aaguid: string
    }
    /** @description The second factors of an account, in an export. */
    ExportedSecondFactors: {
      /** @description The passkeys, oldest first. */
      passkeys: components['schemas']['ExportedPasskey'][]
      /**
       * Format: date-time
       * @description The time at which the authenticator app was added; null if there is none.
       * @example 2026-11-21T09:30:00.000Z
       */
      totp_added_at: string | null
      /**
       * Format: int32
       * @description The number of recovery codes that have not been used.
       * @example 10
       */
      recovery_codes_left: number
      /**
       * Format: date-time
       * @description The time at which a pending reset ends the second factors; null if none is pending.
       * @example 2026-11-21T09:30:00.000Z
       */
      reset_at: string | null
    }
    /** @description A session of the account. */
    ExportedSession: {
      /**
       * Format: uuid
       * @description The id of the session.
       * @example 5b0e3ac7-7d2c-4b0c-8f6a-3c1d2e4f5a6b
       */
      id: string
      /**
       * @description The browser and the operating system, from the `User-Agent`; null if they are unknown.
       * @example Chrome, Windows
       */
      device: string | null
      /**
       * @description The masked IP address of the login.
       * @example 203.0.113.*
       */
      address: string
      /**
       * Format: date-time
       * @description The time of the login.
       * @example 2026-11-20T08:12:00.000Z
       */
      created_at: string
      /**
       * Format: date-time
       * @description The time of the last access token of the session.
       * @example 2026-11-21T09:30:00.000Z
       */
      last_used_at: string
      /**
       * @description True for the session of the request.
       * @example true
       */
      current: boolean
      /**
       * Format: date-time
       * @description The time at which the session was ended; null if it was not.
       * @example 2026-11-21T09:30:00.000Z
       */
      ended_at: string | null
    }
    /** @description An audit event of the account. */
    ExportedEvent: {
      /**
       * Format: date-time
       * @description The time of the event.
       * @example 2026-11-20T08:12:00.000Z
       */
      at: string
      /**
       * @description The type of the event.
       * @example login
       * @enum {string}
       */
      event:
        | 'login'
        | 'login_failed'
        | 'login_limited'
        | 'login_suspended'
        | 'logout'
        | 'registered'
        | 'taken_limited'
        | 'refresh_token_reused'
        | 'reauthenticated'
        | 'reauthentication_failed'
        | 'reauthentication_limited'
        | 'mfa_code_failed'
        | 'mfa_code_missing'
        | 'recovery_code_used'
        | 'totp_added'
        | 'totp_removed'
        | 'recovery_codes_renewed'
        | 'passkey_added'
        | 'passkey_removed'
        | 'passkey_failed'
        | 'factor_reset_requested'
        | 'factor_reset_confirmed'
        | 'factor_reset_failed'
        | 'factor_reset_cancelled'
        | 'factor_reset_cancellation_failed'
        | 'factor_reset_scheduled'
        | 'factors_removed'
        | 'session_revoked'
        | 'other_sessions_revoked'
        | 'phone_checked'
        | 'phone_check_limited'
        | 'phone_found_taken'
        | 'phone_confirmed'
        | 'phone_confirm_limited'
        | 'phone_confirmation_failed'
        | 'otp_exhausted'
        | 'email_verification_requested'
        | 'email_verification_limited'
        | 'email_verification_failed'
        | 'email_verified'
        | 'email_change_requested'
        | 'email_changed'
        | 'email_change_cancelled'
        | 'email_change_undone'
        | 'email_cancellation_failed'
        | 'email_recovery_allowed'
        | 'email_released'
        | 'phone_changed'
        | 'profile_updated'
        | 'password_changed'
        | 'password_change_failed'
        | 'password_change_limited'
        | 'password_reset'
        | 'password_reset_requested'
        | 'password_reset_failed'
        | 'changes_undone'
        | 'changes_undo_failed'
        | 'email_release_failed'
        | 'email_marked_verified'
        | 'deletion_requested'
        | 'deletion_refused'
        | 'deletion_limited'
        | 'deletion_cancelled'
        | 'account_deleted'
        | 'account_exported'
        | 'export_limited'
        | 'account_imported'
        | 'document_read'
        | 'file_deleted'
        | 'user_read'
        | 'users_listed'
        | 'audit_listed'
        | 'user_suspended'
        | 'user_restored'
        | 'lawyer_approved'
        | 'lawyer_rejected'
        | 'events_replayed'
        | 'enrollment_code_issued'
        | 'admin_refused'
        | 'admin_granted'
        | 'admin_revoked'
        | 'files_swept'
        | 'files_sweep_stopped'
        | 'key_rotated'
      /**
       * @description The masked e-mail address or phone number, or the kind of the file; `command line` for an action of an operator on the server.
       *     For `phone_changed`, the masked old and new number, separated by a space.
       *     null for the review of a lawyer.
       * @example c***@demo.test
       */
      subject: string | null
      /**
       * @description The masked IP address of the client; null for an action of an administrator.
       * @example 203.0.113.*
       */
      address: string | null
      /**
       * @description True for an action of an administrator.
       * @example false
       */
      by_administrator: boolean
    }
    /**
     * @description The stored data of an account, as `account.json` in an export archive.
     *     In profiles, links are replaced by the names of files in the archive.
     */
    AccountExport: {
      /**
       * Format: date-time
       * @description The time of the export.
       * @example 2026-11-20T08:12:00.000Z
       */
      exported_at: string
      account: components['schemas']['ExportedAccount']
      profile: components['schemas']['UserProfile']
      /** @description The stored lawyer profile of a client account that was a lawyer account; null otherwise. */
      lawyer_profile: components['schemas']['LawyerProfile'] | null
      /** @description The files of the profile. */
      files: components['schemas']['ExportedFile'][]
      second_factors: components['schemas']['ExportedSecondFactors']
      /** @description The sessions, including ended sessions, most recently used first. */
      sessions: components['schemas']['ExportedSession'][]
      /** @description The audit events of the account, newest first. */
      events: components['schemas']['ExportedEvent'][]
    }
    /**
     * Format: binary
     * @description A ZIP archive. `contentSchema` describes its entries by name.
     */
    AccountExportArchive: Upload
    /** @description A rate limit. When `limit` is reached, requests of `operations` are rejected with `error_code` until the window ends. */
    RateLimit: {
      /**
       * @description The name of the limit, which `RateLimit-Policy` contains too if `reported` is true.
       * @example login-address
       */
      name: string
      /**
       * @description What is counted, in the language of the request.
       * @example كلمات المرور الخاطئة من الشبكة الواحدة
       */
      description: string
      /**
       * @description The `operationId` of each operation that counts towards the limit.
       * @example [
       *       "login"
       *     ]
       */
      operations: string[]
      /**
       * @description Which requests count.
       * @example failures
       * @enum {string}
       */
      counts: 'requests' | 'failures'
      /**
       * @description What has a count of its own. With several, each combination has one.
       * @example [
       *       "network"
       *     ]
       */
      per: ('network' | 'network_56' | 'network_48' | 'account' | 'email' | 'phone' | 'phone_block')[]
      /**
       * Format: int32
       * @description How many requests are accepted in a window.
       * @example 30
       */
      limit: number
      /**
       * Format: int32
       * @description The length of the window.
       * @example 300
       */
      window_seconds: number
      /**
       * @description The delays after the first request, the second, and so on; the last one applies to all further requests. Only of limits that are delays.
       * @example [
       *       60,
       *       120,
       *       300
       *     ]
       */
      delays_seconds?: number[]
      error_code: components['schemas']['ErrorCode']
      /**
       * @description Whether the limit appears in `RateLimit` and `RateLimit-Policy`. Limits that other clients count towards too do not.
       * @example true
       */
      reported: boolean
    }
    /** @description The list of the rate limits of all operations. */
    RateLimitList: {
      /** @description The rate limits. */
      items: components['schemas']['RateLimit'][]
      /**
       * @description The `cursor` of the next page; null on the last page, and always null if the operation has no `cursor`.
       * @example NDI
       */
      next_cursor: string | null
    }
    /**
     * @description The name in the language of `Content-Language`.
     * @example الرياض
     */
    LookupName: string
    /**
     * @description The name in Arabic, regardless of the requested language.
     * @example الرياض
     */
    LookupNameAr: string
    /**
     * @description The name in English, regardless of the requested language.
     * @example Riyadh
     */
    LookupNameEn: string
    /** @description An account type with its names. */
    AccountTypeOption: {
      /**
       * @description The value of the field.
       * @example client
       * @enum {string}
       */
      value: 'client' | 'lawyer'
      name: components['schemas']['LookupName']
      name_ar: components['schemas']['LookupNameAr']
      name_en: components['schemas']['LookupNameEn']
    }
    /** @description A gender with its names. */
    GenderOption: {
      /**
       * @description The value of the field.
       * @example Female
       * @enum {string}
       */
      value: 'Male' | 'Female'
      name: components['schemas']['LookupName']
      name_ar: components['schemas']['LookupNameAr']
      name_en: components['schemas']['LookupNameEn']
    }
    /** @description A user type with its names. */
    UserTypeOption: {
      /**
       * Format: int32
       * @description The value of the field.
       * @example 1
       * @enum {integer}
       */
      value: 1 | 2 | 3 | 4 | 5
      name: components['schemas']['LookupName']
      name_ar: components['schemas']['LookupNameAr']
      name_en: components['schemas']['LookupNameEn']
    }
    /** @description A type of identity document with its names. */
    IdentityTypeOption: {
      /**
       * Format: int32
       * @description The value of the field.
       * @example 1
       * @enum {integer}
       */
      value: 1 | 2 | 3
      name: components['schemas']['LookupName']
      name_ar: components['schemas']['LookupNameAr']
      name_en: components['schemas']['LookupNameEn']
    }
    /**
     * @description The code of the country, ISO 3166-1 alpha-2.
     * @example SA
     */
    Iso2: string
    /** @description A country or territory of ISO 3166-1. Its id is the numeric code. */
    Country: {
      id: components['schemas']['ResourceId']
      name: components['schemas']['LookupName']
      name_ar: components['schemas']['LookupNameAr']
      name_en: components['schemas']['LookupNameEn']
      iso2: components['schemas']['Iso2']
      /**
       * @description The calling code, digits only; null if the country has none.
       * @example 966
       */
      phone_code: string | null
    }
    /** @description The countries, sorted by name. The item for all others is last. */
    Countries: components['schemas']['Country'][]
    /** @description A nationality. Its id is the numeric code of the country. */
    Nationality: {
      id: components['schemas']['ResourceId']
      name: components['schemas']['LookupName']
      name_ar: components['schemas']['LookupNameAr']
      name_en: components['schemas']['LookupNameEn']
      iso2: components['schemas']['Iso2']
    }
    /** @description The nationalities, sorted by name. The item for all others is last. */
    Nationalities: components['schemas']['Nationality'][]
    /** @description A degree. The item with id 4 is any other degree, which `other_degree` names. */
    Degree: {
      id: components['schemas']['ResourceId']
      name: components['schemas']['LookupName']
      name_ar: components['schemas']['LookupNameAr']
      name_en: components['schemas']['LookupNameEn']
      /**
       * @description Whether the degree requires `degree_certificate`.
       * @example true
       */
      need_certificate: boolean
    }
    /** @description The degrees, sorted by name. The item for all others is last. */
    Degrees: components['schemas']['Degree'][]
    /** @description A general specialty. */
    GeneralSpecialty: {
      id: components['schemas']['ResourceId']
      name: components['schemas']['LookupName']
      name_ar: components['schemas']['LookupNameAr']
      name_en: components['schemas']['LookupNameEn']
    }
    /** @description The general specialties, sorted by name. The item for all others is last. */
    GeneralSpecialties: components['schemas']['GeneralSpecialty'][]
    /** @description A specialty within a general specialty. */
    AccurateSpecialty: {
      id: components['schemas']['ResourceId']
      name: components['schemas']['LookupName']
      name_ar: components['schemas']['LookupNameAr']
      name_en: components['schemas']['LookupNameEn']
      /**
       * Format: int32
       * @description The general specialty, an id of `GET /api/v1/lookups/general-specialties`.
       * @example 1
       */
      general_specialty_id: number
    }
    /** @description The accurate specialties, sorted by name. The item for all others is last. */
    AccurateSpecialties: components['schemas']['AccurateSpecialty'][]
    /** @description An employment status. */
    FunctionalCase: {
      id: components['schemas']['ResourceId']
      name: components['schemas']['LookupName']
      name_ar: components['schemas']['LookupNameAr']
      name_en: components['schemas']['LookupNameEn']
    }
    /** @description The functional cases, sorted by name. The item for all others is last. */
    FunctionalCases: components['schemas']['FunctionalCase'][]
    /** @description A language of ISO 639-1. */
    Language: {
      id: components['schemas']['ResourceId']
      name: components['schemas']['LookupName']
      name_ar: components['schemas']['LookupNameAr']
      name_en: components['schemas']['LookupNameEn']
      /**
       * @description The code of the language, ISO 639-1.
       * @example ar
       */
      iso: string
    }
    /** @description The languages, sorted by name. The item for all others is last. */
    Languages: components['schemas']['Language'][]
    /** @description A section of the digital guide, for which a lawyer has a licence. */
    DigitalGuideSection: {
      id: components['schemas']['ResourceId']
      name: components['schemas']['LookupName']
      name_ar: components['schemas']['LookupNameAr']
      name_en: components['schemas']['LookupNameEn']
      /**
       * Format: int32
       * @description The category, an id of `GET /api/v1/lookups/digital-guide-categories`.
       * @example 1
       */
      category_id: number
    }
    /** @description A category of the digital guide, with its sections. */
    DigitalGuideCategory: {
      id: components['schemas']['ResourceId']
      name: components['schemas']['LookupName']
      name_ar: components['schemas']['LookupNameAr']
      name_en: components['schemas']['LookupNameEn']
      /** @description The sections of the category. */
      sections: components['schemas']['DigitalGuideSection'][]
    }
    /** @description The digital guide categories, sorted by name. The item for all others is last. */
    DigitalGuideCategories: components['schemas']['DigitalGuideCategory'][]
    /** @description The values for a profile form. */
    LookupsResult: {
      /** @description The values of `account_type`. */
      account_types: components['schemas']['AccountTypeOption'][]
      /** @description The values of `gender`. */
      genders: components['schemas']['GenderOption'][]
      /** @description The values of `type`. */
      types: components['schemas']['UserTypeOption'][]
      /** @description The values of `identity_type`. */
      identity_types: components['schemas']['IdentityTypeOption'][]
      countries: components['schemas']['Countries']
      nationalities: components['schemas']['Nationalities']
      degrees: components['schemas']['Degrees']
      general_specialties: components['schemas']['GeneralSpecialties']
      accurate_specialties: components['schemas']['AccurateSpecialties']
      functional_cases: components['schemas']['FunctionalCases']
      languages: components['schemas']['Languages']
      digital_guide_categories: components['schemas']['DigitalGuideCategories']
    }
    /** @description The list of the countries. */
    CountryList: {
      items: components['schemas']['Countries']
      /**
       * @description The `cursor` of the next page; null on the last page, and always null if the operation has no `cursor`.
       * @example NDI
       */
      next_cursor: string | null
    }
    /** @description A region of a country. A country without regions has a single item for the whole country. */
    Region: {
      id: components['schemas']['ResourceId']
      name: components['schemas']['LookupName']
      name_ar: components['schemas']['LookupNameAr']
      name_en: components['schemas']['LookupNameEn']
      /**
       * Format: int32
       * @description The country, an id of `GET /api/v1/lookups/countries`.
       * @example 1
       */
      country_id: number
    }
    /** @description The regions, sorted by name. The item for all others is last. */
    Regions: components['schemas']['Region'][]
    /** @description The list of the regions. */
    RegionList: {
      items: components['schemas']['Regions']
      /**
       * @description The `cursor` of the next page; null on the last page, and always null if the operation has no `cursor`.
       * @example NDI
       */
      next_cursor: string | null
    }
    /** @description A city of a region. Each region has an item for all other cities. */
    City: {
      id: components['schemas']['ResourceId']
      name: components['schemas']['LookupName']
      name_ar: components['schemas']['LookupNameAr']
      name_en: components['schemas']['LookupNameEn']
      /**
       * Format: int32
       * @description The region, an id of `GET /api/v1/lookups/regions`.
       * @example 1
       */
      region_id: number
    }
    /** @description The cities, sorted by name. The item for all others is last. */
    Cities: components['schemas']['City'][]
    /** @description The list of the cities. */
    CityList: {
      items: components['schemas']['Cities']
      /**
       * @description The `cursor` of the next page; null on the last page, and always null if the operation has no `cursor`.
       * @example NDI
       */
      next_cursor: string | null
    }
    /** @description The list of the nationalities. */
    NationalityList: {
      items: components['schemas']['Nationalities']
      /**
       * @description The `cursor` of the next page; null on the last page, and always null if the operation has no `cursor`.
       * @example NDI
       */
      next_cursor: string | null
    }
    /** @description The list of the degrees. */
    DegreeList: {
      items: components['schemas']['Degrees']
      /**
       * @description The `cursor` of the next page; null on the last page, and always null if the operation has no `cursor`.
       * @example NDI
       */
      next_cursor: string | null
    }
    /** @description The list of the general specialties. */
    GeneralSpecialtyList: {
      items: components['schemas']['GeneralSpecialties']
      /**
       * @description The `cursor` of the next page; null on the last page, and always null if the operation has no `cursor`.
       * @example NDI
       */
      next_cursor: string | null
    }
    /** @description The list of the accurate specialties. */
    AccurateSpecialtyList: {
      items: components['schemas']['AccurateSpecialties']
      /**
       * @description The `cursor` of the next page; null on the last page, and always null if the operation has no `cursor`.
       * @example NDI
       */
      next_cursor: string | null
    }
    /** @description The list of the functional cases. */
    FunctionalCaseList: {
      items: components['schemas']['FunctionalCases']
      /**
       * @description The `cursor` of the next page; null on the last page, and always null if the operation has no `cursor`.
       * @example NDI
       */
      next_cursor: string | null
    }
    /** @description The list of the languages. */
    LanguageList: {
      items: components['schemas']['Languages']
      /**
       * @description The `cursor` of the next page; null on the last page, and always null if the operation has no `cursor`.
       * @example NDI
       */
      next_cursor: string | null
    }
    /** @description The list of the digital guide categories. */
    DigitalGuideCategoryList: {
      items: components['schemas']['DigitalGuideCategories']
      /**
       * @description The `cursor` of the next page; null on the last page, and always null if the operation has no `cursor`.
       * @example NDI
       */
      next_cursor: string | null
    }
    /**
     * @description A message for people, in the language of `Content-Language`.
     * @example تمت العملية بنجاح.
     */
    Message: string
    /**
     * @description A stable code for an invalid field, sent in `data.codes` of a `422`. Codes can be added, and are never renamed.
     * @enum {string}
     */
    FieldCode:
      | 'required'
      | 'unknown_field'
      | 'wrong_type'
      | 'wrong_format'
      | 'not_allowed'
      | 'too_short'
      | 'too_long'
      | 'too_small'
      | 'too_large'
      | 'too_few'
      | 'too_many'
      | 'repeated'
      | 'phone_invalid'
      | 'phone_not_mobile'
      | 'phone_type_not_allowed'
      | 'phone_code_unknown'
      | 'phone_code_mismatch'
      | 'country_not_served'
      | 'channel_not_offered'
      | 'phone_taken'
      | 'otp_wrong'
      | 'code_wrong'
      | 'passkey_wrong'
      | 'passkey_known'
      | 'passkeys_max'
      | 'email_taken'
      | 'unknown_id'
      | 'inactive_id'
      | 'wrong_parent'
      | 'national_id_implausible'
      | 'date_unreal'
      | 'date_not_gregorian'
      | 'age_not_allowed'
      | 'reset_token_wrong'
      | 'email_token_wrong'
      | 'undo_token_wrong'
      | 'token_wrong'
      | 'reset_phone_missing'
      | 'password_wrong'
      | 'password_common'
      | 'password_guessable'
      | 'password_breached'
      | 'password_is_email'
      | 'password_too_long'
      | 'file_type_not_allowed'
      | 'file_link_unknown'
      | 'file_unreadable'
      | 'file_active_content'
      | 'file_encrypted'
      | 'file_too_large'
      | 'image_too_large'
      | 'own_account'
      | 'not_a_lawyer'
      | 'profile_incomplete'
      | 'outdated'
      | 'idempotency_key_reused'
    /**
     * @description The invalid fields. Members of a field are named by a path with dots, and the whole body by `body`.
     *     Both maps have the same keys, and their lists have the same order.
     */
    ValidationErrors: {
      /**
       * @description Messages for people, by field.
       * @example {
       *       "phone": [
       *         "رقم الجوال مسجل من قبل."
       *       ]
       *     }
       */
      errors: {
        [key: string]: string[]
      }
      /**
       * @description Codes for programs, by field.
       * @example {
       *       "phone": [
       *         "phone_taken"
       *       ]
       *     }
       */
      codes: {
        [key: string]: components['schemas']['FieldCode'][]
      }
    }
    /** @description The account is created. Contains the tokens of its first session. */
    RegisterResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 201
      message: components['schemas']['Message']
      data: components['schemas']['AuthenticationResult']
    }
    /** @description The login was successful. Contains the tokens of the session. */
    LoginResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      data: components['schemas']['AuthenticationResult']
    }
    /** @description The request is accepted. If the account exists, a message is sent. */
    RequestPasswordResetResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 202
      message: components['schemas']['Message']
      /** @description Always null. */
      data: null
    }
    /** @description The password is changed, and all sessions are revoked. */
    ResetPasswordResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      /** @description Always null. */
      data: null
    }
    /** @description The changes are undone. The account needs a new password, unless a pending change was cancelled. */
    UndoChangesResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      /** @description Always null. */
      data: null
    }
    /** @description The address is removed from the account. */
    ReleaseEmailResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      /** @description Always null. */
      data: null
    }
    /** @description The account that the token belongs to. */
    CheckTokenResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      data: components['schemas']['CheckTokenResult']
    }
    /** @description The request is accepted. If there is an address to verify, a message is sent. */
    RequestEmailVerificationResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      /** @description Always null. */
      data: null
    }
    /** @description The address is verified. */
    ConfirmEmailResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      /** @description Always null. */
      data: null
    }
    /** @description The change is cancelled or undone. */
    CancelEmailChangeResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      data: components['schemas']['CancelEmailChangeResult']
    }
    /** @description The code was sent to the phone number. */
    CheckPhoneResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      /** @description Always null. */
      data: null
    }
    /** @description The phone number is confirmed. */
    ConfirmPhoneResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      /** @description Always null. */
      data: null
    }
    /** @description The new tokens of the session. */
    RefreshTokenResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      data: components['schemas']['AuthenticationResult']
    }
    /** @description The password is correct. Contains the tokens of a new session. */
    ReauthenticateResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      data: components['schemas']['AuthenticationResult']
    }
    /** @description The session is ended. */
    LogoutResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      /** @description Always null. */
      data: null
    }
    /** @description The sessions of the account. */
    ListSessionsResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      data: components['schemas']['SessionList']
    }
    /** @description The other sessions are revoked. */
    RevokeOtherSessionsResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      data: components['schemas']['RevokeOtherSessionsResult']
    }
    /** @description The session is revoked. */
    RevokeSessionResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      /** @description Always null. */
      data: null
    }
    /** @description The second factors of the account. */
    GetFactorsResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      data: components['schemas']['SecondFactors']
    }
    /** @description The link and the code are sent. */
    RequestFactorResetResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 202
      message: components['schemas']['Message']
      /** @description A request for a reset of the second factors. */
      data: {
        /**
         * @description Confirms the reset with the code, for an account without a verified e-mail address. Null if a link was sent.
         * @example q3Jm0mC0pXv1rYQ6b8mYw1cE5t2hG7kL9nRzUaVbXcY
         */
        token: string | null
      }
    }
    /** @description The second factors end at `reset_at`. */
    ConfirmFactorResetResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 202
      message: components['schemas']['Message']
      data: components['schemas']['FactorResetResult']
    }
    /** @description The reset is cancelled. */
    CancelFactorResetResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      /** @description Always null. */
      data: null
    }
    /** @description The authenticator app is added. */
    ConfirmTotpResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      data: components['schemas']['ConfirmTotpResult']
    }
    /** @description The secret is created. It is not a second factor yet. */
    BeginTotpResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      data: components['schemas']['TotpSecret']
    }
    /** @description The account has no authenticator app. */
    RemoveTotpResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      /** @description Always null. */
      data: null
    }
    /** @description The new recovery codes. */
    RenewRecoveryCodesResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      data: components['schemas']['RecoveryCodesResult']
    }
    /** @description The options, with a challenge. */
    BeginPasskeyLoginResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      data: components['schemas']['PasskeyRequestOptions']
    }
    /** @description The login was successful. Contains the tokens of the session. */
    LoginWithPasskeyResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      data: components['schemas']['AuthenticationResult']
    }
    /** @description The options, with a challenge. */
    BeginPasskeyReauthenticationResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      data: components['schemas']['PasskeyRequestOptions']
    }
    /** @description The passkey is correct. Contains the tokens of a new session. */
    ReauthenticateWithPasskeyResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      data: components['schemas']['AuthenticationResult']
    }
    /** @description The passkey is added. */
    AddPasskeyResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 201
      message: components['schemas']['Message']
      data: components['schemas']['AddedPasskey']
    }
    /** @description The options, with a challenge. */
    BeginPasskeyResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      data: components['schemas']['PasskeyCreationOptions']
    }
    /** @description The passkey is renamed. */
    RenamePasskeyResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      data: components['schemas']['Passkey']
    }
    /** @description The passkey is removed. */
    RemovePasskeyResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      data: components['schemas']['RemovedPasskey']
    }
    /** @description The public keys, with the signing key first. */
    GetJwksResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      data: components['schemas']['JwkSet']
      keys: components['schemas']['PublicKeys']
    }
    /** @description Whether the account is an administrator. */
    CheckAdminResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      data: components['schemas']['CheckAdminResult']
    }
    /** @description A page of users, newest first. */
    AdminListUsersResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      data: components['schemas']['UserPage']
    }
    /** @description The profile and the account. */
    AdminGetUserResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      data: components['schemas']['UserDetails']
    }
    /** @description The account is suspended. */
    AdminSuspendUserResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      data: components['schemas']['AccountStateResult']
    }
    /** @description The account is active. */
    AdminRestoreUserResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      data: components['schemas']['AccountStateResult']
    }
    /** @description The second factors end at `reset_at`. */
    AdminResetFactorsResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 202
      message: components['schemas']['Message']
      data: components['schemas']['FactorResetResult']
    }
    /** @description The decision is stored. */
    AdminReviewLawyerResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      data: components['schemas']['ReviewLawyerResult']
    }
    /** @description A page of events, newest first. */
    AdminListAuditResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      data: components['schemas']['AuditEventPage']
    }
    /** @description A page of events, newest first. */
    AdminListEventsResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      data: components['schemas']['EventDeliveryPage']
    }
    /** @description The events are delivered again. */
    AdminReplayEventsResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      data: components['schemas']['ReplayEventsResult']
    }
    /** @description The profile of the account. */
    GetProfileResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      data: components['schemas']['ProfileResult']
    }
    /** @description The updated profile. */
    UpdateProfileResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      data: components['schemas']['ProfileResult']
    }
    /** @description The updated profile. */
    PatchProfileResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      data: components['schemas']['ProfileResult']
    }
    /** @description The form, as JSON Schema. */
    GetProfileFormResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      data: components['schemas']['ProfileForm']
    }
    /** @description The password is changed. Contains the tokens of a new session. */
    ChangePasswordResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      data: components['schemas']['AuthenticationResult']
    }
    /** @description The deletion is scheduled, and all sessions are revoked. */
    RequestAccountDeletionResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 202
      message: components['schemas']['Message']
      data: components['schemas']['AccountDeletionResult']
    }
    /** @description No deletion is scheduled. */
    CancelAccountDeletionResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      /** @description Always null. */
      data: null
    }
    /** @description The rate limits of all operations. */
    ListRateLimitsResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      data: components['schemas']['RateLimitList']
    }
    /** @description The lookups, by name. */
    ListLookupsResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      data: components['schemas']['LookupsResult']
    }
    /** @description The countries, sorted by name. */
    ListCountriesResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      data: components['schemas']['CountryList']
    }
    /** @description The regions, sorted by name. */
    ListRegionsResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      data: components['schemas']['RegionList']
    }
    /** @description The cities, sorted by name. */
    ListCitiesResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      data: components['schemas']['CityList']
    }
    /** @description The nationalities, sorted by name. */
    ListNationalitiesResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      data: components['schemas']['NationalityList']
    }
    /** @description The degrees, sorted by name. */
    ListDegreesResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      data: components['schemas']['DegreeList']
    }
    /** @description The general specialties, sorted by name. */
    ListGeneralSpecialtiesResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      data: components['schemas']['GeneralSpecialtyList']
    }
    /** @description The accurate specialties, sorted by name. */
    ListAccurateSpecialtiesResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      data: components['schemas']['AccurateSpecialtyList']
    }
    /** @description The functional cases, sorted by name. */
    ListFunctionalCasesResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      data: components['schemas']['FunctionalCaseList']
    }
    /** @description The languages, sorted by name. */
    ListLanguagesResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      data: components['schemas']['LanguageList']
    }
    /** @description The digital guide categories, sorted by name. */
    ListDigitalGuideCategoriesResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      data: components['schemas']['DigitalGuideCategoryList']
    }
    /** @description The profile has no such file. */
    DeleteProfileFileResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      message: components['schemas']['Message']
      /** @description Always null. */
      data: null
    }
  }
  responses: {
    /** @description The stored response of the client, named by `If-None-Match`, is current. */
    NotModified: {
      headers: {
        ETag: components['headers']['ETag']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content?: never
    }
    /** @description The session has no recent authentication. */
    ReauthenticationRequired: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        /** @description Sent with `reauthentication_required`. `max_age` is the validity of recent authentication in seconds (RFC 9470). */
        'WWW-Authenticate': string
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description The request is malformed. */
    MalformedForm: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description Another request with the same `Idempotency-Key` is running, or the session that it began has ended. */
    RegistrationConflict: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        /** @description The number of seconds to wait before a retry. Present with `idempotency_in_progress` only. */
        'Retry-After'?: number
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description The body, a text field, the number of parts or the number of members of a JSON object exceeds the limit. */
    PayloadTooLarge: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description The body is missing, or its media type, charset or encoding is not supported. */
    UnsupportedMediaType: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        /** @description The media types that the operation accepts (RFC 9110, 15.5.16). */
        Accept: string
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description One or more fields are invalid. All of them are listed. */
    InvalidRegistration: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ValidationErrorResponse']
      }
    }
    /** @description Too many wrong codes were sent for this number, a rate limit is exceeded, or the number is not confirmed and the request has no valid `challenge_response`. */
    RegistrationRateLimited: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Retry-After': components['headers']['Retry-After']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description The service has failed. The error is logged. */
    InternalServerError: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description The solution of a challenge cannot be counted, or the service is temporarily unavailable, overloaded or shutting down. */
    RegistrationUnavailable: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Retry-After': components['headers']['Retry-After']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description The request is malformed. */
    BadRequest: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description The e-mail address, the password or the code of a second factor is wrong. */
    InvalidCredentials: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'WWW-Authenticate': components['headers']['WWW-Authenticate']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description The password is correct, but the account is suspended, or a code of a second factor is required. */
    AccountSuspended: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        /** @description Sent with `mfa_required`. The second factors that the account can use, separated by commas. */
        'Mfa-Methods'?: string
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description One or more fields are invalid. All of them are listed. */
    InvalidData: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ValidationErrorResponse']
      }
    }
    /** @description A rate limit is exceeded. Retry after `Retry-After`. */
    TooManyRequests: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Retry-After': components['headers']['Retry-After']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description Second factors are not enabled, or the service is temporarily unavailable, overloaded or shutting down. */
    FactorsUnavailable: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Retry-After': components['headers']['Retry-After']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description Another request with the same `Idempotency-Key` is running, or was interrupted and may have sent a message. */
    IdempotencyOutcomeUnknown: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        /** @description The number of seconds to wait before a retry. Present with `idempotency_in_progress` only. */
        'Retry-After'?: number
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description One or more fields are invalid. All of them are listed. */
    InvalidPasswordResetRequest: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ValidationErrorResponse']
      }
    }
    /** @description A rate limit is exceeded, or the network has used up most of one and the request has no valid `challenge_response`. */
    PasswordResetRequestRateLimited: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Retry-After': components['headers']['Retry-After']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description No message can be sent, or the service is temporarily unavailable, overloaded or shutting down. */
    PasswordResetUnavailable: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Retry-After': components['headers']['Retry-After']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description One or more fields are invalid. All of them are listed. */
    InvalidPasswordReset: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ValidationErrorResponse']
      }
    }
    /** @description Too many wrong codes or tokens were sent, or no code can be sent to the number at present. */
    PasswordResetRateLimited: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Retry-After': components['headers']['Retry-After']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description The SMS could not be sent, or the service is temporarily unavailable, overloaded or shutting down. */
    SmsUnavailable: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Retry-After': components['headers']['Retry-After']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description The token or the code is invalid, or another account has verified the address. */
    InvalidUndo: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ValidationErrorResponse']
      }
    }
    /** @description A dependency is unavailable, or the service is overloaded or shutting down. */
    ServiceUnavailable: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Retry-After': components['headers']['Retry-After']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description One or more fields are invalid. All of them are listed. */
    InvalidEmailRelease: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ValidationErrorResponse']
      }
    }
    /** @description The access token is missing, invalid, expired or revoked. */
    Unauthorized: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'WWW-Authenticate': components['headers']['WWW-Authenticate']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description One or more fields are invalid. All of them are listed. */
    InvalidEmailVerification: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ValidationErrorResponse']
      }
    }
    /** @description The service has no mail server, is overloaded or is shutting down. */
    MailUnavailable: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Retry-After': components['headers']['Retry-After']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description One or more fields are invalid. All of them are listed. */
    InvalidEmailConfirmation: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ValidationErrorResponse']
      }
    }
    /** @description Too many wrong codes were sent for this address, or too many tokens were rejected. */
    EmailAttemptsExhausted: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Retry-After': components['headers']['Retry-After']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description The token is invalid, or another account has verified the address. */
    InvalidEmailToken: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ValidationErrorResponse']
      }
    }
    /** @description One or more fields are invalid, or the phone number already belongs to an account. */
    InvalidPhone: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ValidationErrorResponse']
      }
    }
    /** @description A limit of the number, of the network or of the operator's budget is reached. */
    OtpRateLimited: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Retry-After': components['headers']['Retry-After']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description The SMS could not be sent, or the service is temporarily unavailable, overloaded or shutting down. */
    CodeNotSent: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Retry-After': components['headers']['Retry-After']
        'Idempotency-Replayed': components['headers']['Idempotency-Replayed']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description The code is wrong or expired, or the request is malformed. */
    InvalidOtp: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description One or more fields are invalid. All of them are listed. */
    InvalidPhoneConfirmation: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ValidationErrorResponse']
      }
    }
    /** @description Too many wrong codes were sent for this number, or a rate limit is exceeded. */
    OtpAttemptsExhausted: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Retry-After': components['headers']['Retry-After']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description The refresh token is wrong, used or expired, or its session has ended. */
    InvalidRefreshToken: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'WWW-Authenticate': components['headers']['WWW-Authenticate']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description The refresh token is missing or is not a text. All invalid fields are listed. */
    InvalidRefreshRequest: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ValidationErrorResponse']
      }
    }
    /** @description The password is correct, and a code of a second factor is required. */
    MfaRequired: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        /** @description Sent with `mfa_required`. The second factors that the account can use, separated by commas. */
        'Mfa-Methods': string
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description The password is wrong or missing, or the code is wrong. */
    InvalidReauthentication: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ValidationErrorResponse']
      }
    }
    /** @description The account has no active session with this id. */
    SessionNotFound: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description The session id is invalid. */
    InvalidSessionId: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ValidationErrorResponse']
      }
    }
    /** @description The e-mail address or the password is wrong. */
    WrongPassword: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'WWW-Authenticate': components['headers']['WWW-Authenticate']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description The password is correct, but the account is suspended. */
    SuspendedAccount: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description The account has no second factor, or only an administrator can reset its factors. */
    FactorResetConflict: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description A rate limit is exceeded, or no code can be sent to the number at present. */
    FactorResetRateLimited: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Retry-After': components['headers']['Retry-After']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description One or more fields are invalid. All of them are listed. */
    InvalidFactorReset: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ValidationErrorResponse']
      }
    }
    /** @description One or more fields are invalid. All of them are listed. */
    InvalidFactorResetToken: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ValidationErrorResponse']
      }
    }
    /** @description There is no secret to confirm, or the account has no verified e-mail address or phone number. */
    TotpConflict: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description A code is wrong or missing. */
    InvalidTotpConfirmation: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ValidationErrorResponse']
      }
    }
    /** @description Neither the e-mail address nor the phone number of the account is verified. */
    UnverifiedContact: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description The proof is missing or wrong. */
    InvalidFactorProof: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ValidationErrorResponse']
      }
    }
    /** @description Passkeys are not configured, second factors are not enabled, or the service is temporarily unavailable, overloaded or shutting down. */
    PasskeyEnrollmentUnavailable: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Retry-After': components['headers']['Retry-After']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description The account has no second factor. */
    SecondFactorMissing: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description Passkeys are not configured, or the service is temporarily unavailable, overloaded or shutting down. */
    PasskeysUnavailable: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Retry-After': components['headers']['Retry-After']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description The passkey is unknown or wrong. */
    PasskeyRefused: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'WWW-Authenticate': components['headers']['WWW-Authenticate']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description The passkey is correct, but the account is suspended. */
    PasskeyAccountSuspended: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description The credential is missing or malformed. */
    InvalidPasskeyLogin: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ValidationErrorResponse']
      }
    }
    /** @description The credential is missing, malformed or wrong. */
    InvalidPasskey: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ValidationErrorResponse']
      }
    }
    /** @description The name or the passkey is invalid. */
    InvalidNewPasskey: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ValidationErrorResponse']
      }
    }
    /** @description The account has no passkey with this id. */
    PasskeyNotFound: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description The id or the name of the passkey is invalid. */
    InvalidPasskeyName: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ValidationErrorResponse']
      }
    }
    /** @description The proof is missing or wrong, or the id of the passkey is invalid. */
    InvalidPasskeyRemoval: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ValidationErrorResponse']
      }
    }
    /** @description The service is shutting down. */
    ShuttingDown: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Retry-After': components['headers']['Retry-After']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description A query parameter is invalid. */
    InvalidListParameter: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ValidationErrorResponse']
      }
    }
    /** @description The user does not exist. */
    UserNotFound: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description The user id is invalid. */
    InvalidUserId: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ValidationErrorResponse']
      }
    }
    /** @description Another request with the same `Idempotency-Key` is running. */
    IdempotencyConflict: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Retry-After': components['headers']['Retry-After']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description The reason is invalid, or the account is your own. */
    InvalidSuspension: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ValidationErrorResponse']
      }
    }
    /** @description The user id or the reason is invalid. */
    InvalidRestoration: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ValidationErrorResponse']
      }
    }
    /** @description The account has no second factor, or another request with the same `Idempotency-Key` is running. */
    AdminFactorResetConflict: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        /** @description The number of seconds to wait before a retry. Present with `idempotency_in_progress` only. */
        'Retry-After'?: number
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description The account cannot be reviewed, or a field is invalid. */
    InvalidReview: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ValidationErrorResponse']
      }
    }
    /** @description The event does not exist, or its retention period has ended. */
    EventNotFound: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description One or more fields are invalid. All of them are listed. */
    InvalidReplay: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ValidationErrorResponse']
      }
    }
    /** @description The service has no webhook endpoint, is temporarily unavailable, overloaded or shutting down. */
    EventsUnavailable: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Retry-After': components['headers']['Retry-After']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description The profile is not in a version that `If-Match` names. */
    ProfileOutdated: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description One or more fields are invalid. All of them are listed. */
    InvalidProfile: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ValidationErrorResponse']
      }
    }
    /** @description The file storage or another dependency is unavailable, or the service is overloaded or shutting down. */
    StorageUnavailable: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Retry-After': components['headers']['Retry-After']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description The parameter `account_type` is missing or unknown. */
    InvalidFormParameter: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ValidationErrorResponse']
      }
    }
    /** @description One or more fields are invalid. All of them are listed. */
    InvalidPasswordChange: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ValidationErrorResponse']
      }
    }
    /** @description The password is wrong or missing. */
    InvalidAccountDeletion: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ValidationErrorResponse']
      }
    }
    /** @description A query parameter is invalid. */
    InvalidSearchQuery: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ValidationErrorResponse']
      }
    }
    /** @description A query parameter is invalid. */
    InvalidLookupFilter: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ValidationErrorResponse']
      }
    }
    /** @description A query parameter is invalid. */
    InvalidSpecialtyFilter: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ValidationErrorResponse']
      }
    }
    /** @description The file cannot be deleted, or the kind does not exist. */
    InvalidFileKind: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ValidationErrorResponse']
      }
    }
    /** @description For the file of another user, the administrator needs a second factor or recent authentication. */
    FileOfAnotherUser: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        /** @description Sent with `reauthentication_required`. `max_age` is the validity of recent authentication in seconds (RFC 9470). */
        'WWW-Authenticate'?: string
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description The file does not exist, the link has expired, or the account has no access to the file. */
    FileNotFound: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description The file id or a parameter of the link is invalid. */
    InvalidFileLink: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ValidationErrorResponse']
      }
    }
    /** @description The account has an established second factor, and the request has no proof by one. Or: The session has no recent authentication. */
    FactorProofRequiredOrReauthenticationRequired: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        /** @description Sent with `mfa_required`. The second factors that are accepted, separated by commas. */
        'Mfa-Methods'?: string
        /** @description Sent with `reauthentication_required`. `max_age` is the validity of recent authentication in seconds (RFC 9470). */
        'WWW-Authenticate'?: string
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description The account is not an administrator, or the operator requires a second factor that it does not have. Or: The session has no recent authentication. */
    AdminRequiredOrReauthenticationRequired: {
      headers: {
        /** @description The stable error code. */
        'Error-Code': components['schemas']['ErrorCode']
        Link: components['headers']['Link']
        /** @description Sent with `reauthentication_required`. `max_age` is the validity of recent authentication in seconds (RFC 9470). */
        'WWW-Authenticate'?: string
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        Vary: components['headers']['Vary']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
  }
  parameters: {
    /**
     * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
     *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
     */
    AcceptLanguage: string
    /** @description The id of the event, the same for every attempt. Store it to detect duplicates. */
    WebhookId: string
    /** @description The time of this attempt, as a Unix timestamp in seconds. Reject requests whose time differs by minutes. */
    WebhookTimestamp: string
    /**
     * @description The signatures, one for each secret of the service, separated by spaces.
     *     Each is `v1,` followed by the base64 of the HMAC-SHA256 of `webhook-id`, `webhook-timestamp` and the bytes of the body, joined by dots.
     *     One valid signature is sufficient.
     */
    WebhookSignature: string
    /**
     * @description A random key of your choice for this request, new for every action of the user: a UUID of version 4, or another text with at least 122 random bits.
     *     A retry with the same key and the same body within 24 hours returns the result of the first request and has no further effect. See Idempotency.
     *
     *     The key can be in quotation marks, as the IETF draft idempotency-key-header defines it. Both forms are the same key.
     *     Keys that cannot have as many random bits are rejected as `wrong_format`, such as UUIDs of other versions and repeated characters.
     */
    IdempotencyKey: string
    /** @description The maximum number of items per page. */
    Limit: number
    /** @description The `next_cursor` of the previous page. An opaque value. */
    Cursor: string
    /** @description The id of the account, from `GET /api/v1/admin/users`. */
    UserId: components['schemas']['ResourceId']
    /**
     * @description The `ETag` of a response that you have stored, or several, separated by commas.
     *     If one of them is current, the response is `304` without a body.
     *     The size of the list is only limited by that of the head: larger ones are rejected as `431 headers_too_large`.
     */
    IfNoneMatch: string
    /**
     * @description The `ETag` of the profile that you have changed, or several, separated by commas.
     *     The request is rejected as `412 outdated` if the profile has changed since, so that two devices do not overwrite each other.
     *     Without the header, and with `*`, the version is not checked. Weak and malformed tags match no version.
     *     The size of the list is only limited by that of the head: larger ones are rejected as `431 headers_too_large`.
     */
    IfMatch: string
    /** @description Returns only items whose Arabic or English name contains this text. Case, vowel signs and variants of a letter are ignored. */
    Search: string
    /** @description Returns only items of this country. */
    CountryId: components['schemas']['ResourceId']
    /** @description Returns only items of this region. */
    RegionId: components['schemas']['ResourceId']
    /** @description Returns only items of this general specialty. */
    GeneralSpecialtyId: components['schemas']['ResourceId']
  }
  requestBodies: never
  headers: {
    /** @description The version of the response. If it is sent back as `If-None-Match` and nothing has changed, the response is `304` without a body. */
    ETag: string
    /** @description The number of seconds to wait before a retry. */
    'Retry-After': number
    /** @description The request headers that the response depends on. */
    Vary: string
    /** @description The required authentication scheme (RFC 6750). */
    'WWW-Authenticate': string
    /** @description The language of the message. */
    'Content-Language': 'ar' | 'en'
    /** @description The id of the request in the logs of the service. Include it in support requests. The operator's proxies can set it by sending the header; otherwise the service generates it. */
    'X-Request-Id': string
    /** @description The caching rules of the response. Responses with personal data are not stored. */
    'Cache-Control': string
    /**
     * @description The row of the error in the [list of errors](/docs/en/errors/), with the relation `help` (RFC 8288).
     *     The path is relative to the server.
     */
    Link: string
    /** @description The remaining quota of each limit and the seconds until it resets (IETF draft ratelimit-headers). Sent with responses that count against a limit. */
    RateLimit: string
    /** @description The limits that apply, as `q` requests in `w` seconds (IETF draft ratelimit-headers). Sent with responses that count against a limit. */
    'RateLimit-Policy': string
    /** @description The origin that can read the response. Sent only to origins that the operator allows. */
    'Access-Control-Allow-Origin': string
    /** @description Present if the response is the stored result of an earlier request with the same `Idempotency-Key`, and this request had no effect. */
    'Idempotency-Replayed': 'true'
    /** @description Whether the file is displayed or saved, and its name (RFC 6266). */
    'Content-Disposition': string
  }
  pathItems: never
}
export type $defs = Record<string, never>
export interface operations {
  register: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description A random key of your choice for this request, new for every action of the user: a UUID of version 4, or another text with at least 122 random bits.
         *     A retry with the same key and the same body within 24 hours returns the result of the first request and has no further effect. See Idempotency.
         *
         *     The key can be in quotation marks, as the IETF draft idempotency-key-header defines it. Both forms are the same key.
         *     Keys that cannot have as many random bits are rejected as `wrong_format`, such as UUIDs of other versions and repeated characters.
         */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey']
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    /** @description The registration of a client or of a lawyer. */
    requestBody: {
      content: {
        'multipart/form-data': components['schemas']['RegisterRequest']
        'application/json': components['schemas']['RegisterRequest']
      }
    }
    responses: {
      /** @description The account is created. Contains the tokens of its first session. */
      201: {
        headers: {
          'Idempotency-Replayed': components['headers']['Idempotency-Replayed']
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['RegisterResponse']
        }
      }
      400: components['responses']['MalformedForm']
      409: components['responses']['RegistrationConflict']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['InvalidRegistration']
      429: components['responses']['RegistrationRateLimited']
      500: components['responses']['InternalServerError']
      503: components['responses']['RegistrationUnavailable']
    }
  }
  login: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    /** @description The credentials. */
    requestBody: {
      content: {
        'application/json': components['schemas']['LoginRequest']
      }
    }
    responses: {
      /** @description The login was successful. Contains the tokens of the session. */
      200: {
        headers: {
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['LoginResponse']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['InvalidCredentials']
      403: components['responses']['AccountSuspended']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['InvalidData']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['FactorsUnavailable']
    }
  }
  requestPasswordReset: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description A random key of your choice for this request, new for every action of the user: a UUID of version 4, or another text with at least 122 random bits.
         *     A retry with the same key and the same body within 24 hours returns the result of the first request and has no further effect. See Idempotency.
         *
         *     The key can be in quotation marks, as the IETF draft idempotency-key-header defines it. Both forms are the same key.
         *     Keys that cannot have as many random bits are rejected as `wrong_format`, such as UUIDs of other versions and repeated characters.
         */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey']
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    /** @description The e-mail address or the phone number of the account. */
    requestBody: {
      content: {
        'application/json': components['schemas']['ForgotPasswordRequest']
      }
    }
    responses: {
      /** @description The request is accepted. If the account exists, a message is sent. */
      202: {
        headers: {
          'Idempotency-Replayed': components['headers']['Idempotency-Replayed']
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['RequestPasswordResetResponse']
        }
      }
      400: components['responses']['BadRequest']
      409: components['responses']['IdempotencyOutcomeUnknown']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['InvalidPasswordResetRequest']
      429: components['responses']['PasswordResetRequestRateLimited']
      500: components['responses']['InternalServerError']
      503: components['responses']['PasswordResetUnavailable']
    }
  }
  resetPassword: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    /** @description The new password, and the token or the code. */
    requestBody: {
      content: {
        'application/json': components['schemas']['ResetPasswordRequest']
      }
    }
    responses: {
      /** @description The password is changed, and all sessions are revoked. */
      200: {
        headers: {
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ResetPasswordResponse']
        }
      }
      400: components['responses']['BadRequest']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['InvalidPasswordReset']
      429: components['responses']['PasswordResetRateLimited']
      500: components['responses']['InternalServerError']
      503: components['responses']['SmsUnavailable']
    }
  }
  undoChanges: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    /** @description The token or the code of a notice. */
    requestBody: {
      content: {
        'application/json': components['schemas']['UndoRequest']
      }
    }
    responses: {
      /** @description The changes are undone. The account needs a new password, unless a pending change was cancelled. */
      200: {
        headers: {
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['UndoChangesResponse']
        }
      }
      400: components['responses']['BadRequest']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['InvalidUndo']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  releaseEmail: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    /** @description The token. */
    requestBody: {
      content: {
        'application/json': components['schemas']['ReleaseEmailRequest']
      }
    }
    responses: {
      /** @description The address is removed from the account. */
      200: {
        headers: {
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ReleaseEmailResponse']
        }
      }
      400: components['responses']['BadRequest']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['InvalidEmailRelease']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  checkToken: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The account that the token belongs to. */
      200: {
        headers: {
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['CheckTokenResponse']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  requestEmailVerification: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    /** @description The e-mail address to verify. */
    requestBody?: {
      content: {
        'application/json': components['schemas']['EmailVerificationRequest']
      }
    }
    responses: {
      /** @description The request is accepted. If there is an address to verify, a message is sent. */
      200: {
        headers: {
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['RequestEmailVerificationResponse']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['InvalidEmailVerification']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['MailUnavailable']
    }
  }
  confirmEmail: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    /** @description The token of the link, or the code. */
    requestBody: {
      content: {
        'application/json': components['schemas']['ConfirmEmailRequest']
      }
    }
    responses: {
      /** @description The address is verified. */
      200: {
        headers: {
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ConfirmEmailResponse']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['InvalidEmailConfirmation']
      429: components['responses']['EmailAttemptsExhausted']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  cancelEmailChange: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    /** @description The token that was sent to the previous address. */
    requestBody?: {
      content: {
        'application/json': components['schemas']['CancelEmailChangeRequest']
      }
    }
    responses: {
      /** @description The change is cancelled or undone. */
      200: {
        headers: {
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['CancelEmailChangeResponse']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['InvalidEmailToken']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  checkPhone: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description A random key of your choice for this request, new for every action of the user: a UUID of version 4, or another text with at least 122 random bits.
         *     A retry with the same key and the same body within 24 hours returns the result of the first request and has no further effect. See Idempotency.
         *
         *     The key can be in quotation marks, as the IETF draft idempotency-key-header defines it. Both forms are the same key.
         *     Keys that cannot have as many random bits are rejected as `wrong_format`, such as UUIDs of other versions and repeated characters.
         */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey']
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    /** @description The phone number. */
    requestBody: {
      content: {
        'multipart/form-data': components['schemas']['CheckPhoneRequest']
        'application/json': components['schemas']['CheckPhoneRequest']
      }
    }
    responses: {
      /** @description The code was sent to the phone number. */
      200: {
        headers: {
          'Idempotency-Replayed': components['headers']['Idempotency-Replayed']
          /**
           * @description The number of seconds until the next code can be sent to this number: the cooldown after this code, or longer
           *     if the hourly or daily limit of the number is reached. 0 means at once.
           */
          'Retry-After': number
          /** @description The channel by which the code was sent: the requested one, or `sms` if its messages are rejected or do not arrive. */
          'Code-Channel': 'sms' | 'whatsapp' | 'voice'
          /** @description The channels by which codes can be sent to this number, separated by commas. A landline has `voice` only. */
          'Offered-Channels': string
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['CheckPhoneResponse']
        }
      }
      400: components['responses']['MalformedForm']
      409: components['responses']['IdempotencyOutcomeUnknown']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['InvalidPhone']
      429: components['responses']['OtpRateLimited']
      500: components['responses']['InternalServerError']
      503: components['responses']['CodeNotSent']
    }
  }
  confirmPhone: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    /** @description The phone number and the code. */
    requestBody: {
      content: {
        'multipart/form-data': components['schemas']['ConfirmPhoneRequest']
        'application/json': components['schemas']['ConfirmPhoneRequest']
      }
    }
    responses: {
      /** @description The phone number is confirmed. */
      200: {
        headers: {
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ConfirmPhoneResponse']
        }
      }
      400: components['responses']['InvalidOtp']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['InvalidPhoneConfirmation']
      429: components['responses']['OtpAttemptsExhausted']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  refreshToken: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    /** @description The refresh token. */
    requestBody: {
      content: {
        'application/json': components['schemas']['RefreshTokenRequest']
      }
    }
    responses: {
      /** @description The new tokens of the session. */
      200: {
        headers: {
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['RefreshTokenResponse']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['InvalidRefreshToken']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['InvalidRefreshRequest']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  reauthenticate: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    /** @description The proof of identity. */
    requestBody: {
      content: {
        'application/json': components['schemas']['ReauthenticateRequest']
      }
    }
    responses: {
      /** @description The password is correct. Contains the tokens of a new session. */
      200: {
        headers: {
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ReauthenticateResponse']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      403: components['responses']['MfaRequired']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['InvalidReauthentication']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['FactorsUnavailable']
    }
  }
  logout: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The session is ended. */
      200: {
        headers: {
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['LogoutResponse']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  listSessions: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The sessions of the account. */
      200: {
        headers: {
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ListSessionsResponse']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  revokeOtherSessions: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The other sessions are revoked. */
      200: {
        headers: {
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['RevokeOtherSessionsResponse']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      403: components['responses']['ReauthenticationRequired']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  revokeSession: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path: {
        /** @description The id of the session, from `GET /api/v1/auth/sessions`. */
        session_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The session is revoked. */
      200: {
        headers: {
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['RevokeSessionResponse']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      403: components['responses']['ReauthenticationRequired']
      404: components['responses']['SessionNotFound']
      422: components['responses']['InvalidSessionId']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  getFactors: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The second factors of the account. */
      200: {
        headers: {
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['GetFactorsResponse']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  requestFactorReset: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    /** @description The credentials. */
    requestBody: {
      content: {
        'application/json': components['schemas']['RequestFactorResetRequest']
      }
    }
    responses: {
      /** @description The link and the code are sent. */
      202: {
        headers: {
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['RequestFactorResetResponse']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['WrongPassword']
      403: components['responses']['SuspendedAccount']
      409: components['responses']['FactorResetConflict']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['InvalidData']
      429: components['responses']['FactorResetRateLimited']
      500: components['responses']['InternalServerError']
      503: components['responses']['PasswordResetUnavailable']
    }
  }
  confirmFactorReset: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    /** @description The token of the link, and the code of the SMS. */
    requestBody: {
      content: {
        'application/json': components['schemas']['ConfirmFactorResetRequest']
      }
    }
    responses: {
      /** @description The second factors end at `reset_at`. */
      202: {
        headers: {
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ConfirmFactorResetResponse']
        }
      }
      400: components['responses']['BadRequest']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['InvalidFactorReset']
      429: components['responses']['OtpAttemptsExhausted']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  cancelFactorReset: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    /** @description The token of the link. */
    requestBody: {
      content: {
        'application/json': components['schemas']['CancelFactorResetRequest']
      }
    }
    responses: {
      /** @description The reset is cancelled. */
      200: {
        headers: {
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['CancelFactorResetResponse']
        }
      }
      400: components['responses']['BadRequest']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['InvalidFactorResetToken']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  confirmTotp: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    /** @description A code of the app. */
    requestBody: {
      content: {
        'application/json': components['schemas']['ConfirmTotpRequest']
      }
    }
    responses: {
      /** @description The authenticator app is added. */
      200: {
        headers: {
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ConfirmTotpResponse']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      403: components['responses']['ReauthenticationRequired']
      409: components['responses']['TotpConflict']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['InvalidTotpConfirmation']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['FactorsUnavailable']
    }
  }
  beginTotp: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    /** @description The proof of identity. */
    requestBody: {
      content: {
        'application/json': components['schemas']['FactorChangeProof']
      }
    }
    responses: {
      /** @description The secret is created. It is not a second factor yet. */
      200: {
        headers: {
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['BeginTotpResponse']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      403: components['responses']['FactorProofRequiredOrReauthenticationRequired']
      409: components['responses']['UnverifiedContact']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['InvalidFactorProof']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['PasskeyEnrollmentUnavailable']
    }
  }
  removeTotp: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    /** @description The proof of identity. */
    requestBody: {
      content: {
        'application/json': components['schemas']['FactorChangeProof']
      }
    }
    responses: {
      /** @description The account has no authenticator app. */
      200: {
        headers: {
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['RemoveTotpResponse']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      403: components['responses']['FactorProofRequiredOrReauthenticationRequired']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['InvalidFactorProof']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['PasskeyEnrollmentUnavailable']
    }
  }
  renewRecoveryCodes: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    /** @description The proof of identity. */
    requestBody: {
      content: {
        'application/json': components['schemas']['FactorChangeProof']
      }
    }
    responses: {
      /** @description The new recovery codes. */
      200: {
        headers: {
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['RenewRecoveryCodesResponse']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      403: components['responses']['FactorProofRequiredOrReauthenticationRequired']
      409: components['responses']['SecondFactorMissing']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['InvalidFactorProof']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['PasskeyEnrollmentUnavailable']
    }
  }
  beginPasskeyLogin: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The options, with a challenge. */
      200: {
        headers: {
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['BeginPasskeyLoginResponse']
        }
      }
      400: components['responses']['BadRequest']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['PasskeysUnavailable']
    }
  }
  loginWithPasskey: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    /** @description The credential that the browser returned. */
    requestBody: {
      content: {
        'application/json': components['schemas']['PasskeyLoginRequest']
      }
    }
    responses: {
      /** @description The login was successful. Contains the tokens of the session. */
      200: {
        headers: {
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['LoginWithPasskeyResponse']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['PasskeyRefused']
      403: components['responses']['PasskeyAccountSuspended']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['InvalidPasskeyLogin']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['PasskeysUnavailable']
    }
  }
  beginPasskeyReauthentication: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The options, with a challenge. */
      200: {
        headers: {
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['BeginPasskeyReauthenticationResponse']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['PasskeysUnavailable']
    }
  }
  reauthenticateWithPasskey: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    /** @description The credential that the browser returned. */
    requestBody: {
      content: {
        'application/json': components['schemas']['PasskeyLoginRequest']
      }
    }
    responses: {
      /** @description The passkey is correct. Contains the tokens of a new session. */
      200: {
        headers: {
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ReauthenticateWithPasskeyResponse']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['InvalidPasskey']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['PasskeysUnavailable']
    }
  }
  addPasskey: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    /** @description The passkey and its name. */
    requestBody: {
      content: {
        'application/json': components['schemas']['AddPasskeyRequest']
      }
    }
    responses: {
      /** @description The passkey is added. */
      201: {
        headers: {
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['AddPasskeyResponse']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      403: components['responses']['ReauthenticationRequired']
      409: components['responses']['UnverifiedContact']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['InvalidNewPasskey']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['PasskeyEnrollmentUnavailable']
    }
  }
  beginPasskey: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    /** @description The proof of identity. */
    requestBody: {
      content: {
        'application/json': components['schemas']['FactorChangeProof']
      }
    }
    responses: {
      /** @description The options, with a challenge. */
      200: {
        headers: {
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['BeginPasskeyResponse']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      403: components['responses']['FactorProofRequiredOrReauthenticationRequired']
      409: components['responses']['UnverifiedContact']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['InvalidFactorProof']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['PasskeyEnrollmentUnavailable']
    }
  }
  renamePasskey: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path: {
        /** @description The id of the passkey, from `GET /api/v1/auth/factors`. */
        passkey_id: string
      }
      cookie?: never
    }
    /** @description The new name. */
    requestBody: {
      content: {
        'application/json': components['schemas']['RenamePasskeyRequest']
      }
    }
    responses: {
      /** @description The passkey is renamed. */
      200: {
        headers: {
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['RenamePasskeyResponse']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      403: components['responses']['ReauthenticationRequired']
      404: components['responses']['PasskeyNotFound']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['InvalidPasskeyName']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  removePasskey: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path: {
        /** @description The id of the passkey, from `GET /api/v1/auth/factors`. */
        passkey_id: string
      }
      cookie?: never
    }
    /** @description The proof of identity. */
    requestBody: {
      content: {
        'application/json': components['schemas']['FactorChangeProof']
      }
    }
    responses: {
      /** @description The passkey is removed. */
      200: {
        headers: {
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['RemovePasskeyResponse']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      403: components['responses']['FactorProofRequiredOrReauthenticationRequired']
      404: components['responses']['PasskeyNotFound']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['InvalidPasskeyRemoval']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['PasskeyEnrollmentUnavailable']
    }
  }
  getJwks: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The public keys, with the signing key first. */
      200: {
        headers: {
          ETag: components['headers']['ETag']
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['GetJwksResponse']
        }
      }
      304: components['responses']['NotModified']
      400: components['responses']['BadRequest']
      500: components['responses']['InternalServerError']
      503: components['responses']['ShuttingDown']
    }
  }
  checkAdmin: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Whether the account is an administrator. */
      200: {
        headers: {
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['CheckAdminResponse']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  adminListUsers: {
    parameters: {
      query?: {
        /**
         * @description Returns only users whose name, e-mail address or phone number contains this text, or whose id is this number.
         *     If it is a whole e-mail address or a whole phone number with its calling code, only the accounts that have it are returned.
         *     In names and e-mail addresses, case, vowel signs and variants of a letter are ignored.
         *     Digits of any script and numbers in any notation are accepted.
         */
        q?: string
        /** @description Returns only accounts of this type. */
        account_type?: 'client' | 'lawyer'
        /** @description Returns only active or only suspended accounts. */
        status?: 'active' | 'suspended'
        /** @description Returns only lawyers with this review status. */
        review_status?: 'pending' | 'approved' | 'rejected'
        /** @description The maximum number of items per page. */
        limit?: components['parameters']['Limit']
        /** @description The `next_cursor` of the previous page. An opaque value. */
        cursor?: components['parameters']['Cursor']
      }
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description A page of users, newest first. */
      200: {
        headers: {
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['AdminListUsersResponse']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      403: components['responses']['AdminRequiredOrReauthenticationRequired']
      422: components['responses']['InvalidListParameter']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  adminGetUser: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path: {
        /** @description The id of the account, from `GET /api/v1/admin/users`. */
        user_id: components['parameters']['UserId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The profile and the account. */
      200: {
        headers: {
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['AdminGetUserResponse']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      403: components['responses']['AdminRequiredOrReauthenticationRequired']
      404: components['responses']['UserNotFound']
      422: components['responses']['InvalidUserId']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  adminSuspendUser: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description A random key of your choice for this request, new for every action of the user: a UUID of version 4, or another text with at least 122 random bits.
         *     A retry with the same key and the same body within 24 hours returns the result of the first request and has no further effect. See Idempotency.
         *
         *     The key can be in quotation marks, as the IETF draft idempotency-key-header defines it. Both forms are the same key.
         *     Keys that cannot have as many random bits are rejected as `wrong_format`, such as UUIDs of other versions and repeated characters.
         */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey']
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path: {
        /** @description The id of the account, from `GET /api/v1/admin/users`. */
        user_id: components['parameters']['UserId']
      }
      cookie?: never
    }
    /** @description The reason of the action. */
    requestBody: {
      content: {
        'application/json': components['schemas']['AccountStatusChangeRequest']
      }
    }
    responses: {
      /** @description The account is suspended. */
      200: {
        headers: {
          'Idempotency-Replayed': components['headers']['Idempotency-Replayed']
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['AdminSuspendUserResponse']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      403: components['responses']['AdminRequiredOrReauthenticationRequired']
      404: components['responses']['UserNotFound']
      409: components['responses']['IdempotencyConflict']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['InvalidSuspension']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  adminRestoreUser: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description A random key of your choice for this request, new for every action of the user: a UUID of version 4, or another text with at least 122 random bits.
         *     A retry with the same key and the same body within 24 hours returns the result of the first request and has no further effect. See Idempotency.
         *
         *     The key can be in quotation marks, as the IETF draft idempotency-key-header defines it. Both forms are the same key.
         *     Keys that cannot have as many random bits are rejected as `wrong_format`, such as UUIDs of other versions and repeated characters.
         */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey']
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path: {
        /** @description The id of the account, from `GET /api/v1/admin/users`. */
        user_id: components['parameters']['UserId']
      }
      cookie?: never
    }
    /** @description The reason of the action. */
    requestBody: {
      content: {
        'application/json': components['schemas']['AccountStatusChangeRequest']
      }
    }
    responses: {
      /** @description The account is active. */
      200: {
        headers: {
          'Idempotency-Replayed': components['headers']['Idempotency-Replayed']
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['AdminRestoreUserResponse']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      403: components['responses']['AdminRequiredOrReauthenticationRequired']
      404: components['responses']['UserNotFound']
      409: components['responses']['IdempotencyConflict']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['InvalidRestoration']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  adminResetFactors: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description A random key of your choice for this request, new for every action of the user: a UUID of version 4, or another text with at least 122 random bits.
         *     A retry with the same key and the same body within 24 hours returns the result of the first request and has no further effect. See Idempotency.
         *
         *     The key can be in quotation marks, as the IETF draft idempotency-key-header defines it. Both forms are the same key.
         *     Keys that cannot have as many random bits are rejected as `wrong_format`, such as UUIDs of other versions and repeated characters.
         */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey']
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path: {
        /** @description The id of the account, from `GET /api/v1/admin/users`. */
        user_id: components['parameters']['UserId']
      }
      cookie?: never
    }
    /** @description The reason of the action. */
    requestBody: {
      content: {
        'application/json': components['schemas']['ResetFactorsRequest']
      }
    }
    responses: {
      /** @description The second factors end at `reset_at`. */
      202: {
        headers: {
          'Idempotency-Replayed': components['headers']['Idempotency-Replayed']
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['AdminResetFactorsResponse']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      403: components['responses']['AdminRequiredOrReauthenticationRequired']
      404: components['responses']['UserNotFound']
      409: components['responses']['AdminFactorResetConflict']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['InvalidSuspension']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  adminReviewLawyer: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description A random key of your choice for this request, new for every action of the user: a UUID of version 4, or another text with at least 122 random bits.
         *     A retry with the same key and the same body within 24 hours returns the result of the first request and has no further effect. See Idempotency.
         *
         *     The key can be in quotation marks, as the IETF draft idempotency-key-header defines it. Both forms are the same key.
         *     Keys that cannot have as many random bits are rejected as `wrong_format`, such as UUIDs of other versions and repeated characters.
         */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey']
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path: {
        /** @description The id of the account, from `GET /api/v1/admin/users`. */
        user_id: components['parameters']['UserId']
      }
      cookie?: never
    }
    /** @description The decision. */
    requestBody: {
      content: {
        'application/json': components['schemas']['ReviewLawyerRequest']
      }
    }
    responses: {
      /** @description The decision is stored. */
      200: {
        headers: {
          'Idempotency-Replayed': components['headers']['Idempotency-Replayed']
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['AdminReviewLawyerResponse']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      403: components['responses']['AdminRequiredOrReauthenticationRequired']
      404: components['responses']['UserNotFound']
      409: components['responses']['IdempotencyConflict']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['InvalidReview']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  adminListAudit: {
    parameters: {
      query?: {
        /** @description Returns only events of this account. */
        account_id?: components['schemas']['ResourceId']
        /** @description Returns only actions of this administrator on other accounts. */
        actor_id?: components['schemas']['ResourceId']
        /** @description Returns only events of this type. */
        event?:
          | 'login'
          | 'login_failed'
          | 'login_limited'
          | 'login_suspended'
          | 'logout'
          | 'registered'
          | 'taken_limited'
          | 'refresh_token_reused'
          | 'reauthenticated'
          | 'reauthentication_failed'
          | 'reauthentication_limited'
          | 'mfa_code_failed'
          | 'mfa_code_missing'
          | 'recovery_code_used'
          | 'totp_added'
          | 'totp_removed'
          | 'recovery_codes_renewed'
          | 'passkey_added'
          | 'passkey_removed'
          | 'passkey_failed'
          | 'factor_reset_requested'
          | 'factor_reset_confirmed'
          | 'factor_reset_failed'
          | 'factor_reset_cancelled'
          | 'factor_reset_cancellation_failed'
          | 'factor_reset_scheduled'
          | 'factors_removed'
          | 'session_revoked'
          | 'other_sessions_revoked'
          | 'phone_checked'
          | 'phone_check_limited'
          | 'phone_found_taken'
          | 'phone_confirmed'
          | 'phone_confirm_limited'
          | 'phone_confirmation_failed'
          | 'otp_exhausted'
          | 'email_verification_requested'
          | 'email_verification_limited'
          | 'email_verification_failed'
          | 'email_verified'
          | 'email_change_requested'
          | 'email_changed'
          | 'email_change_cancelled'
          | 'email_change_undone'
          | 'email_cancellation_failed'
          | 'email_recovery_allowed'
          | 'email_released'
          | 'phone_changed'
          | 'profile_updated'
          | 'password_changed'
          | 'password_change_failed'
          | 'password_change_limited'
          | 'password_reset'
          | 'password_reset_requested'
          | 'password_reset_failed'
          | 'changes_undone'
          | 'changes_undo_failed'
          | 'email_release_failed'
          | 'email_marked_verified'
          | 'deletion_requested'
          | 'deletion_refused'
          | 'deletion_limited'
          | 'deletion_cancelled'
          | 'account_deleted'
          | 'account_exported'
          | 'export_limited'
          | 'account_imported'
          | 'document_read'
          | 'file_deleted'
          | 'user_read'
          | 'users_listed'
          | 'audit_listed'
          | 'user_suspended'
          | 'user_restored'
          | 'lawyer_approved'
          | 'lawyer_rejected'
          | 'events_replayed'
          | 'enrollment_code_issued'
          | 'admin_refused'
          | 'admin_granted'
          | 'admin_revoked'
          | 'files_swept'
          | 'files_sweep_stopped'
          | 'key_rotated'
        /** @description Returns only events of the request with this `X-Request-Id`. */
        request_id?: string
        /** @description Returns only events of this network: an IP address stands for all addresses that are masked to the same value. */
        address?: string
        /** @description Returns only events at or after this time. */
        since?: string
        /** @description Returns only events before this time. */
        until?: string
        /** @description The maximum number of items per page. */
        limit?: components['parameters']['Limit']
        /** @description The `next_cursor` of the previous page. An opaque value. */
        cursor?: string
      }
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description A page of events, newest first. */
      200: {
        headers: {
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['AdminListAuditResponse']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      403: components['responses']['AdminRequiredOrReauthenticationRequired']
      422: components['responses']['InvalidListParameter']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  adminListEvents: {
    parameters: {
      query?: {
        /** @description Returns only events of this type. */
        type?:
          | 'account.registered'
          | 'phone.confirmed'
          | 'profile.updated'
          | 'lawyer.reviewed'
          | 'account.suspended'
          | 'account.restored'
          | 'account.deleted'
        /** @description Returns only events in this state. */
        state?: 'waiting' | 'delivered' | 'failed' | 'unsent'
        /** @description Returns only events of this account. */
        account_id?: components['schemas']['ResourceId']
        /** @description The maximum number of items per page. */
        limit?: components['parameters']['Limit']
        /** @description The `next_cursor` of the previous page. An opaque value. */
        cursor?: components['parameters']['Cursor']
      }
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description A page of events, newest first. */
      200: {
        headers: {
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['AdminListEventsResponse']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      403: components['responses']['AdminRequiredOrReauthenticationRequired']
      422: components['responses']['InvalidListParameter']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  adminReplayEvents: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description A random key of your choice for this request, new for every action of the user: a UUID of version 4, or another text with at least 122 random bits.
         *     A retry with the same key and the same body within 24 hours returns the result of the first request and has no further effect. See Idempotency.
         *
         *     The key can be in quotation marks, as the IETF draft idempotency-key-header defines it. Both forms are the same key.
         *     Keys that cannot have as many random bits are rejected as `wrong_format`, such as UUIDs of other versions and repeated characters.
         */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey']
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    /** @description The events to replay. */
    requestBody: {
      content: {
        'application/json': components['schemas']['ReplayEventsRequest']
      }
    }
    responses: {
      /** @description The events are delivered again. */
      200: {
        headers: {
          'Idempotency-Replayed': components['headers']['Idempotency-Replayed']
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['AdminReplayEventsResponse']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      403: components['responses']['AdminRequiredOrReauthenticationRequired']
      404: components['responses']['EventNotFound']
      409: components['responses']['IdempotencyConflict']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['InvalidReplay']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['EventsUnavailable']
    }
  }
  getProfile: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The `ETag` of a response that you have stored, or several, separated by commas.
         *     If one of them is current, the response is `304` without a body.
         *     The size of the list is only limited by that of the head: larger ones are rejected as `431 headers_too_large`.
         */
        'If-None-Match'?: components['parameters']['IfNoneMatch']
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The profile of the account. */
      200: {
        headers: {
          ETag: components['headers']['ETag']
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['GetProfileResponse']
        }
      }
      304: components['responses']['NotModified']
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  updateProfile: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The `ETag` of the profile that you have changed, or several, separated by commas.
         *     The request is rejected as `412 outdated` if the profile has changed since, so that two devices do not overwrite each other.
         *     Without the header, and with `*`, the version is not checked. Weak and malformed tags match no version.
         *     The size of the list is only limited by that of the head: larger ones are rejected as `431 headers_too_large`.
         */
        'If-Match'?: components['parameters']['IfMatch']
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    /** @description The form of a client or of a lawyer. */
    requestBody: {
      content: {
        'multipart/form-data': components['schemas']['UpdateProfileRequest']
      }
    }
    responses: {
      /** @description The updated profile. */
      200: {
        headers: {
          ETag: components['headers']['ETag']
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['UpdateProfileResponse']
        }
      }
      400: components['responses']['MalformedForm']
      401: components['responses']['Unauthorized']
      403: components['responses']['ReauthenticationRequired']
      412: components['responses']['ProfileOutdated']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['InvalidProfile']
      429: components['responses']['OtpAttemptsExhausted']
      500: components['responses']['InternalServerError']
      503: components['responses']['StorageUnavailable']
    }
  }
  patchProfile: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The `ETag` of the profile that you have changed, or several, separated by commas.
         *     The request is rejected as `412 outdated` if the profile has changed since, so that two devices do not overwrite each other.
         *     Without the header, and with `*`, the version is not checked. Weak and malformed tags match no version.
         *     The size of the list is only limited by that of the head: larger ones are rejected as `431 headers_too_large`.
         */
        'If-Match'?: components['parameters']['IfMatch']
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    /** @description The fields to change. */
    requestBody: {
      content: {
        'application/json': components['schemas']['PatchProfileRequest']
        'application/merge-patch+json': components['schemas']['PatchProfileRequest']
      }
    }
    responses: {
      /** @description The updated profile. */
      200: {
        headers: {
          ETag: components['headers']['ETag']
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['PatchProfileResponse']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      403: components['responses']['ReauthenticationRequired']
      412: components['responses']['ProfileOutdated']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['InvalidProfile']
      429: components['responses']['OtpAttemptsExhausted']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  getProfileForm: {
    parameters: {
      query: {
        /** @description The account type whose form is returned. */
        account_type: 'client' | 'lawyer'
      }
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The form, as JSON Schema. */
      200: {
        headers: {
          ETag: components['headers']['ETag']
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['GetProfileFormResponse']
        }
      }
      304: components['responses']['NotModified']
      400: components['responses']['BadRequest']
      422: components['responses']['InvalidFormParameter']
      500: components['responses']['InternalServerError']
      503: components['responses']['ShuttingDown']
    }
  }
  changePassword: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    /** @description The current password and the new one. */
    requestBody: {
      content: {
        'application/json': components['schemas']['ChangePasswordRequest']
      }
    }
    responses: {
      /** @description The password is changed. Contains the tokens of a new session. */
      200: {
        headers: {
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ChangePasswordResponse']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      403: components['responses']['ReauthenticationRequired']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['InvalidPasswordChange']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  requestAccountDeletion: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    /** @description The current password. */
    requestBody: {
      content: {
        'application/json': components['schemas']['AccountDeletionRequest']
      }
    }
    responses: {
      /** @description The deletion is scheduled, and all sessions are revoked. */
      202: {
        headers: {
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['RequestAccountDeletionResponse']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      403: components['responses']['ReauthenticationRequired']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['InvalidAccountDeletion']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  cancelAccountDeletion: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description No deletion is scheduled. */
      200: {
        headers: {
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['CancelAccountDeletionResponse']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  exportAccount: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The archive with the data of the account. */
      200: {
        headers: {
          'Content-Disposition': components['headers']['Content-Disposition']
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/zip': components['schemas']['AccountExportArchive']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      403: components['responses']['ReauthenticationRequired']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['StorageUnavailable']
    }
  }
  listRateLimits: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The rate limits of all operations. */
      200: {
        headers: {
          ETag: components['headers']['ETag']
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ListRateLimitsResponse']
        }
      }
      304: components['responses']['NotModified']
      400: components['responses']['BadRequest']
      500: components['responses']['InternalServerError']
      503: components['responses']['ShuttingDown']
    }
  }
  listLookups: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The lookups, by name. */
      200: {
        headers: {
          ETag: components['headers']['ETag']
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ListLookupsResponse']
        }
      }
      304: components['responses']['NotModified']
      400: components['responses']['BadRequest']
      500: components['responses']['InternalServerError']
      503: components['responses']['ShuttingDown']
    }
  }
  listCountries: {
    parameters: {
      query?: {
        /** @description Returns only items whose Arabic or English name contains this text. Case, vowel signs and variants of a letter are ignored. */
        q?: components['parameters']['Search']
      }
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The countries, sorted by name. */
      200: {
        headers: {
          ETag: components['headers']['ETag']
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ListCountriesResponse']
        }
      }
      304: components['responses']['NotModified']
      400: components['responses']['BadRequest']
      422: components['responses']['InvalidSearchQuery']
      500: components['responses']['InternalServerError']
      503: components['responses']['ShuttingDown']
    }
  }
  listRegions: {
    parameters: {
      query?: {
        /** @description Returns only items whose Arabic or English name contains this text. Case, vowel signs and variants of a letter are ignored. */
        q?: components['parameters']['Search']
        /** @description Returns only items of this country. */
        country_id?: components['parameters']['CountryId']
      }
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The regions, sorted by name. */
      200: {
        headers: {
          ETag: components['headers']['ETag']
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ListRegionsResponse']
        }
      }
      304: components['responses']['NotModified']
      400: components['responses']['BadRequest']
      422: components['responses']['InvalidLookupFilter']
      500: components['responses']['InternalServerError']
      503: components['responses']['ShuttingDown']
    }
  }
  listCities: {
    parameters: {
      query?: {
        /** @description Returns only items whose Arabic or English name contains this text. Case, vowel signs and variants of a letter are ignored. */
        q?: components['parameters']['Search']
        /** @description Returns only items of this country. */
        country_id?: components['parameters']['CountryId']
        /** @description Returns only items of this region. */
        region_id?: components['parameters']['RegionId']
      }
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The cities, sorted by name. */
      200: {
        headers: {
          ETag: components['headers']['ETag']
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ListCitiesResponse']
        }
      }
      304: components['responses']['NotModified']
      400: components['responses']['BadRequest']
      422: components['responses']['InvalidLookupFilter']
      500: components['responses']['InternalServerError']
      503: components['responses']['ShuttingDown']
    }
  }
  listNationalities: {
    parameters: {
      query?: {
        /** @description Returns only items whose Arabic or English name contains this text. Case, vowel signs and variants of a letter are ignored. */
        q?: components['parameters']['Search']
      }
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The nationalities, sorted by name. */
      200: {
        headers: {
          ETag: components['headers']['ETag']
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ListNationalitiesResponse']
        }
      }
      304: components['responses']['NotModified']
      400: components['responses']['BadRequest']
      422: components['responses']['InvalidSearchQuery']
      500: components['responses']['InternalServerError']
      503: components['responses']['ShuttingDown']
    }
  }
  listDegrees: {
    parameters: {
      query?: {
        /** @description Returns only items whose Arabic or English name contains this text. Case, vowel signs and variants of a letter are ignored. */
        q?: components['parameters']['Search']
      }
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The degrees, sorted by name. */
      200: {
        headers: {
          ETag: components['headers']['ETag']
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ListDegreesResponse']
        }
      }
      304: components['responses']['NotModified']
      400: components['responses']['BadRequest']
      422: components['responses']['InvalidSearchQuery']
      500: components['responses']['InternalServerError']
      503: components['responses']['ShuttingDown']
    }
  }
  listGeneralSpecialties: {
    parameters: {
      query?: {
        /** @description Returns only items whose Arabic or English name contains this text. Case, vowel signs and variants of a letter are ignored. */
        q?: components['parameters']['Search']
      }
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The general specialties, sorted by name. */
      200: {
        headers: {
          ETag: components['headers']['ETag']
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ListGeneralSpecialtiesResponse']
        }
      }
      304: components['responses']['NotModified']
      400: components['responses']['BadRequest']
      422: components['responses']['InvalidSearchQuery']
      500: components['responses']['InternalServerError']
      503: components['responses']['ShuttingDown']
    }
  }
  listAccurateSpecialties: {
    parameters: {
      query?: {
        /** @description Returns only items whose Arabic or English name contains this text. Case, vowel signs and variants of a letter are ignored. */
        q?: components['parameters']['Search']
        /** @description Returns only items of this general specialty. */
        general_specialty_id?: components['parameters']['GeneralSpecialtyId']
      }
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The accurate specialties, sorted by name. */
      200: {
        headers: {
          ETag: components['headers']['ETag']
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ListAccurateSpecialtiesResponse']
        }
      }
      304: components['responses']['NotModified']
      400: components['responses']['BadRequest']
      422: components['responses']['InvalidSpecialtyFilter']
      500: components['responses']['InternalServerError']
      503: components['responses']['ShuttingDown']
    }
  }
  listFunctionalCases: {
    parameters: {
      query?: {
        /** @description Returns only items whose Arabic or English name contains this text. Case, vowel signs and variants of a letter are ignored. */
        q?: components['parameters']['Search']
      }
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The functional cases, sorted by name. */
      200: {
        headers: {
          ETag: components['headers']['ETag']
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ListFunctionalCasesResponse']
        }
      }
      304: components['responses']['NotModified']
      400: components['responses']['BadRequest']
      422: components['responses']['InvalidSearchQuery']
      500: components['responses']['InternalServerError']
      503: components['responses']['ShuttingDown']
    }
  }
  listLanguages: {
    parameters: {
      query?: {
        /** @description Returns only items whose Arabic or English name contains this text. Case, vowel signs and variants of a letter are ignored. */
        q?: components['parameters']['Search']
      }
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The languages, sorted by name. */
      200: {
        headers: {
          ETag: components['headers']['ETag']
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ListLanguagesResponse']
        }
      }
      304: components['responses']['NotModified']
      400: components['responses']['BadRequest']
      422: components['responses']['InvalidSearchQuery']
      500: components['responses']['InternalServerError']
      503: components['responses']['ShuttingDown']
    }
  }
  listDigitalGuideCategories: {
    parameters: {
      query?: {
        /** @description Returns only items whose Arabic or English name contains this text. Case, vowel signs and variants of a letter are ignored. */
        q?: components['parameters']['Search']
      }
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The digital guide categories, sorted by name. */
      200: {
        headers: {
          ETag: components['headers']['ETag']
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ListDigitalGuideCategoriesResponse']
        }
      }
      304: components['responses']['NotModified']
      400: components['responses']['BadRequest']
      422: components['responses']['InvalidSearchQuery']
      500: components['responses']['InternalServerError']
      503: components['responses']['ShuttingDown']
    }
  }
  deleteProfileFile: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path: {
        /** @description The profile field of the file. Required files can only be replaced, with `PUT /api/v1/profile`. */
        kind: 'profile_photo' | 'cv_file' | 'logo'
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The profile has no such file. */
      200: {
        headers: {
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DeleteProfileFileResponse']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      422: components['responses']['InvalidFileKind']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  getFile: {
    parameters: {
      query?: {
        /** @description The expiry of the link, as a Unix timestamp in seconds. Part of the link. */
        expires?: number
        /** @description The signature of the link. Part of the link. */
        signature?: string
        /** @description The session that the link is bound to. Part of the link to a confidential file. */
        session?: string
      }
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: malformed and unsupported ranges are ignored, and so is everything after the first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path: {
        /** @description The id of the file, from its link. */
        file_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The content of the file. */
      200: {
        headers: {
          'Content-Disposition': components['headers']['Content-Disposition']
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          Vary: components['headers']['Vary']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'image/jpeg': components['schemas']['FileContent']
          'image/png': components['schemas']['FileContent']
          'image/webp': components['schemas']['FileContent']
          'application/pdf': components['schemas']['FileContent']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      403: components['responses']['FileOfAnotherUser']
      404: components['responses']['FileNotFound']
      422: components['responses']['InvalidFileLink']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['StorageUnavailable']
    }
  }
  accountRegistered: {
    parameters: {
      query?: never
      header: {
        /** @description The id of the event, the same for every attempt. Store it to detect duplicates. */
        'webhook-id': components['parameters']['WebhookId']
        /** @description The time of this attempt, as a Unix timestamp in seconds. Reject requests whose time differs by minutes. */
        'webhook-timestamp': components['parameters']['WebhookTimestamp']
        /**
         * @description The signatures, one for each secret of the service, separated by spaces.
         *     Each is `v1,` followed by the base64 of the HMAC-SHA256 of `webhook-id`, `webhook-timestamp` and the bytes of the body, joined by dots.
         *     One valid signature is sufficient.
         */
        'webhook-signature': components['parameters']['WebhookSignature']
      }
      path?: never
      cookie?: never
    }
    /** @description The event. */
    requestBody: {
      content: {
        'application/json': components['schemas']['AccountRegisteredEvent']
      }
    }
    responses: {
      /** @description The event is rejected permanently. It is not retried. */
      410: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The event is accepted. The body of the response is ignored. */
      '2XX': {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The delivery has failed and is retried later. Redirects are not followed. */
      default: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  phoneConfirmed: {
    parameters: {
      query?: never
      header: {
        /** @description The id of the event, the same for every attempt. Store it to detect duplicates. */
        'webhook-id': components['parameters']['WebhookId']
        /** @description The time of this attempt, as a Unix timestamp in seconds. Reject requests whose time differs by minutes. */
        'webhook-timestamp': components['parameters']['WebhookTimestamp']
        /**
         * @description The signatures, one for each secret of the service, separated by spaces.
         *     Each is `v1,` followed by the base64 of the HMAC-SHA256 of `webhook-id`, `webhook-timestamp` and the bytes of the body, joined by dots.
         *     One valid signature is sufficient.
         */
        'webhook-signature': components['parameters']['WebhookSignature']
      }
      path?: never
      cookie?: never
    }
    /** @description The event. */
    requestBody: {
      content: {
        'application/json': components['schemas']['PhoneConfirmedEvent']
      }
    }
    responses: {
      /** @description The event is rejected permanently. It is not retried. */
      410: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The event is accepted. The body of the response is ignored. */
      '2XX': {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The delivery has failed and is retried later. Redirects are not followed. */
      default: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  profileUpdated: {
    parameters: {
      query?: never
      header: {
        /** @description The id of the event, the same for every attempt. Store it to detect duplicates. */
        'webhook-id': components['parameters']['WebhookId']
        /** @description The time of this attempt, as a Unix timestamp in seconds. Reject requests whose time differs by minutes. */
        'webhook-timestamp': components['parameters']['WebhookTimestamp']
        /**
         * @description The signatures, one for each secret of the service, separated by spaces.
         *     Each is `v1,` followed by the base64 of the HMAC-SHA256 of `webhook-id`, `webhook-timestamp` and the bytes of the body, joined by dots.
         *     One valid signature is sufficient.
         */
        'webhook-signature': components['parameters']['WebhookSignature']
      }
      path?: never
      cookie?: never
    }
    /** @description The event. */
    requestBody: {
      content: {
        'application/json': components['schemas']['ProfileUpdatedEvent']
      }
    }
    responses: {
      /** @description The event is rejected permanently. It is not retried. */
      410: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The event is accepted. The body of the response is ignored. */
      '2XX': {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The delivery has failed and is retried later. Redirects are not followed. */
      default: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  lawyerReviewed: {
    parameters: {
      query?: never
      header: {
        /** @description The id of the event, the same for every attempt. Store it to detect duplicates. */
        'webhook-id': components['parameters']['WebhookId']
        /** @description The time of this attempt, as a Unix timestamp in seconds. Reject requests whose time differs by minutes. */
        'webhook-timestamp': components['parameters']['WebhookTimestamp']
        /**
         * @description The signatures, one for each secret of the service, separated by spaces.
         *     Each is `v1,` followed by the base64 of the HMAC-SHA256 of `webhook-id`, `webhook-timestamp` and the bytes of the body, joined by dots.
         *     One valid signature is sufficient.
         */
        'webhook-signature': components['parameters']['WebhookSignature']
      }
      path?: never
      cookie?: never
    }
    /** @description The event. */
    requestBody: {
      content: {
        'application/json': components['schemas']['LawyerReviewedEvent']
      }
    }
    responses: {
      /** @description The event is rejected permanently. It is not retried. */
      410: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The event is accepted. The body of the response is ignored. */
      '2XX': {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The delivery has failed and is retried later. Redirects are not followed. */
      default: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  accountSuspended: {
    parameters: {
      query?: never
      header: {
        /** @description The id of the event, the same for every attempt. Store it to detect duplicates. */
        'webhook-id': components['parameters']['WebhookId']
        /** @description The time of this attempt, as a Unix timestamp in seconds. Reject requests whose time differs by minutes. */
        'webhook-timestamp': components['parameters']['WebhookTimestamp']
        /**
         * @description The signatures, one for each secret of the service, separated by spaces.
         *     Each is `v1,` followed by the base64 of the HMAC-SHA256 of `webhook-id`, `webhook-timestamp` and the bytes of the body, joined by dots.
         *     One valid signature is sufficient.
         */
        'webhook-signature': components['parameters']['WebhookSignature']
      }
      path?: never
      cookie?: never
    }
    /** @description The event. */
    requestBody: {
      content: {
        'application/json': components['schemas']['AccountSuspendedEvent']
      }
    }
    responses: {
      /** @description The event is rejected permanently. It is not retried. */
      410: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The event is accepted. The body of the response is ignored. */
      '2XX': {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The delivery has failed and is retried later. Redirects are not followed. */
      default: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  accountRestored: {
    parameters: {
      query?: never
      header: {
        /** @description The id of the event, the same for every attempt. Store it to detect duplicates. */
        'webhook-id': components['parameters']['WebhookId']
        /** @description The time of this attempt, as a Unix timestamp in seconds. Reject requests whose time differs by minutes. */
        'webhook-timestamp': components['parameters']['WebhookTimestamp']
        /**
         * @description The signatures, one for each secret of the service, separated by spaces.
         *     Each is `v1,` followed by the base64 of the HMAC-SHA256 of `webhook-id`, `webhook-timestamp` and the bytes of the body, joined by dots.
         *     One valid signature is sufficient.
         */
        'webhook-signature': components['parameters']['WebhookSignature']
      }
      path?: never
      cookie?: never
    }
    /** @description The event. */
    requestBody: {
      content: {
        'application/json': components['schemas']['AccountRestoredEvent']
      }
    }
    responses: {
      /** @description The event is rejected permanently. It is not retried. */
      410: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The event is accepted. The body of the response is ignored. */
      '2XX': {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The delivery has failed and is retried later. Redirects are not followed. */
      default: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  accountDeleted: {
    parameters: {
      query?: never
      header: {
        /** @description The id of the event, the same for every attempt. Store it to detect duplicates. */
        'webhook-id': components['parameters']['WebhookId']
        /** @description The time of this attempt, as a Unix timestamp in seconds. Reject requests whose time differs by minutes. */
        'webhook-timestamp': components['parameters']['WebhookTimestamp']
        /**
         * @description The signatures, one for each secret of the service, separated by spaces.
         *     Each is `v1,` followed by the base64 of the HMAC-SHA256 of `webhook-id`, `webhook-timestamp` and the bytes of the body, joined by dots.
         *     One valid signature is sufficient.
         */
        'webhook-signature': components['parameters']['WebhookSignature']
      }
      path?: never
      cookie?: never
    }
    /** @description The event. */
    requestBody: {
      content: {
        'application/json': components['schemas']['AccountDeletedEvent']
      }
    }
    responses: {
      /** @description The event is rejected permanently. It is not retried. */
      410: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The event is accepted. The body of the response is ignored. */
      '2XX': {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The delivery has failed and is retried later. Redirects are not followed. */
      default: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
}
