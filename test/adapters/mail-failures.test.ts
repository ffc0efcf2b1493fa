// What the responses of mail servers mean, in the words of the servers.
import t from 'tap'
import { toMailFailure, type MailFailure } from '../../src/adapters/mail/failure.ts'

/**
 * `dropped`: no other attempt can succeed. `retried`: only this e-mail is refused for a while. `paused`: the server refuses every
 * e-mail, which opens the circuit. `doubtful`: retried, and given up if others pass meanwhile.
 */
type Effect = 'dropped' | 'retried' | 'paused' | 'doubtful'

type Stage = 'CONN' | 'EHLO' | 'STARTTLS' | 'AUTH PLAIN' | 'MAIL FROM' | 'RCPT TO' | 'DATA'

const RESPONSES: readonly (readonly [server: string, stage: Stage, response: string, effect: Effect])[] = [
  ['Postfix 3.8', 'CONN', '421 4.3.2 All server ports are busy', 'paused'],
  ['Postfix 3.8, postscreen', 'CONN', '521 5.3.2 Service currently unavailable', 'paused'],
  [
    'Postfix 3.8, a blocked client',
    'CONN',
    '554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org',
    'paused',
  ],
  ['Exchange Online', 'EHLO', '451 4.7.0 Temporary server error. Please try again later. PRX4', 'paused'],
  ['Postfix 3.8', 'STARTTLS', '454 4.7.0 TLS not available due to local problem', 'paused'],
  ['Postfix 3.8', 'AUTH PLAIN', '535 5.7.8 Error: authentication failed: UGFzc3dvcmQ6', 'paused'],
  [
    'Exchange Online',
    'AUTH PLAIN',
    '535 5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled for the Tenant.',
    'paused',
  ],
  ['Amazon SES', 'AUTH PLAIN', '535 Authentication Credentials Invalid', 'paused'],
  ['SendGrid', 'AUTH PLAIN', '451 Authentication failed: Maximum credits exceeded', 'paused'],
  [
    'Gmail',
    'MAIL FROM',
    '530-5.7.0 Authentication Required. For more information, go to\n530 5.7.0  https://support.google.com/mail/?p=WantAuthError',
    'paused',
  ],
  ['Postfix 3.8', 'MAIL FROM', '530 5.7.0 Must issue a STARTTLS command first', 'paused'],
  ['OpenSMTPD 7.5', 'MAIL FROM', '530 5.5.1 Invalid command: Must issue an AUTH command first', 'paused'],
  [
    'Postfix 3.8',
    'MAIL FROM',
    '550 5.7.1 <no-reply@example.org>: Sender address rejected: not owned by user app',
    'paused',
  ],
  [
    'Sendmail 8.18',
    'MAIL FROM',
    '553 5.1.8 <no-reply@example.org>... Domain of sender address no-reply@example.org does not exist',
    'paused',
  ],
  ['Exim 4.97', 'MAIL FROM', '552 Message size exceeds maximum permitted', 'paused'],
  ['Postfix 3.8, a full disk', 'MAIL FROM', '452 4.3.1 Insufficient system storage', 'paused'],
  ['SendGrid', 'MAIL FROM', '550 Unauthenticated senders not allowed', 'paused'],
  [
    'Gmail',
    'MAIL FROM',
    '550-5.4.5 Daily user sending limit exceeded. For more information on Gmail\n550 5.4.5 sending limits go to',
    'paused',
  ],
  ['Postfix 3.8', 'RCPT TO', '421 4.7.0 mx1.example.org Error: too many errors', 'paused'],
  ['Postfix 3.8', 'RCPT TO', '554 5.7.1 <sara@example.org>: Relay access denied', 'paused'],
  [
    'Postfix 3.8, smtpd_delay_reject',
    'RCPT TO',
    '550 5.1.8 <no-reply@example.org>: Sender address rejected: Domain not found',
    'paused',
  ],
  [
    'Postfix 3.8, smtpd_delay_reject',
    'RCPT TO',
    '550 5.1.7 <no-reply@example.org>: Sender address rejected: undeliverable address',
    'paused',
  ],
  ['Gmail', 'RCPT TO', '550 5.4.5 Daily SMTP relay sending limit exceeded for customer.', 'paused'],
  [
    'Exchange Online',
    'RCPT TO',
    '550 5.7.708 Service unavailable. Access denied, traffic not accepted from this IP.',
    'paused',
  ],
  ['Exchange Online', 'RCPT TO', '550 5.4.1 Recipient address rejected: Access denied.', 'paused'],
  ['hMailServer 5.6', 'RCPT TO', '530 SMTP authentication is required.', 'paused'],
  ['Postfix 3.8', 'RCPT TO', '503 5.5.1 Error: need MAIL command', 'paused'],
  ['Sendmail 8.18', 'RCPT TO', '550 5.3.0 <sara@example.org>... Rejected by the access map', 'paused'],
  ['Exim 4.97', 'RCPT TO', '550 relay not permitted', 'doubtful'],
  ['Exim 4.97', 'RCPT TO', '550 Unrouteable address', 'doubtful'],
  ['hMailServer 5.6', 'RCPT TO', '550 Unknown user', 'doubtful'],
  ['Postfix 3.8, no SMTPUTF8', 'RCPT TO', '553 5.6.7 Non-ASCII addresses are not permitted', 'doubtful'],
  [
    'Postfix 3.8',
    'RCPT TO',
    '550 5.1.1 <sara@example.org>: Recipient address rejected: User unknown in local recipient table',
    'dropped',
  ],
  [
    'Postfix 3.8',
    'RCPT TO',
    '556 5.1.10 <sara@example.org>: Recipient address rejected: Domain example.org does not accept mail (nullMX)',
    'dropped',
  ],
  [
    'Gmail',
    'RCPT TO',
    '550-5.1.1 The email account that you tried to reach does not exist. Please try\n550-5.1.1 double-checking the address',
    'dropped',
  ],
  [
    'Exchange Online',
    'RCPT TO',
    '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup',
    'dropped',
  ],
  ['Sendmail 8.18', 'RCPT TO', '553 5.1.3 <sara@example.org>... Invalid route address', 'dropped'],
  ['Gmail', 'RCPT TO', '552-5.2.2 The email account that you tried to reach is over quota and inactive.', 'retried'],
  ['Gmail', 'RCPT TO', '550-5.2.1 The email account that you tried to reach is disabled.', 'retried'],
  ['Dovecot 2.3', 'RCPT TO', '552 5.2.2 <sara@example.org> Quota exceeded (mailbox for user is full)', 'retried'],
  [
    'Postfix 3.8, postgrey',
    'RCPT TO',
    '450 4.2.0 <sara@example.org>: Recipient address rejected: Greylisted',
    'retried',
  ],
  ['Exchange Online', 'RCPT TO', '452 4.2.2 Mailbox full', 'retried'],
  [
    'Amazon SES',
    'DATA',
    '554 Message rejected: Email address is not verified. The following identities failed the check',
    'paused',
  ],
  ['Amazon SES', 'DATA', '554 Sending paused for this account. Please check the inbox of the email address', 'paused'],
  ['Amazon SES', 'DATA', '454 Throttling failure: Maximum sending rate exceeded.', 'retried'],
  ['SendGrid', 'DATA', '550 The from address does not match a verified Sender Identity.', 'paused'],
  ['Gmail', 'DATA', '550-5.7.26 This mail has been blocked because the sender is unauthenticated.', 'paused'],
  ['Exchange Online', 'DATA', '550 5.7.60 SMTP; Client does not have permissions to send as this sender', 'paused'],
  ['Postfix 3.8, a broken milter', 'DATA', '554 5.7.1 Command rejected', 'paused'],
  ['Postfix 3.8, a full disk', 'DATA', '451 4.3.0 Error: queue file write error', 'retried'],
  ['Exchange 2019', 'DATA', '554 5.6.0 Invalid message content', 'dropped'],
  ['Exim 4.97', 'DATA', '552 5.6.3 Message has lines too long for transport', 'dropped'],
]

