// Generated from openapi/ by `npm run generate`. Do not edit.

import type { Upload } from '../src/domain/upload.ts'

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
     * Register
     * @description Makes an account and logs it in. Its profile is not complete yet (`profile_complete` is false): the rest of it comes
     *     with `PUT /api/v1/profile`, and until then `GET /api/v1/profile` has null for what is not known.
     *
     *     A number of `966` is registered with the code that `POST /api/v1/auth/check-phone` sent to it; a wrong code counts
     *     like one at `POST /api/v1/auth/confirm-phone`. Other numbers are stored unverified,
     *     unless `otp` is the code that was sent to them; a wrong one is ignored. An unverified number reserves nothing: several accounts can
     *     have it, until one of them verifies it. All wrong fields come in one 422.
     *     The account is there whole or not at all.
     *
     *     One form can serve both kinds of accounts: fields of the other account type are ignored. Their values are neither
     *     validated nor stored. Any other field that the form does not have is rejected as `unknown_field`.
     *
     *     | Requests of one network | Limit |
     *     |---|---|
     *     | With an e-mail address or a number that is taken, here and in `PUT /api/v1/profile` | 60 in 15 minutes |
     *     | Registered accounts | 300 in an hour |
     *
     *     Above a limit, requests get `429 rate_limited`.
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
     * @description Logs in with e-mail address and password, and begins a session.
     *
     *     An unknown e-mail address and a wrong password get the same response in the same time.
     *
     *     Rate limits count failed attempts only. Above a limit, requests get `429 rate_limited`, also with the right password;
     *     existing sessions are not affected.
     *
     *     | Failed attempts | Limit |
     *     |---|---|
     *     | One account, one network | 10 in 15 minutes |
     *     | One account, all networks | 100 in a day |
     *     | One account, each network it logged in from in the last 30 days | 100 in a day, counted separately |
     *     | All accounts, one network | 30 in 5 minutes |
     *     | All accounts, one IPv6 /56 | 60 in 5 minutes |
     *     | All accounts, one IPv6 /48 | 120 in 5 minutes |
     *
     *     A network is an IPv4 address or an IPv6 /64. Wrong passwords in `PUT /api/v1/profile/password` and
     *     `DELETE /api/v1/account` count towards the limits of a day, which do not appear in `RateLimit`. A new password clears
     *     the failures of the account.
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
     * Ask for a new password
     * @description Sends what a new password is set with: a token by e-mail, valid for 15 minutes, or a code by SMS, valid for
     *     5 minutes.
     *
     *     | The account has | What is sent |
     *     |---|---|
     *     | a verified e-mail address that recovers it | a token that sets a new password |
     *     | an e-mail address that was never verified | a token that sets a new password together with a code by SMS, or releases the address |
     *     | a verified phone number that recovers it | a code |
     *     | an e-mail address or a phone number that does not recover it now, or a phone number that was never verified | nothing |
     *
     *     An e-mail address and a phone number recover an account as soon as they are verified, if they are those of the registration. Others
     *     recover it 72 hours after they replaced the ones before; until then the phone number before does. The SMS says
     *     that its code is for a new password, and the code is of no use for anything else.
     *
     *     If the service is configured with a reset page, the e-mail links to it and carries the token in the fragment, as
     *     `#token=…`, or as `#/route?token=…` if the URL of the page already ends in a route. Read it in the page with
     *     `location.hash`: browsers do not send fragments to servers.
     *
     *     The answer is the same, and comes after the same time, whether there is such an account or not and whether anything
     *     was sent. An account gets at most 5 e-mails in an hour; codes by SMS have the limits of
     *     check-phone, and count together with them. An address may ask 10 times in a minute and
     *     30 times in an hour, counted together with check-phone.
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
     * @description Sets a new password with the token or the code that `POST /api/v1/auth/forgot-password` sent. Either can be used once. All
     *     sessions of the account end; log in with the new password.
     *
     *     An e-mail address that was never verified may be mistyped, so the token alone does not open the account:
     *
     *     1. Send the token and the password without `otp`. The response is `422` with `otp: required`, and a code is sent to the phone
     *        number of the account.
     *     2. Repeat the request with the code as `otp`. The password is set, and the address is verified.
     *
     *     If such an account has no phone number that can recover it, the response is `422` with `token: reset_phone_missing`. The owner
     *     of the address can remove it from an account that is not theirs with `POST /api/v1/auth/email/release`.
     *
     *     A reset invalidates all other tokens and codes that set a password. An e-mail address or a phone number that was verified
     *     at the same time as the one that was used, or later, no longer recovers the account until it is verified again;
     *     `phone_verified` is false then. After a reset through a number that the account had before, the account has that number again.
     *
     *     A wrong code counts like one at `POST /api/v1/auth/confirm-phone`, and a wrong token like a refused access token. A code that
     *     was sent for a registration or a change of the number is wrong here.
     *
     *     `503 sms_unavailable` if the operator does not allow resets by SMS.
     */
    post: operations['resetPassword']
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
     * @description Removes an e-mail address that was never verified from the account that it was entered for. Offer this to the owner of
     *     the address if the account is not theirs, for example because the address was mistyped. The owner can register
     *     with the address afterwards.
     *
     *     Send the token that `POST /api/v1/auth/forgot-password` sent to the address. It gives no access to the account:
     *
     *     - The account gets an unusable address, such as `account-7-3f9c2a1b@released.invalid`, until its user enters another one.
     *     - Its sessions go on, and its password stays.
     *     - If its phone number is verified, an SMS is sent to it.
     *
     *     `422 reset_token_wrong` if the token is wrong, was used or has expired, or if the address is verified.
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
     * @description Tells which account the token belongs to. The account and the session are read anew on each request: a token fails
     *     as soon as its session has ended or its account is suspended.
     *
     *     After 600 refused tokens in a minute, an address gets 429 in place of 401 until the minute is
     *     over; good tokens are served all the while.
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
     * @description Sends a link and a 6-digit code to the pending e-mail address of the account, or to its e-mail address if no
     *     change is pending and it is not verified, or no longer recovers the account after a reset by SMS. Otherwise nothing is
     *     sent, with the same response. Registration sends the first message by itself, and so does `PUT /api/v1/profile` with a
     *     new address.
     *
     *     Confirm the address with `POST /api/v1/auth/email/confirm`. The link is valid for 24 hours and the code for
     *     15 minutes; messages that were sent earlier stay valid. If the service is configured with a page for
     *     e-mail addresses, the link leads to it and carries `token=…&action=confirm` in the fragment; otherwise the message contains
     *     the token alone.
     *
     *     | Limit | Value |
     *     |---|---|
     *     | Time between two messages to one address | 60 s |
     *     | Messages per account | 5 per hour, 10 per day |
     *     | Messages per address, of all accounts | 10 per day |
     *
     *     Returns `503 mail_unavailable` if the service has no mail server.
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
     * @description Verifies an e-mail address of an account with the token of a link, or with the code of the same message and an access token.
     *     A pending address replaces the old one. No session begins, and none ends.
     *
     *     | What is confirmed | From when the address can reset the password |
     *     |---|---|
     *     | the address of the registration | at once |
     *     | an address that replaced another one | after 72 hours, or as soon as the old address consents |
     *
     *     After a change, the old address receives a message with two tokens, each valid for 7 days: one undoes the
     *     change (`POST /api/v1/auth/email/cancel`), and the other one, sent here, lets the new address reset the password at once. Tokens
     *     and codes that could set a new password are invalidated by a change.
     *
     *     | Error | Returned if |
     *     |---|---|
     *     | `401 token_missing` | `by` is `code` and there is no access token |
     *     | `422 email_token_wrong` on `token` | the token is wrong, was used or has expired, or another change has replaced it |
     *     | `422 otp_wrong` on `code` | the code is wrong or has expired, or none was sent |
     *     | `422 email_taken` on `token` or `code` | another account has the address by now |
     *     | `429 email_tries_exhausted` | too many wrong codes |
     *
     *     A token works without an access token, on any device. 5 wrong codes invalidate the code, and
     *     10 in a day all codes of the account until the day is over; links stay valid. Wrong tokens count like
     *     refused access tokens.
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
     * @description Cancels or undoes a change of the e-mail address, with the token that was sent to the old address. The token is valid once,
     *     for 7 days, and needs no access token.
     *
     *     | State of the change | Effect |
     *     |---|---|
     *     | pending | it is cancelled: the new address can no longer be confirmed |
     *     | confirmed | it is undone, as follows |
     *
     *     Undoing a change restores the old address as verified, ends all sessions and makes the password unusable. Links that set a
     *     new password and codes that were sent become invalid, and phone numbers that were verified after the old address can no longer
     *     reset the password. A message with a link that sets a new password is sent to the restored address.
     *
     *     Returns `422 email_token_wrong` if the token is wrong, was used or has expired, and `422 email_taken` if another account has
     *     verified the old address in the meantime. Wrong tokens count like refused access tokens.
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
     * @description Checks that the phone number may be registered, and sends it a code of 6 digits by SMS. A number that an
     *     account has verified already gets 422 `phone_taken`.
     *
     *     The code can be confirmed for 5 minutes. Another request within the first
     *     5 minutes sends the same code again, which can then be confirmed for 5
     *     minutes more, but gives no new tries. The same applies to a number that is confirmed, for as long as its code can be
     *     used.
     *
     *     The header `Retry-After` of a success says in how many seconds the next code can be sent to this number.
     *
     *     | Codes for one number | Limit | Error |
     *     |---|---|---|
     *     | Between two codes for one network | 60 s, then 120 s, then 300 s | `otp_cooldown` |
     *     | Between two codes for any networks | 60 s | `otp_cooldown` |
     *     | For one network | 5 in an hour, 10 in a day | `otp_send_limit` |
     *     | Networks | 8 in a day | `otp_send_limit` |
     *     | For all networks together | 24 in a day | `otp_send_limit` |
     *     | No tries left for the network: see `POST /api/v1/auth/confirm-phone` | | `otp_tries_exhausted` |
     *
     *     Of its codes of a day, each network has 2 to itself; all further ones are part of
     *     8 that networks share. So other networks cannot stop you from confirming your number. For
     *     these limits, a network is an IPv4 address or an IPv6 /48.
     *
     *     | Requests for any numbers | Limit | Error |
     *     |---|---|---|
     *     | One network, together with `POST /api/v1/auth/forgot-password` | 10 in a minute, 30 in an hour | `rate_limited` |
     *     | Numbers that differ only in their last 3 digits | 36 in an hour, 5 for one network | `rate_limited` |
     *     | The budgets of the operator for a day: in all, for one country and for one network | | `rate_limited` |
     *
     *     A request above one of the last two limits does not count against the number. They do not appear in `RateLimit`, which is
     *     about the caller alone. No code is sent to a country that the operator does not serve (`422 country_not_served`).
     *
     *     When every SMS provider refuses the message, the answer is 503 and the attempt does not count against the number. When
     *     a provider was given the message and did not say whether it took it, the answer is 503 as well, but the attempt counts:
     *     the message may arrive.
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
     * Confirm a code
     * @description Confirms the phone number with the code that was sent to it. The code is not used up: for 10 minutes
     *     it can be given as `otp` where a verified number is needed. Confirming the same code again answers 200 too, so that an
     *     answer that was lost can be asked for again.
     *
     *     A wrong code, an expired code, a code for a new password and a number without a code get the same `400 otp_wrong`. Every wrong code counts, whether
     *     a code is live or not, so neither a 400 nor a 429 shows that a number has an account or was sent a code. A resend gives
     *     no new tries.
     *
     *     | Wrong codes for one number | Limit | Error |
     *     |---|---|---|
     *     | A network that asked for a code in the last day | 5 in 10 minutes, 10 in a day | `otp_tries_exhausted` |
     *     | All other networks together | 5 in 10 minutes, 10 in a day | `otp_tries_exhausted` |
     *     | All networks together | 50 in a day | `otp_tries_exhausted` |
     *
     *     Of its tries of a day, a network that asked for a code has 5 to itself; all further ones are part
     *     of the 10 that networks share. For these limits, a network is an IPv4 address or an IPv6 /48.
     *
     *     60 wrong codes for any numbers in 5 minutes from one
     *     network get `429 rate_limited`.
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
     * @description Exchanges a refresh token for a new access token and a new refresh token, which takes its place. A refresh token that
     *     is not used for 30 days expires, and so does the session 90 days
     *     after its login.
     *
     *     For 30 seconds the refresh token that was exchanged last gets the same new one again, so
     *     that an answer that was lost can be asked for again, and several tabs may refresh at once. After that, somebody who
     *     comes with a refresh token that was exchanged already has a copy: **the session ends for both of them**.
     *
     *     Refused refresh tokens count as refused access tokens do.
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
     * @description Confirms the password of the account and replaces the session of the request by a new one with recent authentication.
     *     The response is that of a login. The old session is revoked, with its access tokens and its refresh token.
     *
     *     Recent authentication lasts 900 seconds unless the operator chose otherwise. Operations that
     *     need it return `403 reauthentication_required` without it.
     *
     *     After 10 wrong passwords in 15 minutes, here, at
     *     `POST /api/v1/profile/password` and at `DELETE /api/v1/account` together, further attempts of the account get 429.
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
     * @description Ends the session of the token. Its access tokens and its refresh token fail from then on. The request has no body.
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
     * List the sessions
     * @description The devices on which the account is logged in, the one used last first. An account has at most
     *     50 sessions: a login beyond that ends the one that was not used for longest.
     */
    get: operations['listSessions']
    put?: never
    post?: never
    /**
     * End the other sessions
     * @description Ends all sessions of the account but the one that asks. Their tokens fail from then on.
     *
     *     Requires recent authentication: the password proven on this session within the last 900 seconds, unless the operator chose otherwise. Without it the response is `403 reauthentication_required`; see Recent authentication.
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
     * End a session
     * @description Ends one session of the account, which may be the one that asks. Its tokens fail from then on.
     *
     *     Requires recent authentication: the password proven on this session within the last 900 seconds, unless the operator chose otherwise. Without it the response is `403 reauthentication_required`; see Recent authentication.
     */
    delete: operations['revokeSession']
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
     * @description The public keys that verify access tokens, for services that check tokens themselves. The body is a JWK set (RFC 7517)
     *     and the envelope at once: `keys` stands at the top, where JWT libraries look for it, and in `data`.
     *
     *     A token that verifies may belong to a session that has ended since: `GET /api/v1/auth/check` knows.
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
     * @description Tells whether the account that asks has administrator privileges now. An account without them gets 200 and `false`.
     *
     *     After 600 refused tokens in a minute, an address gets 429 in place of 401 until the minute is
     *     over; good tokens are served all the while.
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
     * @description The users, the newest first. Give `next_cursor` as `cursor` to get the next page, with the same filters, until it is
     *     null. Who registers meanwhile does not move the pages.
     *
     *     A search with `q` reads the names of the 10000 newest accounts that the filters leave,
     *     counted from the cursor, and no index helps it: **a page of a search may have fewer users than `limit`, or none, and
     *     still have a `next_cursor`**, which goes on with the accounts before. Filter as much as you can.
     *
     *     Each request is recorded in the audit trail as `users_listed`, with its filters and the ids of the returned users.
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
     * @description The profile of a user, as they see it themself, and the state of the account. The links to files are good for
     *     15 minutes; those to documents are opened with your token. That you have read it is kept in the
     *     audit trail.
     *
     *     For a lawyer, `national_id_check` and `duplicate_of` help with the review. Only administrators see them.
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
     * @description Suspends an account and ends all its sessions: its tokens fail on the next request, and its owner cannot log in. The
     *     reason is kept, and the user is not told it. You cannot suspend yourself.
     *
     *     An account that is suspended already stays as it is, with the reason that it has.
     *
     *     Requires recent authentication: the password proven on this session within the last 900 seconds, unless the operator chose otherwise. Without it the response is `403 reauthentication_required`; see Recent authentication.
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
     * @description Lets an account that is suspended be used again. Its sessions have ended: its owner logs in again. The reason is kept in
     *     the audit trail. An account that is not suspended stays as it is.
     *
     *     Requires recent authentication: the password proven on this session within the last 900 seconds, unless the operator chose otherwise. Without it the response is `403 reauthentication_required`; see Recent authentication.
     */
    post: operations['adminRestoreUser']
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
     * @description Approves or rejects a lawyer whose profile is complete. The reason of a rejection is shown to the lawyer. A decision may
     *     be changed by another one; the same one once more changes nothing. You cannot review yourself.
     *
     *     `review_version` is required: send the one that you received with the user details, so that the decision
     *     applies to the data that you have seen.
     *
     *     If the `national_id` is implausible or other accounts are duplicates at that moment, as the user details show, the audit
     *     event of the decision records it in `subject`, for example `national_id_check=implausible duplicate_of=12,15`.
     *
     *     The lawyer is pending again when what was reviewed changes: see `PUT /api/v1/profile`.
     *
     *     Requires recent authentication: the password proven on this session within the last 900 seconds, unless the operator chose otherwise. Without it the response is `403 reauthentication_required`; see Recent authentication.
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
     * @description What happened to accounts, the newest first. Give `next_cursor` as `cursor` to get the next page, with the same filters,
     *     until it is null. Events are kept as long as the operator says, a year unless they chose otherwise. Addresses of
     *     people and their numbers stand here masked.
     *
     *     Each request is recorded as `audit_listed`, with its filters.
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
     * @description What was told to your systems, and what could not be, the newest first. Give `next_cursor` as `cursor` to get the next
     *     page, with the same filters, until it is null. Events are kept for 30 days.
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
     * Post events again
     * @description Posts an event again, or those of some time, for example after your system has lost some. They keep their ids and
     *     their timestamps, and have all their attempts anew: a receiver that has taken one must be ready to take it again. By time,
     *     what waits for an attempt is left alone, and at most 10000 events are posted again, the oldest first:
     *     `next_since` tells where to go on.
     *
     *     Requires recent authentication: the password proven on this session within the last 900 seconds, unless the operator chose otherwise. Without it the response is `403 reauthentication_required`; see Recent authentication.
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
     * @description Returns the profile of the account that asks. `account_type` tells which of the two shapes it has.
     *
     *     After 600 refused tokens in a minute, an address gets 429 in place of 401 until the minute is
     *     over; good tokens are served all the while.
     */
    get: operations['getProfile']
    /**
     * Update your profile
     * @description Replaces the profile of the account that asks; `account_type` says which of the two forms it is, and another one than
     *     before makes it an account of that kind, with all that this kind requires. The data of a lawyer is kept when the
     *     account becomes a client, and a new lawyer is `pending` review.
     *
     *     Required fields always come. An optional field that does not come stays as it is, an empty one is cleared; password and
     *     files are never cleared by leaving them out. All wrong fields come in one 422. The whole update happens or nothing of
     *     it.
     *
     *     A new phone number of `966` needs the code that `POST /api/v1/auth/check-phone` sent to it as `otp`; a difference of
     *     format is no change. Other new numbers are stored unverified, unless `otp` is the code that was sent to them. In the
     *     same way `otp` verifies a number that the account has already. For these numbers, a wrong `otp` is ignored. A wrong code
     *     counts like one at `POST /api/v1/auth/confirm-phone`. A new number recovers the account 72 hours
     *     after the change, and a verified number before it does so until then.
     *
     *     A new password ends all other sessions; the session that sent it continues, but has no recent authentication any more.
     *
     *     A new `email` replaces a verified address only when it is confirmed:
     *
     *     | Stored address | Effect of another `email` |
     *     |---|---|
     *     | not verified | replaced at once, not verified; a notice is sent to the old address |
     *     | verified | `email` stays, `pending_email` is set; a link and a code are sent to the new address, and a notice with a link that cancels the change to the old one |
     *     | any, and the service has no mail server | replaced at once, not verified |
     *
     *     Sending the stored or the pending address changes nothing. Another address replaces a pending one, and
     *     `POST /api/v1/auth/email/cancel` cancels it. If the limits of `POST /api/v1/auth/email/verify` are reached, nothing is sent to
     *     the new address; request it there later. A change of the e-mail address is also announced to a verified phone number by SMS,
     *     and a change of the phone number to the old number and to the e-mail address.
     *
     *     After 60 requests with an e-mail address or a number that is taken in
     *     15 minutes, counted for the account and for the network, requests with a new e-mail address or
     *     number get `429 rate_limited`. The network's count includes those of `POST /api/v1/auth/register`.
     *
     *     A lawyer who was approved or rejected is `pending` again when what was reviewed changes: the name, `national_id`,
     *     `identity_type`, the birth date, `degree`, `other_degree`, the specialties, `sections` or `license_no`, `company_name`,
     *     `company_licences_no`, or a new `national_id_image`, `degree_certificate` or `company_license_file`. All else, such as
     *     the address, `about` or the languages, leaves the review as it is.
     *
     *     The `user` object that `GET /api/v1/profile` returns can be sent back as a form, and one form can serve both kinds of
     *     accounts:
     *
     *     - Read-only members of the profile are ignored: `id`, `name` of a lawyer, `phone_verified`, `email_verified`,
     *       `pending_email`, `profile_complete`, `deletion_due_at`, `review_status` and `review_reason`.
     *     - Fields of the other account type are ignored, and so is `other_degree` unless `degree` is 4.
     *     - A file field that contains a file link (`/api/v1/files/…`, with or without its query) leaves the file as it is.
     *     - null is sent as an empty text.
     *
     *     The values of ignored fields are neither validated nor stored, except that `other_degree` must still be well formed.
     *     Any other field that the form does not have is rejected as `unknown_field`.
     *
     *     New passwords and images are processed in turn for each account. At most 40 passwords and
     *     40 images of one account can wait; an update beyond that returns `503 overloaded` and stores
     *     nothing.
     *
     *     Let your HTTP client set `Content-Type`, which contains the boundary between the parts; without it the response is
     *     `400 multipart_boundary_missing`. A file field that comes empty, as in the examples, counts as one that does not come.
     *
     *     A file over the limit of its field is `422 file_too_large`, named together with all other wrong fields.
     *     `413 body_too_large` means that the whole form is over 40 MB, its texts are over
     *     64 KB, or it has too many parts.
     *
     *     After 600 refused tokens in a minute, an address gets 429 in place of 401 until the minute is
     *     over; good tokens are served all the while.
     *
     *     A value of `email`, `phone` or `password` that differs from the stored one requires recent authentication: the password proven on this session within the last 900 seconds, unless the operator chose otherwise. Without it the response is `403 reauthentication_required`; see Recent authentication.
     */
    put: operations['updateProfile']
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
     * @description Changes the password. Requires the current password. All sessions of the account are revoked, including the one that
     *     sends the request, and the response carries the tokens of a new session.
     *
     *     After 10 wrong passwords in 15 minutes, here, at
     *     `POST /api/v1/auth/reauthenticate` and at `DELETE /api/v1/account` together, further attempts of the account get 429. They also
     *     count as failed logins of the day.
     */
    post: operations['changePassword']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/account': {
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
     * Delete your account
     * @description Schedules the deletion of the account, for who knows its password, and ends all of its sessions. For
     *     30 days its owner may log in and cancel the deletion; `deletion_due_at` of the profile tells when
     *     it is due. Asking again changes nothing but the sessions.
     *
     *     Then the account, its profile, its files and its sessions are deleted for good, and its e-mail address and number are
     *     free. What stays, for as long as the operator keeps the audit trail, is that there was an account of this id and what
     *     happened to it when, without names, addresses or numbers.
     *
     *     Wrong passwords count together with those of `POST /api/v1/profile/password` and `POST /api/v1/auth/reauthenticate`: after 10 in
     *     15 minutes, further attempts of the account get 429.
     */
    delete: operations['requestAccountDeletion']
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
     * @description Returns a copy of what is kept of the account that asks, as a ZIP archive that is made while it is sent: its files,
     *     under `files/`, and `account.json`, which the schema `AccountExport` describes. That has
     *
     *     - the account, and its profile as `GET /api/v1/profile` has it, with the names of files in place of links. Its ids
     *       are those of the lookups;
     *     - what is kept of a lawyer whose account is a client's now;
     *     - the sessions of the last 90 days, those that have ended included, at most the
     *       500 used last;
     *     - the audit trail of the account, at most the newest 10000 events.
     *
     *     Every account that can log in gets its copy, also while its profile is not complete and while its deletion is
     *     scheduled.
     *
     *     Not in the copy are secrets: the hashes of the password and of tokens, and codes. Nor is what is about others: who of
     *     the administrators did something to the account, from where and why, and what the account did to others. Addresses
     *     are masked as in the list of sessions. Of a deleted account there is no copy. What is kept of it for legal reasons,
     *     for as long as the operator keeps the audit trail, is that there was an account of this id and what happened to it
     *     when, without names, addresses or numbers.
     *
     *     A file that the storage has lost is listed as `missing`. When the storage breaks while the answer is under way, the
     *     connection is cut off: an archive that is not whole cannot be opened.
     *
     *     Each export is noted in the audit trail as `account_exported`, with `national_id_image` as its subject where it is a
     *     read of that, and the owner hears of it by e-mail. An account may ask 5 times in an hour, whatever
     *     becomes of it. After 600 refused tokens in a minute, an address gets 429 in place of 401 until the
     *     minute is over.
     *
     *     Requires recent authentication: the password proven on this session within the last 900 seconds, unless the operator chose otherwise. Without it the response is `403 reauthentication_required`; see Recent authentication.
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
  '/api/v1/account/deletion/cancel': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Keep your account
     * @description Cancels the deletion of the account. Where none is scheduled, the answer is the same.
     */
    post: operations['cancelAccountDeletion']
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
     * List all small lookups
     * @description All that a profile form chooses from in one answer: the sets but for regions and cities, and the enumerations with
     *     their names. Ask for regions and cities by `GET /api/v1/lookups/regions` and `GET /api/v1/lookups/cities`.
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
     * @description Every country and territory of ISO 3166-1, with its calling code.
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
     * @description The regions of the countries; of one country with `country_id`.
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
     * @description The cities; of one region with `region_id`, or of one country with `country_id`.
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
     * @description The nationalities, one for each country.
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
     * @description The degrees of a lawyer. `need_certificate` tells whether a certificate must come with it.
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
     * @description The general specialties of lawyers.
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
     * @description The specialties within the general ones; of one with `general_specialty_id`.
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
     * @description The employment statuses of lawyers.
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
     * @description The languages that a lawyer may speak.
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
     * @description The categories of the digital guide with their sections, which are the ids that `sections` takes.
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
     * @description Deletes a file of your profile that need not be there: the photo, the CV or the logo. Where there is none, the answer
     *     is the same. Links to the file stop working at once.
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
     * Get a file
     * @description Returns the bytes of a file of a profile: images to be shown, PDFs to be saved. Profiles hold links to their files,
     *     which carry `expires` and `signature` and work without a token for up to 15 minutes; get the profile
     *     again for new ones. With a token, the owner of a file and administrators read it without them.
     *
     *     The image of a national ID is never read by a link alone, and each read of it is noted, with who read it.
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
     * @description Somebody has registered. The profile is not complete yet: `profile.updated` follows when it is.
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
     * @description The phone number of an account was confirmed by a code, at its registration or with an update of its profile. A number
     *     that was confirmed and is not used by an account yet is not told.
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
     * @description The profile of an account was saved, or one of its files deleted. A lawyer who changes what was reviewed is `pending` again.
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
     * @description An administrator has approved or rejected a lawyer.
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
     * @description An administrator has suspended an account. Its sessions have ended.
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
     * @description An administrator lets a suspended account be used again.
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
     * @description The owner of an account asked for its deletion, and its grace has passed: its personal data are erased here. Erase what
     *     you keep of it.
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
    /** @description A refusal. The header `Error-Code` says which. */
    ErrorResponse: {
      /**
       * @description Always false.
       * @enum {boolean}
       */
      status: false
      /**
       * Format: int32
       * @description The HTTP status. It is never 422, which has a shape of its own.
       * @example 401
       * @enum {integer}
       */
      code: 400 | 401 | 403 | 404 | 405 | 408 | 413 | 415 | 417 | 429 | 431 | 500 | 503
      message: components['schemas']['Message']
      /** @description Always null. */
      data: null
    }
    /** @description A refusal that names every wrong field. */
    InvalidDataResponse: {
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
       * @description Always this word, in every language.
       * @enum {string}
       */
      message: 'invalid_data'
      data: components['schemas']['FieldErrors']
    }
    /**
     * @description The stable word of a failure, sent in the header `Error-Code`. Words are added, never renamed.
     * @enum {string}
     */
    ErrorCode:
      | 'malformed_request'
      | 'multipart_boundary_missing'
      | 'otp_wrong'
      | 'token_missing'
      | 'token_invalid'
      | 'token_expired'
      | 'token_revoked'
      | 'credentials_wrong'
      | 'refresh_token_invalid'
      | 'account_suspended'
      | 'admin_required'
      | 'reauthentication_required'
      | 'route_unknown'
      | 'file_unknown'
      | 'session_unknown'
      | 'user_unknown'
      | 'event_unknown'
      | 'method_not_allowed'
      | 'request_timeout'
      | 'body_too_large'
      | 'media_type_unsupported'
      | 'expectation_failed'
      | 'invalid_data'
      | 'rate_limited'
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
      | 'events_unavailable'
      | 'storage_unavailable'
      | 'shutting_down'
    /** @description The registration of a client. Fields of a lawyer's registration are ignored. */
    ClientRegistration: {
      /**
       * @description The kind of the account. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      account_type: 'client'
      /**
       * Format: email
       * @description The e-mail address, unique. It is kept in lower case and without spaces around it.
       * @example client@demo.test
       */
      email: string
      /**
       * Format: password
       * @description A password of 8 to 256 characters, in any script. It is compared after
       *     NFKC normalisation.
       *
       *     Rejected are the most common passwords (`password_common`), the e-mail address (`password_is_email`) and passwords that
       *     are easy to guess (`password_guessable`): words, names, dates and keyboard patterns in English and Arabic, alone or with
       *     a few digits or signs, and the name, e-mail address and phone number of the account. A server can also reject passwords
       *     that are known from data breaches (`password_breached`). There are no rules about kinds of characters.
       * @example olive-harbour-58-lantern
       */
      password: string
      phone: components['schemas']['PhoneInput']
      phone_code: components['schemas']['PhoneCodeInput']
      /**
       * @description The code that was sent to the number by `POST /api/v1/auth/check-phone`, confirmed or not. It is required when
       *     `phone_code` is 966, and is used up by the registration.
       * @example 493027
       */
      otp?: string
      /**
       * @description The full name.
       * @example سارة العتيبي
       */
      name: string
    }
    /** @description The registration of a lawyer. Fields of a client's registration are ignored. */
    LawyerRegistration: {
      /**
       * @description The kind of the account. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      account_type: 'lawyer'
      /**
       * Format: email
       * @description The e-mail address, unique. It is kept in lower case and without spaces around it.
       * @example lawyer@demo.test
       */
      email: string
      /**
       * Format: password
       * @description A password of 8 to 256 characters, in any script. It is compared after
       *     NFKC normalisation.
       *
       *     Rejected are the most common passwords (`password_common`), the e-mail address (`password_is_email`) and passwords that
       *     are easy to guess (`password_guessable`): words, names, dates and keyboard patterns in English and Arabic, alone or with
       *     a few digits or signs, and the name, e-mail address and phone number of the account. A server can also reject passwords
       *     that are known from data breaches (`password_breached`). There are no rules about kinds of characters.
       * @example olive-harbour-58-lantern
       */
      password: string
      phone: components['schemas']['PhoneInput']
      phone_code: components['schemas']['PhoneCodeInput']
      /**
       * @description The code that was sent to the number by `POST /api/v1/auth/check-phone`, confirmed or not. It is required when
       *     `phone_code` is 966, and is used up by the registration.
       * @example 493027
       */
      otp?: string
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
    /** @description A registration, by account_type. */
    RegisterRequest: components['schemas']['ClientRegistration'] | components['schemas']['LawyerRegistration']
    /** @description The account that logged in. */
    LoginAccount: {
      /**
       * Format: email
       * @description The e-mail address of the account, in lower case.
       * @example client@demo.test
       */
      email: string
      /**
       * @description The access token, a JWT, for the header `Authorization` after the word `Bearer`.
       * @example eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl
       */
      token: string
    }
    /** @description The session that the login began, or that was continued. */
    Session: {
      /**
       * Format: int32
       * @description The life of the access token, in seconds.
       * @example 3600
       */
      expires_in: number
      /**
       * @description Gets the next access token from `POST /api/v1/auth/refresh`, once. Keep it as you keep a password.
       * @example 8XbnJXx4T0yAMSOpeMZrLwAAAACCVdUwIQbVwDPWPqzf3Mh6IhvZx-2mUjKkgMvFcDPwNA
       */
      refresh_token: string
    }
    /** @description The account and the session of a login. */
    LoginTokens: {
      account: components['schemas']['LoginAccount']
      session: components['schemas']['Session']
    }
    /** @description What a person logs in with. */
    LoginRequest: {
      /**
       * Format: email
       * @description The e-mail address of the account. Case and surrounding spaces do not matter.
       * @example client@demo.test
       */
      email: string
      /**
       * Format: password
       * @description The password, compared after NFKC normalisation.
       * @example Tawthiq-demo-1
       */
      password: string
    }
    /** @description Who forgot the password, by e-mail address. */
    ResetByEmail: {
      /**
       * @description The way the reset goes. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      by: 'email'
      /**
       * Format: email
       * @description The e-mail address of the account.
       * @example client@demo.test
       */
      email: string
    }
    /**
     * @description The phone number as people write it. `0512345678`, `512345678`, `51 234 5678`, `+966512345678` and `٠٥١٢٣٤٥٦٧٨` are
     *     the same. A number of `966` must be a mobile number.
     * @example 512345678
     */
    PhoneInput: string
    /**
     * @description The country calling code. `966`, `+966`, `00966` and `٩٦٦` are the same.
     * @example 966
     */
    PhoneCodeInput: string
    /** @description Who forgot the password, by phone number. */
    ResetByPhone: {
      /**
       * @description The way the reset goes. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      by: 'phone'
      phone: components['schemas']['PhoneInput']
      phone_code: components['schemas']['PhoneCodeInput']
    }
    /** @description Who forgot the password. */
    ForgotPasswordRequest: components['schemas']['ResetByEmail'] | components['schemas']['ResetByPhone']
    /** @description A new password, and the token that came by e-mail. */
    EmailReset: {
      /**
       * @description The way the reset goes. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      by: 'email'
      /**
       * @description The token in the e-mail, where it follows `token=` in the fragment of the link. It can be used once.
       * @example q3Jm0mC0pXv1rYQ6b8mYw1cE5t2hG7kL9nRzUaVbXcY
       */
      token: string
      /**
       * @description The code that was sent to the phone number of the account, if the e-mail address was never verified. It is used up by
       *     the reset. Ignored if the address is verified.
       * @example 493027
       */
      otp?: string
      /**
       * Format: password
       * @description A password of 8 to 256 characters, in any script. It is compared after
       *     NFKC normalisation.
       *
       *     Rejected are the most common passwords (`password_common`), the e-mail address (`password_is_email`) and passwords that
       *     are easy to guess (`password_guessable`): words, names, dates and keyboard patterns in English and Arabic, alone or with
       *     a few digits or signs, and the name, e-mail address and phone number of the account. A server can also reject passwords
       *     that are known from data breaches (`password_breached`). There are no rules about kinds of characters.
       * @example olive-harbour-58-lantern
       */
      password: string
    }
    /** @description A new password, and the code that came by SMS. */
    PhoneReset: {
      /**
       * @description The way the reset goes. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      by: 'phone'
      phone: components['schemas']['PhoneInput']
      phone_code: components['schemas']['PhoneCodeInput']
      /**
       * @description The code that was sent to the number. It is used up by the reset.
       * @example 493027
       */
      otp: string
      /**
       * Format: password
       * @description A password of 8 to 256 characters, in any script. It is compared after
       *     NFKC normalisation.
       *
       *     Rejected are the most common passwords (`password_common`), the e-mail address (`password_is_email`) and passwords that
       *     are easy to guess (`password_guessable`): words, names, dates and keyboard patterns in English and Arabic, alone or with
       *     a few digits or signs, and the name, e-mail address and phone number of the account. A server can also reject passwords
       *     that are known from data breaches (`password_breached`). There are no rules about kinds of characters.
       * @example olive-harbour-58-lantern
       */
      password: string
    }
    /** @description A new password, and what proves whose account it is. */
    ResetPasswordRequest: components['schemas']['EmailReset'] | components['schemas']['PhoneReset']
    /** @description The token that releases an e-mail address. */
    ReleaseEmailRequest: {
      /**
       * @description The token in the e-mail, where it follows `token=` in the fragment of the link. It can be used once.
       * @example q3Jm0mC0pXv1rYQ6b8mYw1cE5t2hG7kL9nRzUaVbXcY
       */
      token: string
    }
    /** @description The account that a token belongs to. */
    Account: {
      /**
       * Format: int32
       * @description The number of the account. It never changes and is never given twice.
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
       * @description The kind of the account.
       * @example client
       * @enum {string}
       */
      account_type: 'client' | 'lawyer'
    }
    /** @description The account that a token belongs to. */
    AccountData: {
      account: components['schemas']['Account']
    }
    /** @description A confirmation with the token of a link. It needs no access token. */
    EmailConfirmationByToken: {
      /**
       * @description How the address is confirmed. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      by: 'token'
      /**
       * @description The token in the message, where it follows `token=` in the fragment of the link. It is valid once.
       * @example q3Jm0mC0pXv1rYQ6b8mYw1cE5t2hG7kL9nRzUaVbXcY
       */
      token: string
    }
    /** @description A confirmation with the code of the message. It needs an access token. */
    EmailConfirmationByCode: {
      /**
       * @description How the address is confirmed. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      by: 'code'
      /**
       * @description The code in the message, in digits of any script.
       * @example 493027
       */
      code: string
    }
    /** @description What proves that an e-mail address is read by the owner of the account. */
    ConfirmEmailRequest:
      components['schemas']['EmailConfirmationByToken'] | components['schemas']['EmailConfirmationByCode']
    /** @description The token that cancels or undoes a change of the e-mail address. */
    CancelEmailChangeRequest: {
      /**
       * @description The token in the message, where it follows `token=` in the fragment of the link. It is valid once.
       * @example q3Jm0mC0pXv1rYQ6b8mYw1cE5t2hG7kL9nRzUaVbXcY
       */
      token: string
    }
    /** @description What became of the change. */
    EmailCancellationData: {
      /**
       * @description True if a confirmed change was undone: all sessions have ended, and a message with a link that sets a new password was
       *     sent. False if a pending change was cancelled.
       * @example false
       */
      undone: boolean
    }
    /** @description The phone number to send a code to. */
    CheckPhoneRequest: {
      phone_code: components['schemas']['PhoneCodeInput']
      phone: components['schemas']['PhoneInput']
    }
    /** @description A phone number and the code that was sent to it. */
    ConfirmPhoneRequest: {
      phone_code: components['schemas']['PhoneCodeInput']
      phone: components['schemas']['PhoneInput']
      /**
       * @description The 6 digits of the SMS. Arabic-Indic and Persian digits are taken too.
       * @example 493027
       */
      otp: string
    }
    /** @description What a session is continued with. */
    RefreshRequest: {
      /**
       * @description The refresh token that came last.
       * @example 8XbnJXx4T0yAMSOpeMZrLwAAAACCVdUwIQbVwDPWPqzf3Mh6IhvZx-2mUjKkgMvFcDPwNA
       */
      refresh_token: string
    }
    /** @description A proof that the owner of the account sends the request. */
    ReauthenticationRequest: {
      /**
       * @description The kind of proof. More kinds may be added.
       * @example password
       * @enum {string}
       */
      method: 'password'
      /**
       * Format: password
       * @description The password, compared after NFKC normalisation.
       * @example Tawthiq-demo-1
       */
      password: string
    }
    /** @description One login on one device. */
    DeviceSession: {
      /**
       * Format: uuid
       * @description The id of the session.
       * @example 5b0e3ac7-7d2c-4b0c-8f6a-3c1d2e4f5a6b
       */
      id: string
      /**
       * @description The program and the system of the device, as its `User-Agent` names them; null when it names none.
       * @example Chrome, Windows
       */
      device: string | null
      /**
       * @description The network that the login came from. The rest of the address is hidden.
       * @example 203.0.113.*
       */
      address: string
      /**
       * Format: date-time
       * @description When the device logged in.
       * @example 2026-11-20T08:12:00.000Z
       */
      created_at: string
      /**
       * Format: date-time
       * @description When the session got its last access token.
       * @example 2026-11-21T09:30:00.000Z
       */
      last_used_at: string
      /**
       * @description True for the session that asks.
       * @example true
       */
      current: boolean
    }
    /** @description The sessions of an account. */
    SessionsData: {
      /** @description The sessions, the one used last first. */
      sessions: components['schemas']['DeviceSession'][]
    }
    /** @description What ending the other sessions came to. */
    EndedSessionsData: {
      /**
       * Format: int32
       * @description How many sessions have ended.
       * @example 2
       */
      ended: number
    }
    /** @description A public key (RFC 8037) that verifies access tokens. */
    Jwk: {
      /**
       * @description The key type.
       * @enum {string}
       */
      kty: 'OKP'
      /**
       * @description The curve.
       * @enum {string}
       */
      crv: 'Ed25519'
      /**
       * @description The public key, base64url.
       * @example 11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo
       */
      x: string
      /**
       * @description The name of the key, as in the header of a token.
       * @example k-2026-11-21-7f3a
       */
      kid: string
      /**
       * @description What the key is for.
       * @enum {string}
       */
      use: 'sig'
      /**
       * @description The algorithm.
       * @enum {string}
       */
      alg: 'EdDSA'
    }
    /** @description The public keys. The first one signs; the others verify tokens that are still alive. */
    JwkSet: components['schemas']['Jwk'][]
    /** @description The public keys that verify access tokens. */
    JwksData: {
      keys: components['schemas']['JwkSet']
    }
    /** @description Whether the account may administer. */
    AdminData: {
      /**
       * @description True when the account has administrator privileges now.
       * @example false
       */
      is_admin: boolean
    }
    /** @description A user, as the list has them. */
    UserSummary: {
      /**
       * Format: int32
       * @description The number of the account.
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
       * @description The kind of the account.
       * @example lawyer
       * @enum {string}
       */
      account_type: 'client' | 'lawyer'
      /**
       * @description Whether the account may be used.
       * @example active
       * @enum {string}
       */
      status: 'active' | 'suspended'
      /**
       * @description True when the account has administrator privileges.
       * @example false
       */
      is_admin: boolean
      /**
       * @description True when the phone number was confirmed by a code.
       * @example true
       */
      phone_verified: boolean
      /**
       * @description False from the registration until the first update of the profile as an account of this kind.
       * @example true
       */
      profile_complete: boolean
      /**
       * @description Whether the lawyer was reviewed; null for clients.
       * @example pending
       * @enum {string|null}
       */
      review_status: 'pending' | 'approved' | 'rejected' | null
      /**
       * Format: date-time
       * @description When the account was registered.
       * @example 2026-11-20T08:12:00.000Z
       */
      created_at: string
    }
    /** @description A page of the list of users. */
    UsersData: {
      /** @description The users, the newest first. */
      users: components['schemas']['UserSummary'][]
      /**
       * @description The `cursor` of the next page; null when there is none.
       * @example NDI
       */
      next_cursor: string | null
    }
    /**
     * Format: int32
     * @description An id. It is stable for ever.
     * @example 1
     */
    LookupKey: number
    /** @description The profile of a client. */
    ClientUser: {
      /**
       * Format: int32
       * @description The number of the account.
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
       * @description The national number, without the calling code. Together with `phone_code` it is the whole number.
       * @example 500000001
       */
      phone: string
      /**
       * @description The country calling code, digits only.
       * @example 966
       */
      phone_code: string
      /**
       * @description The kind of the account. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      account_type: 'client'
      /**
       * @description The gender. Like the fields of the address and the nationality it is null until the profile is complete.
       * @example Female
       * @enum {string|null}
       */
      gender: 'Male' | 'Female' | null
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
       * Format: int32
       * @description The user type: 1 individual, 2 institution, 3 company, 4 government body, 5 authority.
       * @example 1
       * @enum {integer|null}
       */
      type: 1 | 2 | 3 | 4 | 5 | null
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
       * @description A link to the profile photo, or null when there is none. Links to files are relative to the server, and are good for 15 minutes.
       * @example /api/v1/files/0f0e5cc8-6d5b-4e51-9c38-2a0a4f1f1c55?expires=1795254300&signature=q3Jm0mC0pXv1rYQ6b8mYw1cE5t2hG7kL9nRzUaVbXcY
       */
      profile_photo: string | null
      /**
       * @description Whether the phone number is verified. A reset of the password by e-mail can make it false, until a code confirms the number again.
       * @example true
       */
      phone_verified: boolean
      /**
       * @description True when the e-mail address was confirmed by a link or a code.
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
       * @description False from the registration until the first update of the profile as an account of this kind.
       * @example true
       */
      profile_complete: boolean
      /**
       * Format: date-time
       * @description When the account will be deleted; null unless its owner asked for that.
       * @example null
       */
      deletion_due_at: string | null
    }
    /** @description The profile of a lawyer. */
    LawyerUser: {
      /**
       * Format: int32
       * @description The number of the account.
       * @example 2
       */
      id: number
      /**
       * @description The full name, made of the four names.
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
       * @description The national number, without the calling code. Together with `phone_code` it is the whole number.
       * @example 500000002
       */
      phone: string
      /**
       * @description The country calling code, digits only.
       * @example 966
       */
      phone_code: string
      /**
       * @description The kind of the account. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      account_type: 'lawyer'
      /**
       * @description The gender. Like the fields of the address and the nationality it is null until the profile is complete.
       * @example Male
       * @enum {string|null}
       */
      gender: 'Male' | 'Female' | null
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
       * Format: int32
       * @description The user type: 1 individual, 2 institution, 3 company, 4 government body, 5 authority.
       * @example 1
       * @enum {integer|null}
       */
      type: 1 | 2 | 3 | 4 | 5 | null
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
       * @description A link to the profile photo, or null when there is none. Links to files are relative to the server, and are good for 15 minutes.
       * @example /api/v1/files/0f0e5cc8-6d5b-4e51-9c38-2a0a4f1f1c55?expires=1795254300&signature=q3Jm0mC0pXv1rYQ6b8mYw1cE5t2hG7kL9nRzUaVbXcY
       */
      profile_photo: string | null
      /**
       * @description Whether the phone number is verified. A reset of the password by e-mail can make it false, until a code confirms the number again.
       * @example true
       */
      phone_verified: boolean
      /**
       * @description True when the e-mail address was confirmed by a link or a code.
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
       * @description False from the registration until the first update of the profile as an account of this kind.
       * @example true
       */
      profile_complete: boolean
      /**
       * Format: date-time
       * @description When the account will be deleted; null unless its owner asked for that.
       * @example null
       */
      deletion_due_at: string | null
      /**
       * @description The first name. Like the other fields of a lawyer it is null until it was given.
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
       * @description A text about the lawyer.
       * @example محامٍ متخصص في القضايا التجارية.
       */
      about: string | null
      /**
       * @description The number of the identity document.
       * @example 1012345672
       */
      national_id: string | null
      /**
       * Format: int32
       * @description The kind of the identity document: 1 national ID, 2 passport, 3 resident ID.
       * @example 1
       * @enum {integer|null}
       */
      identity_type: 1 | 2 | 3 | null
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
       * @description The degree in words, where it is another one.
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
       * @description The specialty within the general one, an id of its lookup.
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
       *       40
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
       * @description The number of the licence for each section, by the id of the section.
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
       * @description The number of the licence of the company.
       * @example 1010123456
       */
      company_licences_no: string | null
      /**
       * Format: uri-reference
       * @description A link to the image of the identity document. It is opened with the token.
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
       * @description Whether the lawyer was reviewed. Who changes what was reviewed is pending again: see `PUT /api/v1/profile`.
       * @example rejected
       * @enum {string}
       */
      review_status: 'pending' | 'approved' | 'rejected'
      /**
       * @description Why the lawyer was rejected; null otherwise.
       * @example صورة الهوية غير واضحة.
       */
      review_reason: string | null
    }
    /** @description A profile, by account_type. */
    User: components['schemas']['ClientUser'] | components['schemas']['LawyerUser']
    /** @description What is known of an account besides its profile. */
    AccountState: {
      /**
       * Format: int32
       * @description The number of the account.
       * @example 2
       */
      id: number
      /**
       * @description Whether the account may be used.
       * @example active
       * @enum {string}
       */
      status: 'active' | 'suspended'
      /**
       * @description True when the account has administrator privileges.
       * @example false
       */
      is_admin: boolean
      /**
       * Format: date-time
       * @description When the account was registered.
       * @example 2026-11-20T08:12:00.000Z
       */
      created_at: string
      /**
       * Format: date-time
       * @description Since when the account is suspended; null when it is not.
       * @example 2026-11-21T09:30:00.000Z
       */
      suspended_at: string | null
      /**
       * @description Why the account is suspended. The user is not told.
       * @example انتحال صفة محامٍ آخر.
       */
      suspension_reason: string | null
      /**
       * Format: int32
       * @description On how many devices the account is logged in.
       * @example 2
       */
      sessions: number
    }
    /** @description The profile of a user, and the state of the account. */
    UserDetailsData: {
      user: components['schemas']['User']
      account: components['schemas']['AccountState']
      /**
       * Format: int32
       * @description How often what is reviewed has changed; null for clients. Send it with the review, so that nobody is approved for what
       *     they have changed since.
       * @example 3
       */
      review_version: number | null
      /**
       * @description Whether `national_id` has the form that `identity_type` requires. Only the form is checked: a plausible number need
       *     not have been issued. null for clients, and for lawyers without a `national_id`.
       *
       *     | `identity_type` | Plausible form |
       *     |---|---|
       *     | 1, national ID | 10 digits, the first is 1, with a correct check digit (Luhn algorithm) |
       *     | 2, passport | 6 to 9 Latin letters and digits, at least one digit |
       *     | 3, resident ID | 10 digits, the first is 2, with a correct check digit (Luhn algorithm) |
       * @example plausible
       * @enum {string|null}
       */
      national_id_check: 'plausible' | 'implausible' | null
      /**
       * @description The ids of other accounts with the same `national_id`, whatever their `identity_type`, or with the same licence number
       *     in the same section, in ascending order. At most 10 are listed. Letter case is ignored;
       *     in licence numbers also spaces and the script of digits. Suspended accounts and clients who were lawyers are included.
       *     Empty for clients.
       * @example [
       *       12,
       *       15
       *     ]
       */
      duplicate_of: number[]
    }
    /** @description Why an account is suspended or restored. */
    ReasonRequest: {
      /**
       * @description The reason, for those who administer. It is kept in the audit trail.
       * @example انتحال صفة محامٍ آخر.
       */
      reason: string
    }
    /** @description The state of an account. */
    AccountStateData: {
      account: components['schemas']['AccountState']
    }
    /** @description The lawyer is approved as one. */
    Approval: {
      /**
       * @description The decision. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      decision: 'approved'
      /**
       * @description A note for those who administer. It is kept in the audit trail, and the lawyer does not see it.
       * @example تم التحقق من الرخصة.
       */
      reason?: string
      /**
       * Format: int32
       * @description The `review_version` of the user details that the decision is based on. Returns `outdated` if the reviewed data has
       *     changed since.
       * @example 3
       */
      review_version: number
    }
    /** @description The lawyer cannot be approved. */
    Rejection: {
      /**
       * @description The decision. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      decision: 'rejected'
      /**
       * @description Why, in words for the lawyer, who sees it as `review_reason`.
       * @example صورة الهوية غير واضحة.
       */
      reason: string
      /**
       * Format: int32
       * @description The `review_version` of the user details that the decision is based on. Returns `outdated` if the reviewed data has
       *     changed since.
       * @example 3
       */
      review_version: number
    }
    /** @description A review, by decision. */
    ReviewRequest: components['schemas']['Approval'] | components['schemas']['Rejection']
    /** @description How a lawyer was reviewed. */
    ReviewData: {
      /**
       * Format: int32
       * @description The number of the account.
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
       * @description The reason of a rejection, as the lawyer sees it.
       * @example صورة الهوية غير واضحة.
       */
      review_reason: string | null
    }
    /** @description Something that happened to an account, or was tried. */
    AuditEvent: {
      /**
       * @description The number of the event.
       * @example 4711
       */
      id: string
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-11-20T08:12:00.000Z
       */
      at: string
      /**
       * @description What happened.
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
        | 'admin_refused'
        | 'admin_granted'
        | 'admin_revoked'
        | 'files_swept'
        | 'files_sweep_stopped'
      /**
       * Format: int32
       * @description The account that it happened to; null where there is none, as at a login with an unknown address.
       * @example 2
       */
      account_id: number | null
      /**
       * Format: int32
       * @description The administrator who did it; null where people do something to an account of their own.
       * @example 3
       */
      actor_id: number | null
      /**
       * @description What it is about: the address or the number that was meant, masked, or the kind of a file; `command line` where an
       *     operator did it on the server; for a sweep of the file store, its counts; for a list that an administrator has read, the
       *     filters and, for users, the ids that were returned; for a review of a lawyer with an implausible `national_id` or with
       *     duplicates, `national_id_check` and `duplicate_of`. The text of a search is not stored, only its kind.
       * @example l***@demo.test
       */
      subject: string | null
      /**
       * @description Why, in the words of who did it.
       * @example انتحال صفة محامٍ آخر.
       */
      reason: string | null
      /**
       * @description The network that it came from. The rest of the address is hidden.
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
    AuditData: {
      /** @description The events, the newest first. */
      events: components['schemas']['AuditEvent'][]
      /**
       * @description The `cursor` of the next page; null when there is none.
       * @example NDI
       */
      next_cursor: string | null
    }
    /** @description The account that was registered. */
    RegisteredEventData: {
      /**
       * Format: int32
       * @description The number of the account, which is the `id` of its profile.
       * @example 2
       */
      account_id: number
      /**
       * @description What the account is.
       * @example lawyer
       * @enum {string}
       */
      account_type: 'client' | 'lawyer'
      /**
       * @description Whether its phone number was confirmed by a code.
       * @example true
       */
      phone_verified: boolean
    }
    /** @description An account was registered. */
    AccountRegisteredEvent: {
      /**
       * @description What happened. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'account.registered'
      /**
       * Format: date-time
       * @description When it happened. Events may arrive in another order.
       * @example 2026-11-20T08:12:00.000Z
       */
      timestamp: string
      data: components['schemas']['RegisteredEventData']
    }
    /** @description Whom it happened to. */
    AccountEventData: {
      /**
       * Format: int32
       * @description The number of the account, which is the `id` of its profile.
       * @example 2
       */
      account_id: number
    }
    /** @description The number of an account was confirmed by a code. */
    PhoneConfirmedEvent: {
      /**
       * @description What happened. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'phone.confirmed'
      /**
       * Format: date-time
       * @description When it happened. Events may arrive in another order.
       * @example 2026-11-20T08:12:00.000Z
       */
      timestamp: string
      data: components['schemas']['AccountEventData']
    }
    /** @description The account, and what is left of its review. */
    UpdatedEventData: {
      /**
       * Format: int32
       * @description The number of the account, which is the `id` of its profile.
       * @example 2
       */
      account_id: number
      /**
       * @description What the account is now.
       * @example lawyer
       * @enum {string}
       */
      account_type: 'client' | 'lawyer'
      /**
       * @description Where the review of the lawyer stands after the update, which can undo an approval; null for clients.
       * @example pending
       * @enum {string|null}
       */
      review_status: 'pending' | 'approved' | 'rejected' | null
    }
    /** @description A profile was updated. */
    ProfileUpdatedEvent: {
      /**
       * @description What happened. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'profile.updated'
      /**
       * Format: date-time
       * @description When it happened. Events may arrive in another order.
       * @example 2026-11-20T08:12:00.000Z
       */
      timestamp: string
      data: components['schemas']['UpdatedEventData']
    }
    /** @description The lawyer, and how the review ended. */
    ReviewedEventData: {
      /**
       * Format: int32
       * @description The number of the account, which is the `id` of its profile.
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
       * @description What happened. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'lawyer.reviewed'
      /**
       * Format: date-time
       * @description When it happened. Events may arrive in another order.
       * @example 2026-11-20T08:12:00.000Z
       */
      timestamp: string
      data: components['schemas']['ReviewedEventData']
    }
    /** @description An account was suspended. */
    AccountSuspendedEvent: {
      /**
       * @description What happened. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'account.suspended'
      /**
       * Format: date-time
       * @description When it happened. Events may arrive in another order.
       * @example 2026-11-20T08:12:00.000Z
       */
      timestamp: string
      data: components['schemas']['AccountEventData']
    }
    /** @description A suspended account may be used again. */
    AccountRestoredEvent: {
      /**
       * @description What happened. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'account.restored'
      /**
       * Format: date-time
       * @description When it happened. Events may arrive in another order.
       * @example 2026-11-20T08:12:00.000Z
       */
      timestamp: string
      data: components['schemas']['AccountEventData']
    }
    /** @description An account and its personal data were erased. */
    AccountDeletedEvent: {
      /**
       * @description What happened. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'account.deleted'
      /**
       * Format: date-time
       * @description When it happened. Events may arrive in another order.
       * @example 2026-11-20T08:12:00.000Z
       */
      timestamp: string
      data: components['schemas']['AccountEventData']
    }
    /** @description Something that happened to an account, as it is posted to your systems. */
    Event:
      | components['schemas']['AccountRegisteredEvent']
      | components['schemas']['PhoneConfirmedEvent']
      | components['schemas']['ProfileUpdatedEvent']
      | components['schemas']['LawyerReviewedEvent']
      | components['schemas']['AccountSuspendedEvent']
      | components['schemas']['AccountRestoredEvent']
      | components['schemas']['AccountDeletedEvent']
    /** @description An event, and how far it has come. */
    EventDelivery: {
      /**
       * Format: uuid
       * @description The id of the event, which every attempt carries as `webhook-id`.
       * @example 0199a3c4-5b6d-4e7f-8a9b-0c1d2e3f4a5b
       */
      id: string
      /**
       * @description `waiting` for an attempt, `delivered`, `failed` when all attempts have failed, and `unsent` when it happened while
       *     nobody was to be told.
       * @example delivered
       * @enum {string}
       */
      state: 'waiting' | 'delivered' | 'failed' | 'unsent'
      event: components['schemas']['Event']
      /**
       * Format: int32
       * @description How often it was posted, since it happened or was last replayed.
       * @example 1
       */
      attempts: number
      /**
       * Format: date-time
       * @description When it was last posted.
       * @example 2026-11-21T09:30:00.000Z
       */
      last_attempt_at: string | null
      /**
       * @description What was wrong with the last attempt; null when nothing was.
       * @example answered 500
       */
      last_failure: string | null
      /**
       * Format: date-time
       * @description When it is posted next, at the earliest; null when it is not.
       * @example 2026-11-21T09:30:00.000Z
       */
      next_attempt_at: string | null
      /**
       * Format: date-time
       * @description When it was taken; null while it was not.
       * @example 2026-11-21T09:30:00.000Z
       */
      delivered_at: string | null
    }
    /** @description A page of the events that are kept. */
    EventsData: {
      /** @description The events, the newest first. */
      events: components['schemas']['EventDelivery'][]
      /**
       * @description The `cursor` of the next page; null when there is none.
       * @example NDI
       */
      next_cursor: string | null
    }
    /** @description One event, by its id. */
    ReplayOfEvent: {
      /**
       * @description How the events are chosen. (enum property replaced by openapi-typescript)
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
    /** @description The events of some time. */
    ReplayOfTime: {
      /**
       * @description How the events are chosen. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      by: 'time'
      /**
       * Format: date-time
       * @description Only what happened at this time or later.
       * @example 2026-11-20T08:12:00.000Z
       */
      since: string
      /**
       * Format: date-time
       * @description Only what happened before this time.
       * @example 2026-11-20T08:12:00.000Z
       */
      until?: string
      /**
       * @description Only events in this state. Those that wait are posted anyway.
       * @example failed
       * @enum {string}
       */
      state?: 'delivered' | 'failed' | 'unsent'
    }
    /** @description Which events are posted again. */
    ReplayRequest: components['schemas']['ReplayOfEvent'] | components['schemas']['ReplayOfTime']
    /** @description What the replay came to. */
    ReplayData: {
      /**
       * Format: int32
       * @description How many events are posted again.
       * @example 12
       */
      replayed: number
      /**
       * Format: date-time
       * @description Where another replay goes on, as its `since`, when there were too many for one; null when there were not.
       * @example 2026-11-21T09:30:00.000Z
       */
      next_since: string | null
    }
    /** @description The profile of the account that asks. */
    UserData: {
      user: components['schemas']['User']
    }
    /**
     * @description The profile of a client. An optional field that does not come stays as it is. Fields of a lawyer's form and the
     *     read-only members of the profile are ignored.
     */
    ClientProfileForm: {
      /**
       * @description The kind of the account. Another one than before makes it an account of that kind. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      account_type: 'client'
      /**
       * Format: email
       * @description The e-mail address, unique. It is kept in lower case and without spaces around it.
       * @example client@demo.test
       */
      email: string
      phone: components['schemas']['PhoneInput']
      phone_code: components['schemas']['PhoneCodeInput']
      /**
       * @description The code that was sent to the new number by `POST /api/v1/auth/check-phone`. It is required when the number changes
       *     and `phone_code` is 966, and is used up by the change.
       * @example 493027
       */
      otp?: string
      /**
       * Format: password
       * @description A new password of 8 to 256 characters, with the same rules as at
       *     `POST /api/v1/auth/register`. All other sessions end with it.
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
       * @description The user type: 1 individual, 2 institution, 3 company, 4 government body, 5 authority.
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
     * @description A JPEG, PNG or WebP image of at most 5 MB and 25 megapixels, whose sides
     *     have at most 10000 pixels; no animation. Where its rows cannot be decoded one after the other, its
     *     pixels may take at most 75 MB of memory. That is 10 megapixels of a WebP, and fewer of an
     *     interlaced PNG, a progressive JPEG or a photo on its side only where it has alpha, 16 bits or all colours of each pixel.
     *
     *     It is made anew from its pixels: what the file says beside them, such as where a photo was taken, is not kept. A WebP is
     *     kept as a JPEG, or as a PNG where it has alpha.
     */
    ImageUpload: Upload
    /**
     * Format: binary
     * @description A PDF, or a JPEG, PNG or WebP image, of at most 10 MB. For an image the limits of pixels are
     *     those of `ImageUpload`, and it is made anew from its pixels.
     *     A PDF with JavaScript, a launch action, embedded files or an XFA form is rejected as `file_active_content`, an encrypted
     *     one as `file_encrypted`.
     */
    DocumentUpload: Upload
    /**
     * @description The profile of a lawyer. An optional field that does not come stays as it is, and an empty one is cleared; files are never
     *     cleared by leaving them out. Fields of a client's form and the read-only members of the profile are ignored.
     *
     *     Files that are on file need not come again, unless what governs them has changed: `national_id_image` (with
     *     `identity_type` or `national_id`), `degree_certificate` (with `degree`, where the degree has `need_certificate`) and
     *     `company_license_file` (with `type` or `company_licences_no`, where `type` is 2 or 3).
     */
    LawyerProfileForm: {
      /**
       * @description The kind of the account. Another one than before makes it an account of that kind. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      account_type: 'lawyer'
      /**
       * Format: email
       * @description The e-mail address, unique. It is kept in lower case and without spaces around it.
       * @example lawyer@demo.test
       */
      email: string
      phone: components['schemas']['PhoneInput']
      phone_code: components['schemas']['PhoneCodeInput']
      /**
       * @description The code that was sent to the new number by `POST /api/v1/auth/check-phone`. It is required when the number changes
       *     and `phone_code` is 966, and is used up by the change.
       * @example 493027
       */
      otp?: string
      /**
       * Format: password
       * @description A new password of 8 to 256 characters, with the same rules as at
       *     `POST /api/v1/auth/register`. All other sessions end with it.
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
       * @description The user type: 1 individual, 2 institution, 3 company, 4 government body, 5 authority.
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
       * @description A text about the lawyer.
       * @example محامٍ متخصص في القضايا التجارية.
       */
      about: string
      /**
       * @description The number of the identity document. If the operator has set `NATIONAL_ID_CHECK=strict`, a number that is not plausible
       *     for its `identity_type` is rejected as `national_id_implausible`; the stored number with the stored type is always
       *     accepted. The plausible forms are those of `national_id_check` in `GET /api/v1/admin/users/{user_id}`.
       * @example 1012345672
       */
      national_id: string
      /**
       * Format: int32
       * @description The kind of the identity document: 1 national ID, 2 passport, 3 resident ID.
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
       * @description The year of birth in the Gregorian calendar; a Hijri year is refused as `date_not_gregorian`. The age is 18 to 120 years.
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
       * @description The degree in words. Required if `degree` is 4, and ignored otherwise.
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
       * @description The specialty, an id of `GET /api/v1/lookups/accurate-specialties` in the general one.
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
       *       40
       *     ]
       */
      languages: number[]
      /**
       * @description The sections of the digital guide, ids within `GET /api/v1/lookups/digital-guide-categories`. Sent empty, as
       *     `sections=` or `[]`, they clear the licences.
       * @example [
       *       101,
       *       102
       *     ]
       */
      sections?: number[]
      /**
       * @description The number of the licence for each section, by the id of the section. Required with `sections`, and the keys are the
       *     same. In a form it is sent as `license_no[101]`, or as JSON.
       * @example {
       *       "101": "38/1234",
       *       "102": "39/5678"
       *     }
       */
      license_no?: {
        [key: string]: string
      }
      /**
       * @description The name of the company or body. Required when `type` is 2, 3, 4 or 5.
       * @example مكتب القحطاني للمحاماة
       */
      company_name?: string
      /**
       * @description The number of the licence of the company. Required when `type` is 2 or 3.
       * @example 1010123456
       */
      company_licences_no?: string
      company_license_file?: components['schemas']['DocumentUpload']
      cv_file?: components['schemas']['DocumentUpload']
      logo?: components['schemas']['ImageUpload']
    }
    /** @description A profile, by account_type. */
    UpdateProfileRequest: components['schemas']['ClientProfileForm'] | components['schemas']['LawyerProfileForm']
    /** @description The present password and the new one. */
    ChangePasswordRequest: {
      /**
       * Format: password
       * @description The present password, compared after NFKC normalisation.
       * @example Tawthiq-demo-1
       */
      current_password: string
      /**
       * Format: password
       * @description A password of 8 to 256 characters, in any script. It is compared after
       *     NFKC normalisation.
       *
       *     Rejected are the most common passwords (`password_common`), the e-mail address (`password_is_email`) and passwords that
       *     are easy to guess (`password_guessable`): words, names, dates and keyboard patterns in English and Arabic, alone or with
       *     a few digits or signs, and the name, e-mail address and phone number of the account. A server can also reject passwords
       *     that are known from data breaches (`password_breached`). There are no rules about kinds of characters.
       * @example olive-harbour-58-lantern
       */
      new_password: string
    }
    /** @description What proves that the owner asks. */
    DeletionRequest: {
      /**
       * Format: password
       * @description The password, compared after NFKC normalisation.
       * @example Tawthiq-demo-1
       */
      password: string
    }
    /** @description When the account will be deleted. */
    DeletionData: {
      /**
       * Format: date-time
       * @description From when on the account may be gone.
       * @example 2026-11-20T08:12:00.000Z
       */
      deletion_due_at: string
    }
    /** @description An account besides its profile. */
    ExportedAccount: {
      /**
       * Format: int32
       * @description The number of the account.
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
       * @description True when the phone number was confirmed by a code.
       * @example true
       */
      phone_verified: boolean
      /**
       * @description True when the e-mail address was confirmed by a link or a code.
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
       * @description The kind of the account.
       * @example client
       * @enum {string}
       */
      account_type: 'client' | 'lawyer'
      /**
       * @description Whether the account may be used.
       * @example active
       * @enum {string}
       */
      status: 'active' | 'suspended'
      /**
       * @description True when the account has administrator privileges.
       * @example false
       */
      is_admin: boolean
      /**
       * Format: date-time
       * @description When the account was registered.
       * @example 2026-11-20T08:12:00.000Z
       */
      created_at: string
      /**
       * Format: date-time
       * @description When the account will be deleted; null unless its owner asked for that.
       * @example 2026-11-21T09:30:00.000Z
       */
      deletion_due_at: string | null
    }
    /** @description A file of the profile. */
    ExportedFile: {
      /**
       * @description The field of the profile that it belongs to.
       * @example profile_photo
       * @enum {string}
       */
      kind: 'profile_photo' | 'national_id_image' | 'degree_certificate' | 'cv_file' | 'company_license_file' | 'logo'
      /**
       * @description The name of the file in the archive; null when it is missing.
       * @example files/profile_photo.jpg
       */
      name: string | null
      /**
       * @description What the file is.
       * @example image/jpeg
       * @enum {string}
       */
      media_type: 'image/jpeg' | 'image/png' | 'image/webp' | 'application/pdf'
      /**
       * Format: int32
       * @description How many bytes the file has.
       * @example 48213
       */
      bytes: number
      /**
       * Format: date-time
       * @description When the file was uploaded.
       * @example 2026-11-20T08:12:00.000Z
       */
      uploaded_at: string
      /**
       * @description True when the storage has lost the file, so that it is not in the archive.
       * @example false
       */
      missing: boolean
    }
    /** @description One login on one device, in a copy of the account. */
    ExportedSession: {
      /**
       * Format: uuid
       * @description The id of the session.
       * @example 5b0e3ac7-7d2c-4b0c-8f6a-3c1d2e4f5a6b
       */
      id: string
      /**
       * @description The program and the system of the device, as its `User-Agent` names them; null when it names none.
       * @example Chrome, Windows
       */
      device: string | null
      /**
       * @description The network that the login came from. The rest of the address is hidden.
       * @example 203.0.113.*
       */
      address: string
      /**
       * Format: date-time
       * @description When the device logged in.
       * @example 2026-11-20T08:12:00.000Z
       */
      created_at: string
      /**
       * Format: date-time
       * @description When the session got its last access token.
       * @example 2026-11-21T09:30:00.000Z
       */
      last_used_at: string
      /**
       * @description True for the session that asks.
       * @example true
       */
      current: boolean
      /**
       * Format: date-time
       * @description When the session was ended; null when it was not.
       * @example 2026-11-21T09:30:00.000Z
       */
      ended_at: string | null
    }
    /** @description Something that happened to the account, or was tried. */
    ExportedEvent: {
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-11-20T08:12:00.000Z
       */
      at: string
      /**
       * @description What happened.
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
        | 'admin_refused'
        | 'admin_granted'
        | 'admin_revoked'
        | 'files_swept'
        | 'files_sweep_stopped'
      /**
       * @description What it is about: the address or the number that was meant, masked, or the kind of a file; `command line` where an
       *     operator did it on the server. null for the review of a lawyer.
       * @example c***@demo.test
       */
      subject: string | null
      /**
       * @description The network that it came from, null where an administrator did it. The rest of the address is hidden.
       * @example 203.0.113.*
       */
      address: string | null
      /**
       * @description True when an administrator did it.
       * @example false
       */
      by_administrator: boolean
    }
    /**
     * @description A copy of what is kept of an account: `account.json` in the archive of an export. In place of links, profiles have the
     *     names of files in the archive.
     */
    AccountExport: {
      /**
       * Format: date-time
       * @description When the copy was made.
       * @example 2026-11-20T08:12:00.000Z
       */
      exported_at: string
      account: components['schemas']['ExportedAccount']
      profile: components['schemas']['User']
      /** @description The profile as a lawyer, where it is kept of an account that is a client's now; null otherwise. */
      lawyer_profile: components['schemas']['LawyerUser'] | null
      /** @description The files of the profile. */
      files: components['schemas']['ExportedFile'][]
      /** @description The sessions, those that have ended included, the one used last first. */
      sessions: components['schemas']['ExportedSession'][]
      /** @description What happened to the account, the newest first. */
      events: components['schemas']['ExportedEvent'][]
    }
    /**
     * Format: binary
     * @description The bytes of a file.
     */
    FileBytes: Upload
    /**
     * Format: binary
     * @description A ZIP archive. `contentSchema` has what is in it, by name.
     */
    AccountArchive: Upload
    /**
     * @description The name in the language of `Content-Language`.
     * @example الرياض
     */
    LookupName: string
    /**
     * @description The name in Arabic, whatever was asked for.
     * @example الرياض
     */
    LookupNameAr: string
    /**
     * @description The name in English, whatever was asked for.
     * @example Riyadh
     */
    LookupNameEn: string
    /** @description A kind of account, with its names. */
    AccountTypeItem: {
      /**
       * @description The value as it is sent.
       * @example client
       * @enum {string}
       */
      value: 'client' | 'lawyer'
      name: components['schemas']['LookupName']
      name_ar: components['schemas']['LookupNameAr']
      name_en: components['schemas']['LookupNameEn']
    }
    /** @description A gender, with its names. */
    GenderItem: {
      /**
       * @description The value as it is sent.
       * @example Female
       * @enum {string}
       */
      value: 'Male' | 'Female'
      name: components['schemas']['LookupName']
      name_ar: components['schemas']['LookupNameAr']
      name_en: components['schemas']['LookupNameEn']
    }
    /** @description A user type, with its names. */
    UserTypeItem: {
      /**
       * Format: int32
       * @description The value as it is sent.
       * @example 1
       * @enum {integer}
       */
      value: 1 | 2 | 3 | 4 | 5
      name: components['schemas']['LookupName']
      name_ar: components['schemas']['LookupNameAr']
      name_en: components['schemas']['LookupNameEn']
    }
    /** @description A kind of identity document. */
    IdentityTypeItem: {
      /**
       * Format: int32
       * @description The value as it is sent.
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
      id: components['schemas']['LookupKey']
      name: components['schemas']['LookupName']
      name_ar: components['schemas']['LookupNameAr']
      name_en: components['schemas']['LookupNameEn']
      iso2: components['schemas']['Iso2']
      /**
       * @description The calling code, digits only; null where there is no telephone.
       * @example 966
       */
      phone_code: string | null
    }
    /** @description The countries, sorted by name. What stands for all others comes last. */
    Countries: components['schemas']['Country'][]
    /** @description A nationality. Its id is the numeric code of the country. */
    Nationality: {
      id: components['schemas']['LookupKey']
      name: components['schemas']['LookupName']
      name_ar: components['schemas']['LookupNameAr']
      name_en: components['schemas']['LookupNameEn']
      iso2: components['schemas']['Iso2']
    }
    /** @description The nationalities, sorted by name. What stands for all others comes last. */
    Nationalities: components['schemas']['Nationality'][]
    /** @description A degree. The one with id 4 is another one, which `other_degree` names. */
    Degree: {
      id: components['schemas']['LookupKey']
      name: components['schemas']['LookupName']
      name_ar: components['schemas']['LookupNameAr']
      name_en: components['schemas']['LookupNameEn']
      /**
       * @description Whether `degree_certificate` is required with it.
       * @example true
       */
      need_certificate: boolean
    }
    /** @description The degrees, sorted by name. What stands for all others comes last. */
    Degrees: components['schemas']['Degree'][]
    /** @description A general specialty. */
    GeneralSpecialty: {
      id: components['schemas']['LookupKey']
      name: components['schemas']['LookupName']
      name_ar: components['schemas']['LookupNameAr']
      name_en: components['schemas']['LookupNameEn']
    }
    /** @description The general specialties, sorted by name. What stands for all others comes last. */
    GeneralSpecialties: components['schemas']['GeneralSpecialty'][]
    /** @description A specialty within a general one. */
    AccurateSpecialty: {
      id: components['schemas']['LookupKey']
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
    /** @description The accurate specialties, sorted by name. What stands for all others comes last. */
    AccurateSpecialties: components['schemas']['AccurateSpecialty'][]
    /** @description An employment status. */
    FunctionalCase: {
      id: components['schemas']['LookupKey']
      name: components['schemas']['LookupName']
      name_ar: components['schemas']['LookupNameAr']
      name_en: components['schemas']['LookupNameEn']
    }
    /** @description The functional cases, sorted by name. What stands for all others comes last. */
    FunctionalCases: components['schemas']['FunctionalCase'][]
    /** @description A language of ISO 639-1. */
    Language: {
      id: components['schemas']['LookupKey']
      name: components['schemas']['LookupName']
      name_ar: components['schemas']['LookupNameAr']
      name_en: components['schemas']['LookupNameEn']
      /**
       * @description The code of the language, ISO 639-1.
       * @example ar
       */
      iso: string
    }
    /** @description The languages, sorted by name. What stands for all others comes last. */
    Languages: components['schemas']['Language'][]
    /** @description A section of the digital guide, which a lawyer has a licence for. */
    DigitalGuideSection: {
      id: components['schemas']['LookupKey']
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
      id: components['schemas']['LookupKey']
      name: components['schemas']['LookupName']
      name_ar: components['schemas']['LookupNameAr']
      name_en: components['schemas']['LookupNameEn']
      /** @description The sections of the category. */
      sections: components['schemas']['DigitalGuideSection'][]
    }
    /** @description The digital guide categories, sorted by name. What stands for all others comes last. */
    DigitalGuideCategories: components['schemas']['DigitalGuideCategory'][]
    /** @description What a profile form chooses from, by set. */
    LookupsData: {
      /** @description The values of `account_type`. */
      account_types: components['schemas']['AccountTypeItem'][]
      /** @description The values of `gender`. */
      genders: components['schemas']['GenderItem'][]
      /** @description The values of `type`. */
      types: components['schemas']['UserTypeItem'][]
      /** @description The values of `identity_type`. */
      identity_types: components['schemas']['IdentityTypeItem'][]
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
    CountriesData: {
      items: components['schemas']['Countries']
    }
    /** @description A region of a country. A country without regions of its own has one that is all of it. */
    Region: {
      id: components['schemas']['LookupKey']
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
    /** @description The regions, sorted by name. What stands for all others comes last. */
    Regions: components['schemas']['Region'][]
    /** @description The list of the regions. */
    RegionsData: {
      items: components['schemas']['Regions']
    }
    /** @description A city of a region. Each region has one for those who do not find theirs. */
    City: {
      id: components['schemas']['LookupKey']
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
    /** @description The cities, sorted by name. What stands for all others comes last. */
    Cities: components['schemas']['City'][]
    /** @description The list of the cities. */
    CitiesData: {
      items: components['schemas']['Cities']
    }
    /** @description The list of the nationalities. */
    NationalitiesData: {
      items: components['schemas']['Nationalities']
    }
    /** @description The list of the degrees. */
    DegreesData: {
      items: components['schemas']['Degrees']
    }
    /** @description The general specialties. */
    GeneralSpecialtiesData: {
      items: components['schemas']['GeneralSpecialties']
    }
    /** @description The accurate specialties. */
    AccurateSpecialtiesData: {
      items: components['schemas']['AccurateSpecialties']
    }
    /** @description The functional cases. */
    FunctionalCasesData: {
      items: components['schemas']['FunctionalCases']
    }
    /** @description The list of the languages. */
    LanguagesData: {
      items: components['schemas']['Languages']
    }
    /** @description The digital guide categories. */
    DigitalGuideCategoriesData: {
      items: components['schemas']['DigitalGuideCategories']
    }
    /**
     * @description A sentence for people, in the language of `Content-Language`.
     * @example تمت العملية بنجاح.
     */
    Message: string
    /**
     * @description The stable word of what is wrong with a field, sent in `data.codes` of a 422. Words are added, never renamed.
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
      | 'phone_code_unknown'
      | 'phone_code_mismatch'
      | 'country_not_served'
      | 'phone_taken'
      | 'otp_wrong'
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
      | 'reset_phone_missing'
      | 'password_wrong'
      | 'password_common'
      | 'password_guessable'
      | 'password_breached'
      | 'password_is_email'
      | 'password_too_long'
      | 'file_type_not_allowed'
      | 'file_unreadable'
      | 'file_active_content'
      | 'file_encrypted'
      | 'file_too_large'
      | 'image_too_large'
      | 'own_account'
      | 'not_a_lawyer'
      | 'profile_incomplete'
      | 'outdated'
    /**
     * @description What is wrong, by field. A member of a field is named by a path with dots, and the body as a whole by `body`. The two
     *     maps have the same keys, and their lists the same order.
     */
    FieldErrors: {
      /**
       * @description Sentences for people, by field.
       * @example {
       *       "phone": [
       *         "رقم الهاتف مسجل من قبل."
       *       ]
       *     }
       */
      errors: {
        [key: string]: string[]
      }
      /**
       * @description Words for programs, by field.
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
    /** @description The account is there, with the tokens of its first session. */
    RegisterAnswer: {
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
      data: components['schemas']['LoginTokens']
    }
    /** @description Logged in, with the tokens of the session. */
    LoginAnswer: {
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
      data: components['schemas']['LoginTokens']
    }
    /** @description If there is such an account, the message is on its way. */
    RequestPasswordResetAnswer: {
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
    /** @description The password is the new one, and all sessions have ended. */
    ResetPasswordAnswer: {
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
    /** @description The account no longer has the address. */
    ReleaseEmailAnswer: {
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
    CheckTokenAnswer: {
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
      data: components['schemas']['AccountData']
    }
    /** @description If there is an address to verify, the message is on its way. */
    RequestEmailVerificationAnswer: {
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
    ConfirmEmailAnswer: {
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
    /** @description The address stays, or is the old one again. */
    CancelEmailChangeAnswer: {
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
      data: components['schemas']['EmailCancellationData']
    }
    /** @description The code was sent by SMS. */
    CheckPhoneAnswer: {
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
    ConfirmPhoneAnswer: {
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
    RefreshTokenAnswer: {
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
      data: components['schemas']['LoginTokens']
    }
    /** @description The password is right. The tokens are those of a new session. */
    ReauthenticateAnswer: {
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
      data: components['schemas']['LoginTokens']
    }
    /** @description The session has ended. */
    LogoutAnswer: {
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
    ListSessionsAnswer: {
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
      data: components['schemas']['SessionsData']
    }
    /** @description The other sessions have ended. */
    RevokeOtherSessionsAnswer: {
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
      data: components['schemas']['EndedSessionsData']
    }
    /** @description The session has ended. */
    RevokeSessionAnswer: {
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
    /** @description The public keys, the signing one first. */
    GetJwksAnswer: {
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
      data: components['schemas']['JwksData']
      keys: components['schemas']['JwkSet']
    }
    /** @description The answer for this account. */
    CheckAdminAnswer: {
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
      data: components['schemas']['AdminData']
    }
    /** @description A page of users, the newest first. */
    AdminListUsersAnswer: {
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
      data: components['schemas']['UsersData']
    }
    /** @description The profile and the account. */
    AdminGetUserAnswer: {
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
      data: components['schemas']['UserDetailsData']
    }
    /** @description The account is suspended. */
    AdminSuspendUserAnswer: {
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
      data: components['schemas']['AccountStateData']
    }
    /** @description The account may be used. */
    AdminRestoreUserAnswer: {
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
      data: components['schemas']['AccountStateData']
    }
    /** @description The lawyer was reviewed. */
    AdminReviewLawyerAnswer: {
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
      data: components['schemas']['ReviewData']
    }
    /** @description A page of events, the newest first. */
    AdminListAuditAnswer: {
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
      data: components['schemas']['AuditData']
    }
    /** @description A page of events, the newest first. */
    AdminListEventsAnswer: {
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
      data: components['schemas']['EventsData']
    }
    /** @description The events are posted again. */
    AdminReplayEventsAnswer: {
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
      data: components['schemas']['ReplayData']
    }
    /** @description The profile of the account. */
    GetProfileAnswer: {
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
      data: components['schemas']['UserData']
    }
    /** @description The profile as it is now. */
    UpdateProfileAnswer: {
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
      data: components['schemas']['UserData']
    }
    /** @description The password is changed, and all earlier sessions are revoked. The tokens are those of a new session. */
    ChangePasswordAnswer: {
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
      data: components['schemas']['LoginTokens']
    }
    /** @description The deletion is scheduled, and all sessions have ended. */
    RequestAccountDeletionAnswer: {
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
      data: components['schemas']['DeletionData']
    }
    /** @description No deletion of the account is scheduled any more. */
    CancelAccountDeletionAnswer: {
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
    /** @description The lookups, by set. */
    ListLookupsAnswer: {
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
      data: components['schemas']['LookupsData']
    }
    /** @description The countries, by name. */
    ListCountriesAnswer: {
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
      data: components['schemas']['CountriesData']
    }
    /** @description The regions, by name. */
    ListRegionsAnswer: {
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
      data: components['schemas']['RegionsData']
    }
    /** @description The cities, by name. */
    ListCitiesAnswer: {
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
      data: components['schemas']['CitiesData']
    }
    /** @description The nationalities, by name. */
    ListNationalitiesAnswer: {
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
      data: components['schemas']['NationalitiesData']
    }
    /** @description The degrees, by name. */
    ListDegreesAnswer: {
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
      data: components['schemas']['DegreesData']
    }
    /** @description The general specialties, by name. */
    ListGeneralSpecialtiesAnswer: {
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
      data: components['schemas']['GeneralSpecialtiesData']
    }
    /** @description The accurate specialties, by name. */
    ListAccurateSpecialtiesAnswer: {
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
      data: components['schemas']['AccurateSpecialtiesData']
    }
    /** @description The functional cases, by name. */
    ListFunctionalCasesAnswer: {
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
      data: components['schemas']['FunctionalCasesData']
    }
    /** @description The languages, by name. */
    ListLanguagesAnswer: {
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
      data: components['schemas']['LanguagesData']
    }
    /** @description The digital guide categories, by name. */
    ListDigitalGuideCategoriesAnswer: {
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
      data: components['schemas']['DigitalGuideCategoriesData']
    }
    /** @description The file was deleted, or there was none. */
    DeleteProfileFileAnswer: {
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
    /** @description What the caller has already is still right. `If-None-Match` named it. */
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
    /** @description The password was last proven too long ago on this session. */
    ReauthenticationRequired: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
        /** @description Sent with `reauthentication_required`. `max_age` states within how many seconds the password must have been proven (RFC 9470). */
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
    /** @description The request could not be read. */
    MalformedForm: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
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
    /** @description The body, one of its texts or the number of its parts is over the limit. */
    PayloadTooLarge: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
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
    /** @description The body is missing, or its media type, charset or encoding is not taken here. */
    UnsupportedMediaType: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
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
    /** @description One or more fields are wrong. All of them are named. */
    RegistrationRefused: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
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
        'application/json': components['schemas']['InvalidDataResponse']
      }
    }
    /** @description Too many wrong codes were tried for this number, or from this address. */
    TriesExhausted: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
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
    /** @description Something went wrong on our side. */
    ServerError: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
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
    /** @description A part that is needed is down, or the service has too much work or is shutting down. */
    Unavailable: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
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
    /** @description The request could not be read. */
    BadRequest: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
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
    /** @description The e-mail address or the password is wrong. */
    LoginRefused: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
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
    /** @description The password is right, but the account is suspended. */
    AccountSuspended: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
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
    /** @description One or more fields are wrong. All of them are named. */
    InvalidData: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
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
        'application/json': components['schemas']['InvalidDataResponse']
      }
    }
    /** @description Too many requests of this kind. */
    TooManyRequests: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
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
    /** @description No e-mail can be sent now, or no password is reset by SMS, or the service has too much work or is shutting down. */
    ResetUnavailable: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
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
    /** @description One or more fields are wrong. All of them are named. */
    ResetRefused: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
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
        'application/json': components['schemas']['InvalidDataResponse']
      }
    }
    /** @description Too many wrong codes or tokens were tried, or no code may be sent to the number now. */
    ResetLimited: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
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
    /** @description No SMS provider is known to have taken the message, or a part that is needed is down. */
    SendUnavailable: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
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
    /** @description One or more fields are wrong. All of them are named. */
    ReleaseRefused: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
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
        'application/json': components['schemas']['InvalidDataResponse']
      }
    }
    /** @description The token is missing, wrong, expired or revoked. */
    Unauthorized: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
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
    /** @description The service has no mail server, has too much work or is shutting down. */
    MailUnavailable: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
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
    /** @description One or more fields are wrong. All of them are named. */
    EmailConfirmationRefused: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
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
        'application/json': components['schemas']['InvalidDataResponse']
      }
    }
    /** @description Too many wrong codes were tried for this address, or too many tokens were refused. */
    EmailTriesExhausted: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
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
    /** @description The token is wrong, or the address belongs to another account by now. */
    EmailTokenRefused: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
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
        'application/json': components['schemas']['InvalidDataResponse']
      }
    }
    /** @description One or more fields are wrong, or the phone number belongs to an account already. */
    PhoneRefused: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
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
        'application/json': components['schemas']['InvalidDataResponse']
      }
    }
    /** @description No code may be sent to this number now, too many were asked for from this address, or a budget is used up. */
    SendRefused: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
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
    /** @description The code is wrong or has expired, or the request could not be read. */
    ConfirmationRefused: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
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
    /** @description One or more fields are wrong. All of them are named. */
    InvalidCode: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
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
        'application/json': components['schemas']['InvalidDataResponse']
      }
    }
    /** @description The refresh token is wrong, was exchanged already or has expired, or its session has ended. */
    RefreshRefused: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
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
    /** @description The refresh token is missing or is no text. All wrong fields are named. */
    RefreshTokenMissing: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
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
        'application/json': components['schemas']['InvalidDataResponse']
      }
    }
    /** @description The proof is wrong or missing. */
    ReauthenticationRefused: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
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
        'application/json': components['schemas']['InvalidDataResponse']
      }
    }
    /** @description The account has no such session, or it has ended already. */
    SessionUnknown: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
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
    /** @description The id is not one of a session. */
    InvalidId: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
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
        'application/json': components['schemas']['InvalidDataResponse']
      }
    }
    /** @description The service is shutting down. */
    ShuttingDown: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
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
    /** @description The account has no administrator privileges. */
    AdminRequired: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
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
    /** @description A parameter is wrong. */
    InvalidPage: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
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
        'application/json': components['schemas']['InvalidDataResponse']
      }
    }
    /** @description There is no such user. */
    UserUnknown: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
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
    /** @description The number is not one of an account. */
    InvalidUserId: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
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
        'application/json': components['schemas']['InvalidDataResponse']
      }
    }
    /** @description The reason is missing, or the account is that of the administrator who asks. */
    SuspensionRefused: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
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
        'application/json': components['schemas']['InvalidDataResponse']
      }
    }
    /** @description The number or the reason is wrong. */
    RestorationRefused: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
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
        'application/json': components['schemas']['InvalidDataResponse']
      }
    }
    /** @description The account cannot be reviewed, or a field is wrong. */
    ReviewRefused: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
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
        'application/json': components['schemas']['InvalidDataResponse']
      }
    }
    /** @description There is no such event, or it is too old to be kept. */
    EventUnknown: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
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
    /** @description One or more fields are wrong. */
    ReplayRefused: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
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
        'application/json': components['schemas']['InvalidDataResponse']
      }
    }
    /** @description Events are posted nowhere, or a part that is needed is down, or the service has too much work. */
    ReplayUnavailable: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
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
    /** @description One or more fields are wrong. All of them are named. */
    ProfileRefused: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
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
        'application/json': components['schemas']['InvalidDataResponse']
      }
    }
    /** @description The storage of files or another part that is needed is down, or the service is shutting down. */
    StorageUnavailable: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
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
    /** @description One or more fields are wrong. All of them are named. */
    PasswordRefused: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
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
        'application/json': components['schemas']['InvalidDataResponse']
      }
    }
    /** @description The password is wrong or missing. */
    DeletionRefused: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
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
        'application/json': components['schemas']['InvalidDataResponse']
      }
    }
    /** @description A parameter is wrong. */
    InvalidSearch: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
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
        'application/json': components['schemas']['InvalidDataResponse']
      }
    }
    /** @description A parameter is wrong. */
    InvalidParameter: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
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
        'application/json': components['schemas']['InvalidDataResponse']
      }
    }
    /** @description A parameter is wrong. */
    InvalidSpecialty: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
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
        'application/json': components['schemas']['InvalidDataResponse']
      }
    }
    /** @description The file may not be deleted, or there is no such kind. */
    FileKindRefused: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
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
        'application/json': components['schemas']['InvalidDataResponse']
      }
    }
    /** @description There is no such file, or who asks may not read it, or the link has expired. */
    FileUnknown: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
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
    /** @description The id or a part of the link is wrong. */
    InvalidFileLink: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
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
        'application/json': components['schemas']['InvalidDataResponse']
      }
    }
    /** @description The account has no administrator privileges. Or: The password was last proven too long ago on this session. */
    AdminRequiredOrReauthenticationRequired: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
        /** @description Sent with `reauthentication_required`. `max_age` states within how many seconds the password must have been proven (RFC 9470). */
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
     *     The header never causes an error: ranges that are malformed or not supported are ignored, and so is everything after the
     *     first 256 characters.
     */
    AcceptLanguage: string
    /** @description The id of the event, the same on every attempt. Remember it to take no event twice. */
    WebhookId: string
    /** @description When this attempt was made, in seconds since 1970. Refuse one that is minutes off. */
    WebhookTimestamp: string
    /**
     * @description Signatures, one for each secret of the service, with spaces between them: `v1,` and the base64 of HMAC-SHA256 over
     *     `webhook-id`, `webhook-timestamp` and the bytes of the body, with dots between them. One that is right is enough.
     */
    WebhookSignature: string
    /** @description How many there are on a page. */
    Limit: number
    /** @description Where the page begins, the `next_cursor` of the page before. What it holds is not for others. */
    Cursor: string
    /** @description The number of the account, as the list of users has it. */
    UserId: components['schemas']['LookupKey']
    /** @description Only those whose Arabic or English name has this text. Case, vowel signs and variants of a letter do not matter. */
    Search: string
    /** @description Only those of this country. */
    CountryId: components['schemas']['LookupKey']
    /** @description Only those of this region. */
    RegionId: components['schemas']['LookupKey']
    /** @description Only those of this general specialty. */
    GeneralSpecialtyId: components['schemas']['LookupKey']
  }
  requestBodies: never
  headers: {
    /** @description The name of this state of the answer. Sent back as `If-None-Match`, it saves the body when nothing changed. */
    ETag: string
    /** @description How many seconds to wait before trying again. */
    'Retry-After': number
    /** @description The request headers that the answer depends on. */
    Vary: string
    /** @description How to authenticate (RFC 6750). */
    'WWW-Authenticate': string
    /** @description The language of the message. */
    'Content-Language': 'ar' | 'en'
    /** @description The name of this request in our logs. Give it when you ask for help. */
    'X-Request-Id': string
    /** @description What caches may do with the answer. What is personal is not stored. */
    'Cache-Control': string
    /** @description How much of each limit is left, and in how many seconds it starts anew (IETF draft ratelimit-headers). It comes with answers that count against a limit. */
    RateLimit: string
    /** @description The limits that apply, `q` requests in `w` seconds (IETF draft ratelimit-headers). It comes with answers that count against a limit. */
    'RateLimit-Policy': string
    /** @description The origin that may read the answer. It is sent only to the origins that the operator allows. */
    'Access-Control-Allow-Origin': string
    /** @description Whether the file is to be shown or saved, and its name (RFC 6266). */
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
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: ranges that are malformed or not supported are ignored, and so is everything after the
         *     first 256 characters.
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
      /** @description The account is there, with the tokens of its first session. */
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
          'application/json': components['schemas']['RegisterAnswer']
        }
      }
      400: components['responses']['MalformedForm']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['RegistrationRefused']
      429: components['responses']['TriesExhausted']
      500: components['responses']['ServerError']
      503: components['responses']['Unavailable']
    }
  }
  login: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: ranges that are malformed or not supported are ignored, and so is everything after the
         *     first 256 characters.
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
      /** @description Logged in, with the tokens of the session. */
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
          'application/json': components['schemas']['LoginAnswer']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['LoginRefused']
      403: components['responses']['AccountSuspended']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['InvalidData']
      429: components['responses']['TooManyRequests']
      500: components['responses']['ServerError']
      503: components['responses']['Unavailable']
    }
  }
  requestPasswordReset: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: ranges that are malformed or not supported are ignored, and so is everything after the
         *     first 256 characters.
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
      /** @description If there is such an account, the message is on its way. */
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
          'application/json': components['schemas']['RequestPasswordResetAnswer']
        }
      }
      400: components['responses']['BadRequest']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['InvalidData']
      429: components['responses']['TooManyRequests']
      500: components['responses']['ServerError']
      503: components['responses']['ResetUnavailable']
    }
  }
  resetPassword: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: ranges that are malformed or not supported are ignored, and so is everything after the
         *     first 256 characters.
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
      /** @description The password is the new one, and all sessions have ended. */
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
          'application/json': components['schemas']['ResetPasswordAnswer']
        }
      }
      400: components['responses']['BadRequest']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['ResetRefused']
      429: components['responses']['ResetLimited']
      500: components['responses']['ServerError']
      503: components['responses']['SendUnavailable']
    }
  }
  releaseEmail: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: ranges that are malformed or not supported are ignored, and so is everything after the
         *     first 256 characters.
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
      /** @description The account no longer has the address. */
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
          'application/json': components['schemas']['ReleaseEmailAnswer']
        }
      }
      400: components['responses']['BadRequest']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['ReleaseRefused']
      429: components['responses']['TooManyRequests']
      500: components['responses']['ServerError']
      503: components['responses']['Unavailable']
    }
  }
  checkToken: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: ranges that are malformed or not supported are ignored, and so is everything after the
         *     first 256 characters.
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
          'application/json': components['schemas']['CheckTokenAnswer']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      429: components['responses']['TooManyRequests']
      500: components['responses']['ServerError']
      503: components['responses']['Unavailable']
    }
  }
  requestEmailVerification: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: ranges that are malformed or not supported are ignored, and so is everything after the
         *     first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description If there is an address to verify, the message is on its way. */
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
          'application/json': components['schemas']['RequestEmailVerificationAnswer']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      429: components['responses']['TooManyRequests']
      500: components['responses']['ServerError']
      503: components['responses']['MailUnavailable']
    }
  }
  confirmEmail: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: ranges that are malformed or not supported are ignored, and so is everything after the
         *     first 256 characters.
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
          'application/json': components['schemas']['ConfirmEmailAnswer']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['EmailConfirmationRefused']
      429: components['responses']['EmailTriesExhausted']
      500: components['responses']['ServerError']
      503: components['responses']['Unavailable']
    }
  }
  cancelEmailChange: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: ranges that are malformed or not supported are ignored, and so is everything after the
         *     first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    /** @description The token of the message to the old address. */
    requestBody: {
      content: {
        'application/json': components['schemas']['CancelEmailChangeRequest']
      }
    }
    responses: {
      /** @description The address stays, or is the old one again. */
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
          'application/json': components['schemas']['CancelEmailChangeAnswer']
        }
      }
      400: components['responses']['BadRequest']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['EmailTokenRefused']
      429: components['responses']['TooManyRequests']
      500: components['responses']['ServerError']
      503: components['responses']['Unavailable']
    }
  }
  checkPhone: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: ranges that are malformed or not supported are ignored, and so is everything after the
         *     first 256 characters.
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
      /** @description The code was sent by SMS. */
      200: {
        headers: {
          /**
           * @description In how many seconds another code can be sent to this number: the cooldown after this code, or longer if the
           *     number has no more codes left in this hour or this day. 0 means at once.
           */
          'Retry-After': number
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
          'application/json': components['schemas']['CheckPhoneAnswer']
        }
      }
      400: components['responses']['MalformedForm']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['PhoneRefused']
      429: components['responses']['SendRefused']
      500: components['responses']['ServerError']
      503: components['responses']['SendUnavailable']
    }
  }
  confirmPhone: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: ranges that are malformed or not supported are ignored, and so is everything after the
         *     first 256 characters.
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
          'application/json': components['schemas']['ConfirmPhoneAnswer']
        }
      }
      400: components['responses']['ConfirmationRefused']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['InvalidCode']
      429: components['responses']['TriesExhausted']
      500: components['responses']['ServerError']
      503: components['responses']['Unavailable']
    }
  }
  refreshToken: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: ranges that are malformed or not supported are ignored, and so is everything after the
         *     first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    /** @description The refresh token. */
    requestBody: {
      content: {
        'application/json': components['schemas']['RefreshRequest']
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
          'application/json': components['schemas']['RefreshTokenAnswer']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['RefreshRefused']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['RefreshTokenMissing']
      429: components['responses']['TooManyRequests']
      500: components['responses']['ServerError']
      503: components['responses']['Unavailable']
    }
  }
  reauthenticate: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: ranges that are malformed or not supported are ignored, and so is everything after the
         *     first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    /** @description The proof. */
    requestBody: {
      content: {
        'application/json': components['schemas']['ReauthenticationRequest']
      }
    }
    responses: {
      /** @description The password is right. The tokens are those of a new session. */
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
          'application/json': components['schemas']['ReauthenticateAnswer']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['ReauthenticationRefused']
      429: components['responses']['TooManyRequests']
      500: components['responses']['ServerError']
      503: components['responses']['Unavailable']
    }
  }
  logout: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: ranges that are malformed or not supported are ignored, and so is everything after the
         *     first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The session has ended. */
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
          'application/json': components['schemas']['LogoutAnswer']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      429: components['responses']['TooManyRequests']
      500: components['responses']['ServerError']
      503: components['responses']['Unavailable']
    }
  }
  listSessions: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: ranges that are malformed or not supported are ignored, and so is everything after the
         *     first 256 characters.
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
          'application/json': components['schemas']['ListSessionsAnswer']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      429: components['responses']['TooManyRequests']
      500: components['responses']['ServerError']
      503: components['responses']['Unavailable']
    }
  }
  revokeOtherSessions: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: ranges that are malformed or not supported are ignored, and so is everything after the
         *     first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The other sessions have ended. */
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
          'application/json': components['schemas']['RevokeOtherSessionsAnswer']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      403: components['responses']['ReauthenticationRequired']
      429: components['responses']['TooManyRequests']
      500: components['responses']['ServerError']
      503: components['responses']['Unavailable']
    }
  }
  revokeSession: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: ranges that are malformed or not supported are ignored, and so is everything after the
         *     first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path: {
        /** @description The id of the session, as the list of sessions has it. */
        session_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The session has ended. */
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
          'application/json': components['schemas']['RevokeSessionAnswer']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      403: components['responses']['ReauthenticationRequired']
      404: components['responses']['SessionUnknown']
      422: components['responses']['InvalidId']
      429: components['responses']['TooManyRequests']
      500: components['responses']['ServerError']
      503: components['responses']['Unavailable']
    }
  }
  getJwks: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: ranges that are malformed or not supported are ignored, and so is everything after the
         *     first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The public keys, the signing one first. */
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
          'application/json': components['schemas']['GetJwksAnswer']
        }
      }
      304: components['responses']['NotModified']
      400: components['responses']['BadRequest']
      500: components['responses']['ServerError']
      503: components['responses']['ShuttingDown']
    }
  }
  checkAdmin: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: ranges that are malformed or not supported are ignored, and so is everything after the
         *     first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The answer for this account. */
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
          'application/json': components['schemas']['CheckAdminAnswer']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      429: components['responses']['TooManyRequests']
      500: components['responses']['ServerError']
      503: components['responses']['Unavailable']
    }
  }
  adminListUsers: {
    parameters: {
      query?: {
        /**
         * @description Only those whose name, e-mail address or phone number has this text. Case, vowel signs and variants of a letter do
         *     not matter in names; digits may be of any script, and numbers in any notation.
         */
        q?: string
        /** @description Only accounts of this kind. */
        account_type?: 'client' | 'lawyer'
        /** @description Only accounts that may be used, or that are suspended. */
        status?: 'active' | 'suspended'
        /** @description Only lawyers who were reviewed so. */
        review_status?: 'pending' | 'approved' | 'rejected'
        /** @description How many there are on a page. */
        limit?: components['parameters']['Limit']
        /** @description Where the page begins, the `next_cursor` of the page before. What it holds is not for others. */
        cursor?: components['parameters']['Cursor']
      }
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: ranges that are malformed or not supported are ignored, and so is everything after the
         *     first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description A page of users, the newest first. */
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
          'application/json': components['schemas']['AdminListUsersAnswer']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      403: components['responses']['AdminRequired']
      422: components['responses']['InvalidPage']
      429: components['responses']['TooManyRequests']
      500: components['responses']['ServerError']
      503: components['responses']['Unavailable']
    }
  }
  adminGetUser: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: ranges that are malformed or not supported are ignored, and so is everything after the
         *     first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path: {
        /** @description The number of the account, as the list of users has it. */
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
          'application/json': components['schemas']['AdminGetUserAnswer']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      403: components['responses']['AdminRequired']
      404: components['responses']['UserUnknown']
      422: components['responses']['InvalidUserId']
      429: components['responses']['TooManyRequests']
      500: components['responses']['ServerError']
      503: components['responses']['Unavailable']
    }
  }
  adminSuspendUser: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: ranges that are malformed or not supported are ignored, and so is everything after the
         *     first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path: {
        /** @description The number of the account, as the list of users has it. */
        user_id: components['parameters']['UserId']
      }
      cookie?: never
    }
    /** @description The reason. */
    requestBody: {
      content: {
        'application/json': components['schemas']['ReasonRequest']
      }
    }
    responses: {
      /** @description The account is suspended. */
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
          'application/json': components['schemas']['AdminSuspendUserAnswer']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      403: components['responses']['AdminRequiredOrReauthenticationRequired']
      404: components['responses']['UserUnknown']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['SuspensionRefused']
      429: components['responses']['TooManyRequests']
      500: components['responses']['ServerError']
      503: components['responses']['Unavailable']
    }
  }
  adminRestoreUser: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: ranges that are malformed or not supported are ignored, and so is everything after the
         *     first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path: {
        /** @description The number of the account, as the list of users has it. */
        user_id: components['parameters']['UserId']
      }
      cookie?: never
    }
    /** @description The reason. */
    requestBody: {
      content: {
        'application/json': components['schemas']['ReasonRequest']
      }
    }
    responses: {
      /** @description The account may be used. */
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
          'application/json': components['schemas']['AdminRestoreUserAnswer']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      403: components['responses']['AdminRequiredOrReauthenticationRequired']
      404: components['responses']['UserUnknown']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['RestorationRefused']
      429: components['responses']['TooManyRequests']
      500: components['responses']['ServerError']
      503: components['responses']['Unavailable']
    }
  }
  adminReviewLawyer: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: ranges that are malformed or not supported are ignored, and so is everything after the
         *     first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path: {
        /** @description The number of the account, as the list of users has it. */
        user_id: components['parameters']['UserId']
      }
      cookie?: never
    }
    /** @description The decision. */
    requestBody: {
      content: {
        'application/json': components['schemas']['ReviewRequest']
      }
    }
    responses: {
      /** @description The lawyer was reviewed. */
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
          'application/json': components['schemas']['AdminReviewLawyerAnswer']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      403: components['responses']['AdminRequiredOrReauthenticationRequired']
      404: components['responses']['UserUnknown']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['ReviewRefused']
      429: components['responses']['TooManyRequests']
      500: components['responses']['ServerError']
      503: components['responses']['Unavailable']
    }
  }
  adminListAudit: {
    parameters: {
      query?: {
        /** @description Only what happened to this account. */
        account_id?: components['schemas']['LookupKey']
        /** @description Only what the administrator of this account did to others. */
        actor_id?: components['schemas']['LookupKey']
        /** @description Only events of this name. */
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
          | 'admin_refused'
          | 'admin_granted'
          | 'admin_revoked'
          | 'files_swept'
          | 'files_sweep_stopped'
        /** @description Only what happened at this time or later. */
        since?: string
        /** @description Only what happened before this time. */
        until?: string
        /** @description How many there are on a page. */
        limit?: components['parameters']['Limit']
        /** @description Where the page begins, the `next_cursor` of the page before. What it holds is not for others. */
        cursor?: string
      }
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: ranges that are malformed or not supported are ignored, and so is everything after the
         *     first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description A page of events, the newest first. */
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
          'application/json': components['schemas']['AdminListAuditAnswer']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      403: components['responses']['AdminRequired']
      422: components['responses']['InvalidPage']
      429: components['responses']['TooManyRequests']
      500: components['responses']['ServerError']
      503: components['responses']['Unavailable']
    }
  }
  adminListEvents: {
    parameters: {
      query?: {
        /** @description Only events of this type. */
        type?:
          | 'account.registered'
          | 'phone.confirmed'
          | 'profile.updated'
          | 'lawyer.reviewed'
          | 'account.suspended'
          | 'account.restored'
          | 'account.deleted'
        /** @description Only events in this state. */
        state?: 'waiting' | 'delivered' | 'failed' | 'unsent'
        /** @description Only what happened to this account. */
        account_id?: components['schemas']['LookupKey']
        /** @description How many there are on a page. */
        limit?: components['parameters']['Limit']
        /** @description Where the page begins, the `next_cursor` of the page before. What it holds is not for others. */
        cursor?: components['parameters']['Cursor']
      }
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: ranges that are malformed or not supported are ignored, and so is everything after the
         *     first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description A page of events, the newest first. */
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
          'application/json': components['schemas']['AdminListEventsAnswer']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      403: components['responses']['AdminRequired']
      422: components['responses']['InvalidPage']
      429: components['responses']['TooManyRequests']
      500: components['responses']['ServerError']
      503: components['responses']['Unavailable']
    }
  }
  adminReplayEvents: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: ranges that are malformed or not supported are ignored, and so is everything after the
         *     first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    /** @description Which events. */
    requestBody: {
      content: {
        'application/json': components['schemas']['ReplayRequest']
      }
    }
    responses: {
      /** @description The events are posted again. */
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
          'application/json': components['schemas']['AdminReplayEventsAnswer']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      403: components['responses']['AdminRequiredOrReauthenticationRequired']
      404: components['responses']['EventUnknown']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['ReplayRefused']
      429: components['responses']['TooManyRequests']
      500: components['responses']['ServerError']
      503: components['responses']['ReplayUnavailable']
    }
  }
  getProfile: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: ranges that are malformed or not supported are ignored, and so is everything after the
         *     first 256 characters.
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
          'application/json': components['schemas']['GetProfileAnswer']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      429: components['responses']['TooManyRequests']
      500: components['responses']['ServerError']
      503: components['responses']['Unavailable']
    }
  }
  updateProfile: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: ranges that are malformed or not supported are ignored, and so is everything after the
         *     first 256 characters.
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
      /** @description The profile as it is now. */
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
          'application/json': components['schemas']['UpdateProfileAnswer']
        }
      }
      400: components['responses']['MalformedForm']
      401: components['responses']['Unauthorized']
      403: components['responses']['ReauthenticationRequired']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['ProfileRefused']
      429: components['responses']['TriesExhausted']
      500: components['responses']['ServerError']
      503: components['responses']['StorageUnavailable']
    }
  }
  changePassword: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: ranges that are malformed or not supported are ignored, and so is everything after the
         *     first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    /** @description The present password and the new one. */
    requestBody: {
      content: {
        'application/json': components['schemas']['ChangePasswordRequest']
      }
    }
    responses: {
      /** @description The password is changed, and all earlier sessions are revoked. The tokens are those of a new session. */
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
          'application/json': components['schemas']['ChangePasswordAnswer']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['PasswordRefused']
      429: components['responses']['TooManyRequests']
      500: components['responses']['ServerError']
      503: components['responses']['Unavailable']
    }
  }
  requestAccountDeletion: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: ranges that are malformed or not supported are ignored, and so is everything after the
         *     first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    /** @description The password. */
    requestBody: {
      content: {
        'application/json': components['schemas']['DeletionRequest']
      }
    }
    responses: {
      /** @description The deletion is scheduled, and all sessions have ended. */
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
          'application/json': components['schemas']['RequestAccountDeletionAnswer']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['DeletionRefused']
      429: components['responses']['TooManyRequests']
      500: components['responses']['ServerError']
      503: components['responses']['Unavailable']
    }
  }
  exportAccount: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: ranges that are malformed or not supported are ignored, and so is everything after the
         *     first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The archive, which is made while it is sent. */
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
          'application/zip': components['schemas']['AccountArchive']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      403: components['responses']['ReauthenticationRequired']
      429: components['responses']['TooManyRequests']
      500: components['responses']['ServerError']
      503: components['responses']['StorageUnavailable']
    }
  }
  cancelAccountDeletion: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: ranges that are malformed or not supported are ignored, and so is everything after the
         *     first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description No deletion of the account is scheduled any more. */
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
          'application/json': components['schemas']['CancelAccountDeletionAnswer']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      429: components['responses']['TooManyRequests']
      500: components['responses']['ServerError']
      503: components['responses']['Unavailable']
    }
  }
  listLookups: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: ranges that are malformed or not supported are ignored, and so is everything after the
         *     first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The lookups, by set. */
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
          'application/json': components['schemas']['ListLookupsAnswer']
        }
      }
      304: components['responses']['NotModified']
      400: components['responses']['BadRequest']
      500: components['responses']['ServerError']
      503: components['responses']['ShuttingDown']
    }
  }
  listCountries: {
    parameters: {
      query?: {
        /** @description Only those whose Arabic or English name has this text. Case, vowel signs and variants of a letter do not matter. */
        q?: components['parameters']['Search']
      }
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: ranges that are malformed or not supported are ignored, and so is everything after the
         *     first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The countries, by name. */
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
          'application/json': components['schemas']['ListCountriesAnswer']
        }
      }
      304: components['responses']['NotModified']
      400: components['responses']['BadRequest']
      422: components['responses']['InvalidSearch']
      500: components['responses']['ServerError']
      503: components['responses']['ShuttingDown']
    }
  }
  listRegions: {
    parameters: {
      query?: {
        /** @description Only those whose Arabic or English name has this text. Case, vowel signs and variants of a letter do not matter. */
        q?: components['parameters']['Search']
        /** @description Only those of this country. */
        country_id?: components['parameters']['CountryId']
      }
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: ranges that are malformed or not supported are ignored, and so is everything after the
         *     first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The regions, by name. */
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
          'application/json': components['schemas']['ListRegionsAnswer']
        }
      }
      304: components['responses']['NotModified']
      400: components['responses']['BadRequest']
      422: components['responses']['InvalidParameter']
      500: components['responses']['ServerError']
      503: components['responses']['ShuttingDown']
    }
  }
  listCities: {
    parameters: {
      query?: {
        /** @description Only those whose Arabic or English name has this text. Case, vowel signs and variants of a letter do not matter. */
        q?: components['parameters']['Search']
        /** @description Only those of this country. */
        country_id?: components['parameters']['CountryId']
        /** @description Only those of this region. */
        region_id?: components['parameters']['RegionId']
      }
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: ranges that are malformed or not supported are ignored, and so is everything after the
         *     first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The cities, by name. */
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
          'application/json': components['schemas']['ListCitiesAnswer']
        }
      }
      304: components['responses']['NotModified']
      400: components['responses']['BadRequest']
      422: components['responses']['InvalidParameter']
      500: components['responses']['ServerError']
      503: components['responses']['ShuttingDown']
    }
  }
  listNationalities: {
    parameters: {
      query?: {
        /** @description Only those whose Arabic or English name has this text. Case, vowel signs and variants of a letter do not matter. */
        q?: components['parameters']['Search']
      }
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: ranges that are malformed or not supported are ignored, and so is everything after the
         *     first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The nationalities, by name. */
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
          'application/json': components['schemas']['ListNationalitiesAnswer']
        }
      }
      304: components['responses']['NotModified']
      400: components['responses']['BadRequest']
      422: components['responses']['InvalidSearch']
      500: components['responses']['ServerError']
      503: components['responses']['ShuttingDown']
    }
  }
  listDegrees: {
    parameters: {
      query?: {
        /** @description Only those whose Arabic or English name has this text. Case, vowel signs and variants of a letter do not matter. */
        q?: components['parameters']['Search']
      }
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: ranges that are malformed or not supported are ignored, and so is everything after the
         *     first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The degrees, by name. */
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
          'application/json': components['schemas']['ListDegreesAnswer']
        }
      }
      304: components['responses']['NotModified']
      400: components['responses']['BadRequest']
      422: components['responses']['InvalidSearch']
      500: components['responses']['ServerError']
      503: components['responses']['ShuttingDown']
    }
  }
  listGeneralSpecialties: {
    parameters: {
      query?: {
        /** @description Only those whose Arabic or English name has this text. Case, vowel signs and variants of a letter do not matter. */
        q?: components['parameters']['Search']
      }
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: ranges that are malformed or not supported are ignored, and so is everything after the
         *     first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The general specialties, by name. */
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
          'application/json': components['schemas']['ListGeneralSpecialtiesAnswer']
        }
      }
      304: components['responses']['NotModified']
      400: components['responses']['BadRequest']
      422: components['responses']['InvalidSearch']
      500: components['responses']['ServerError']
      503: components['responses']['ShuttingDown']
    }
  }
  listAccurateSpecialties: {
    parameters: {
      query?: {
        /** @description Only those whose Arabic or English name has this text. Case, vowel signs and variants of a letter do not matter. */
        q?: components['parameters']['Search']
        /** @description Only those of this general specialty. */
        general_specialty_id?: components['parameters']['GeneralSpecialtyId']
      }
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: ranges that are malformed or not supported are ignored, and so is everything after the
         *     first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The accurate specialties, by name. */
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
          'application/json': components['schemas']['ListAccurateSpecialtiesAnswer']
        }
      }
      304: components['responses']['NotModified']
      400: components['responses']['BadRequest']
      422: components['responses']['InvalidSpecialty']
      500: components['responses']['ServerError']
      503: components['responses']['ShuttingDown']
    }
  }
  listFunctionalCases: {
    parameters: {
      query?: {
        /** @description Only those whose Arabic or English name has this text. Case, vowel signs and variants of a letter do not matter. */
        q?: components['parameters']['Search']
      }
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: ranges that are malformed or not supported are ignored, and so is everything after the
         *     first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The functional cases, by name. */
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
          'application/json': components['schemas']['ListFunctionalCasesAnswer']
        }
      }
      304: components['responses']['NotModified']
      400: components['responses']['BadRequest']
      422: components['responses']['InvalidSearch']
      500: components['responses']['ServerError']
      503: components['responses']['ShuttingDown']
    }
  }
  listLanguages: {
    parameters: {
      query?: {
        /** @description Only those whose Arabic or English name has this text. Case, vowel signs and variants of a letter do not matter. */
        q?: components['parameters']['Search']
      }
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: ranges that are malformed or not supported are ignored, and so is everything after the
         *     first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The languages, by name. */
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
          'application/json': components['schemas']['ListLanguagesAnswer']
        }
      }
      304: components['responses']['NotModified']
      400: components['responses']['BadRequest']
      422: components['responses']['InvalidSearch']
      500: components['responses']['ServerError']
      503: components['responses']['ShuttingDown']
    }
  }
  listDigitalGuideCategories: {
    parameters: {
      query?: {
        /** @description Only those whose Arabic or English name has this text. Case, vowel signs and variants of a letter do not matter. */
        q?: components['parameters']['Search']
      }
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: ranges that are malformed or not supported are ignored, and so is everything after the
         *     first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The digital guide categories, by name. */
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
          'application/json': components['schemas']['ListDigitalGuideCategoriesAnswer']
        }
      }
      304: components['responses']['NotModified']
      400: components['responses']['BadRequest']
      422: components['responses']['InvalidSearch']
      500: components['responses']['ServerError']
      503: components['responses']['ShuttingDown']
    }
  }
  deleteProfileFile: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: ranges that are malformed or not supported are ignored, and so is everything after the
         *     first 256 characters.
         */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path: {
        /** @description What the file is for. Files that a profile must have are replaced by an update of the profile. */
        kind: 'profile_photo' | 'cv_file' | 'logo'
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The file was deleted, or there was none. */
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
          'application/json': components['schemas']['DeleteProfileFileAnswer']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      422: components['responses']['FileKindRefused']
      429: components['responses']['TooManyRequests']
      500: components['responses']['ServerError']
      503: components['responses']['Unavailable']
    }
  }
  getFile: {
    parameters: {
      query?: {
        /** @description When the link stops working, in seconds since 1970, from the link. */
        expires?: number
        /** @description The signature of the link, from the link. */
        signature?: string
      }
      header?: {
        /**
         * @description The preferred language of messages, `ar` or `en`. Language ranges and weights are supported.
         *     The header never causes an error: ranges that are malformed or not supported are ignored, and so is everything after the
         *     first 256 characters.
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
      /** @description The bytes of the file. */
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
          'image/jpeg': components['schemas']['FileBytes']
          'image/png': components['schemas']['FileBytes']
          'image/webp': components['schemas']['FileBytes']
          'application/pdf': components['schemas']['FileBytes']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      404: components['responses']['FileUnknown']
      422: components['responses']['InvalidFileLink']
      429: components['responses']['TooManyRequests']
      500: components['responses']['ServerError']
      503: components['responses']['StorageUnavailable']
    }
  }
  accountRegistered: {
    parameters: {
      query?: never
      header: {
        /** @description The id of the event, the same on every attempt. Remember it to take no event twice. */
        'webhook-id': components['parameters']['WebhookId']
        /** @description When this attempt was made, in seconds since 1970. Refuse one that is minutes off. */
        'webhook-timestamp': components['parameters']['WebhookTimestamp']
        /**
         * @description Signatures, one for each secret of the service, with spaces between them: `v1,` and the base64 of HMAC-SHA256 over
         *     `webhook-id`, `webhook-timestamp` and the bytes of the body, with dots between them. One that is right is enough.
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
      /** @description The event is not wanted. It is not posted again. */
      410: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The event is taken. What the answer says is not read. */
      '2XX': {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The event could not be taken. It is posted again later. Redirects are not followed. */
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
        /** @description The id of the event, the same on every attempt. Remember it to take no event twice. */
        'webhook-id': components['parameters']['WebhookId']
        /** @description When this attempt was made, in seconds since 1970. Refuse one that is minutes off. */
        'webhook-timestamp': components['parameters']['WebhookTimestamp']
        /**
         * @description Signatures, one for each secret of the service, with spaces between them: `v1,` and the base64 of HMAC-SHA256 over
         *     `webhook-id`, `webhook-timestamp` and the bytes of the body, with dots between them. One that is right is enough.
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
      /** @description The event is not wanted. It is not posted again. */
      410: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The event is taken. What the answer says is not read. */
      '2XX': {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The event could not be taken. It is posted again later. Redirects are not followed. */
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
        /** @description The id of the event, the same on every attempt. Remember it to take no event twice. */
        'webhook-id': components['parameters']['WebhookId']
        /** @description When this attempt was made, in seconds since 1970. Refuse one that is minutes off. */
        'webhook-timestamp': components['parameters']['WebhookTimestamp']
        /**
         * @description Signatures, one for each secret of the service, with spaces between them: `v1,` and the base64 of HMAC-SHA256 over
         *     `webhook-id`, `webhook-timestamp` and the bytes of the body, with dots between them. One that is right is enough.
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
      /** @description The event is not wanted. It is not posted again. */
      410: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The event is taken. What the answer says is not read. */
      '2XX': {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The event could not be taken. It is posted again later. Redirects are not followed. */
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
        /** @description The id of the event, the same on every attempt. Remember it to take no event twice. */
        'webhook-id': components['parameters']['WebhookId']
        /** @description When this attempt was made, in seconds since 1970. Refuse one that is minutes off. */
        'webhook-timestamp': components['parameters']['WebhookTimestamp']
        /**
         * @description Signatures, one for each secret of the service, with spaces between them: `v1,` and the base64 of HMAC-SHA256 over
         *     `webhook-id`, `webhook-timestamp` and the bytes of the body, with dots between them. One that is right is enough.
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
      /** @description The event is not wanted. It is not posted again. */
      410: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The event is taken. What the answer says is not read. */
      '2XX': {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The event could not be taken. It is posted again later. Redirects are not followed. */
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
        /** @description The id of the event, the same on every attempt. Remember it to take no event twice. */
        'webhook-id': components['parameters']['WebhookId']
        /** @description When this attempt was made, in seconds since 1970. Refuse one that is minutes off. */
        'webhook-timestamp': components['parameters']['WebhookTimestamp']
        /**
         * @description Signatures, one for each secret of the service, with spaces between them: `v1,` and the base64 of HMAC-SHA256 over
         *     `webhook-id`, `webhook-timestamp` and the bytes of the body, with dots between them. One that is right is enough.
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
      /** @description The event is not wanted. It is not posted again. */
      410: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The event is taken. What the answer says is not read. */
      '2XX': {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The event could not be taken. It is posted again later. Redirects are not followed. */
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
        /** @description The id of the event, the same on every attempt. Remember it to take no event twice. */
        'webhook-id': components['parameters']['WebhookId']
        /** @description When this attempt was made, in seconds since 1970. Refuse one that is minutes off. */
        'webhook-timestamp': components['parameters']['WebhookTimestamp']
        /**
         * @description Signatures, one for each secret of the service, with spaces between them: `v1,` and the base64 of HMAC-SHA256 over
         *     `webhook-id`, `webhook-timestamp` and the bytes of the body, with dots between them. One that is right is enough.
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
      /** @description The event is not wanted. It is not posted again. */
      410: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The event is taken. What the answer says is not read. */
      '2XX': {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The event could not be taken. It is posted again later. Redirects are not followed. */
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
        /** @description The id of the event, the same on every attempt. Remember it to take no event twice. */
        'webhook-id': components['parameters']['WebhookId']
        /** @description When this attempt was made, in seconds since 1970. Refuse one that is minutes off. */
        'webhook-timestamp': components['parameters']['WebhookTimestamp']
        /**
         * @description Signatures, one for each secret of the service, with spaces between them: `v1,` and the base64 of HMAC-SHA256 over
         *     `webhook-id`, `webhook-timestamp` and the bytes of the body, with dots between them. One that is right is enough.
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
      /** @description The event is not wanted. It is not posted again. */
      410: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The event is taken. What the answer says is not read. */
      '2XX': {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The event could not be taken. It is posted again later. Redirects are not followed. */
      default: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
}
