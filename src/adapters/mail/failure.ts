/**
 * Why an e-mail was not sent. A final failure is not retried. A failure of the server, such as a rejected login, a full disk or a
 * refused sender, would meet any other e-mail too. A 5xx response is a refusal: it may concern only this e-mail, which shows if
 * the server accepts others.
 */
export type MailFailure = Readonly<{ failure: string; isFinal: boolean; isOfServer: boolean; isRefusal: boolean }>

type SmtpError = { code?: string; command?: string; responseCode?: number; response?: string }

type FailureKind = Omit<MailFailure, 'failure'>

const OF_SERVER: FailureKind = { isFinal: false, isOfServer: true, isRefusal: false }
const REFUSED_BY_SERVER: FailureKind = { ...OF_SERVER, isRefusal: true }
/** It is not known whether other e-mails are refused too. */
const REFUSED: FailureKind = { isFinal: false, isOfServer: false, isRefusal: true }
const TEMPORARY: FailureKind = { isFinal: false, isOfServer: false, isRefusal: false }
const FINAL: FailureKind = { isFinal: true, isOfServer: false, isRefusal: false }

const PERMANENT_MIN = 500
/** The server is about to close the connection (RFC 5321, section 3.8) */
const CLOSING = 421
/** The codes for a recipient in RFC 5321, section 4.2.2. Servers use them for the sender and for relaying, too. */
const RECIPIENT_CODES = [550, 551, 552, 553]
/** Errors of the SMTP client about the message or its recipient, before it sends them */
const MESSAGE_ERRORS: readonly unknown[] = ['EENVELOPE', 'EMESSAGE', 'ESTREAM']
const NO_TLS = 'no TLS: use a server that offers STARTTLS, or add SMTP_URL to ALLOW_INSECURE_URLS'
const FAILURE_LENGTH_MAX = 200

/** Returns why an e-mail was not sent, without the text of the response, which can contain the recipient's address. */
export function toMailFailure(error: unknown): MailFailure {
  const { code, command, responseCode, response } = error as SmtpError
  if (code === 'ETLS') return { failure: NO_TLS, ...OF_SERVER }
  if (responseCode === undefined) {
    const failure = `connection failed: ${code ?? 'unknown error'}`.slice(0, FAILURE_LENGTH_MAX)
    return { failure, ...(MESSAGE_ERRORS.includes(code) ? REFUSED : OF_SERVER) }
  }
  const enhanced = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response ?? '')?.[1]
  const status = enhanced === undefined ? String(responseCode) : `${responseCode} ${enhanced}`
  const failure = `status ${status} to ${command ?? 'the connection'}`.slice(0, FAILURE_LENGTH_MAX)
  return { failure, ...classify(command, responseCode, enhanced?.slice(2)) }
}

/** @param detail the subject and the detail of the enhanced status code (RFC 3463), such as `1.1` */
function classify(command: string | undefined, code: number, detail: string | undefined): FailureKind {
  if (code === CLOSING) return OF_SERVER
  if (command === 'RCPT TO') return code < PERMANENT_MIN ? TEMPORARY : classifyRecipient(code, detail)
  if (command === 'DATA') return code < PERMANENT_MIN ? TEMPORARY : classifyContent(detail)
  // All e-mails have the same sender.
  return command === 'MAIL FROM' && code >= PERMANENT_MIN ? REFUSED_BY_SERVER : OF_SERVER
}

/** Classifies a 5xx response to a recipient. Servers may refuse the sender or the client only then (Postfix: `smtpd_delay_reject`). */
function classifyRecipient(code: number, detail = '0.0'): FailureKind {
  if (/^1\.[78]$/.test(detail)) return REFUSED_BY_SERVER // the address of the sender
  if (detail.startsWith('1.')) return FINAL
  if (detail.startsWith('2.')) return TEMPORARY // a mailbox that is full or disabled
  return /^[06]\./.test(detail) && RECIPIENT_CODES.includes(code) ? REFUSED : REFUSED_BY_SERVER
}

function classifyContent(detail = '0.0'): FailureKind {
  return detail.startsWith('6.') ? FINAL : REFUSED_BY_SERVER
}