/** Errors of the client, without a response */
const CLIENT_ERRORS: readonly (readonly [code: string, effect: Effect])[] = [
  ['ECONNECTION', 'paused'],
  ['ESOCKET', 'paused'],
  ['ETIMEDOUT', 'paused'],
  ['EDNS', 'paused'],
  ['ETLS', 'paused'],
  ['ENOAUTH', 'paused'],
  ['EABORT', 'paused'],
  ['EENVELOPE', 'doubtful'],
  ['EMESSAGE', 'doubtful'],
]

function effectOf({ isFinal, isOfServer, isRefusal }: MailFailure): Effect {
  if (isFinal) return 'dropped'
  if (isOfServer) return 'paused'
  return isRefusal ? 'doubtful' : 'retried'
}

for (const [server, command, response, effect] of RESPONSES) {
  void t.test(`${effect}: ${response.slice(0, 60)} of ${server} at ${command}`, (t) => {
    const failure = toMailFailure({ command, response, responseCode: Number(response.slice(0, 3)) })
    t.equal(effectOf(failure), effect)
    t.notMatch(failure.failure, /example/, 'the reason names no recipient')
    t.end()
  })
}

for (const [code, effect] of CLIENT_ERRORS) {
  void t.test(`${effect}: ${code} of the client`, (t) => {
    t.equal(effectOf(toMailFailure({ code })), effect)
    t.end()
  })
}
