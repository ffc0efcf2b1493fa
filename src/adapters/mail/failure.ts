/**
 * Why an e-mail was not sent. A final failure is not retried. A failure of the server, such as a rejected login or a full
 * disk, would meet any other e-mail too.
 */
export type MailFailure = Readonly<{ failure: string; isFinal: boolean; isOfServer: boolean }>

/** The parts of an error of the SMTP client */
type SmtpError = { code?: string; command?: string; responseCode?: number; response?: string }

/** The commands whose rejection concerns this e-mail. A rejection of others, such as AUTH, concerns all of them. */
const MESSAGE_COMMANDS: readonly unknown[] = ['MAIL FROM', 'RCPT TO', 'DATA']
const PERMANENT_MIN = 500
/** The server is about to close the connection (RFC 5321, section 3.8) */
const CLOSING = 421
const NO_TLS = 'no TLS: use a server that offers STARTTLS, or add SMTP_URL to ALLOW_INSECURE_URLS'
const FAILURE_LENGTH_MAX = 200

/**
 * Returns why an e-mail was not sent, without the text of the response, which can contain the recipient's address. A 5xx
 * response to the sender, the recipient or the data is final (RFC 5321, section 4.2.1); everything else is temporary.
 */
export function toMailFailure(error: unknown): MailFailure {
  const { code, command, responseCode, response } = error as SmtpError
  if (code === 'ETLS') return { failure: NO_TLS, isFinal: false, isOfServer: true }
  if (responseCode === undefined) {
    const failure = `connection failed: ${code ?? 'unknown error'}`.slice(0, FAILURE_LENGTH_MAX)
    return { failure, isFinal: false, isOfServer: true }
  }
  const enhanced = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response ?? '')?.[1]
  const status = enhanced === undefined ? String(responseCode) : `${responseCode} ${enhanced}`
  const failure = `status ${status} to ${command ?? 'the connection'}`.slice(0, FAILURE_LENGTH_MAX)
  const isFinal = responseCode >= PERMANENT_MIN && MESSAGE_COMMANDS.includes(command)
  // All e-mails have the same sender.
  const isOfServer =
    !isFinal && (responseCode === CLOSING || command === 'MAIL FROM' || !MESSAGE_COMMANDS.includes(command))
  return { failure, isFinal, isOfServer }
}
