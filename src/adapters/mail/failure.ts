/** Why an e-mail was not sent. A final failure is not retried. */
export type MailFailure = Readonly<{ failure: string; isFinal: boolean }>

/** The parts of an error of the SMTP client */
type SmtpError = { code?: string; command?: string; responseCode?: number; response?: string }

/** The commands whose rejection concerns this e-mail. A rejection of others, such as AUTH, concerns all of them. */
const MESSAGE_COMMANDS: readonly unknown[] = ['MAIL FROM', 'RCPT TO', 'DATA']
const PERMANENT_MIN = 500
const NO_TLS = 'no TLS: use a server that offers STARTTLS, or add SMTP_URL to ALLOW_INSECURE_URLS'
const FAILURE_LENGTH_MAX = 200

/**
 * Returns why an e-mail was not sent, without the text of the response, which can contain the recipient's address. A 5xx
 * response to the sender, the recipient or the data is final (RFC 5321, section 4.2.1); everything else is temporary.
 */
export function toMailFailure(error: unknown): MailFailure {
  const { code, command, responseCode, response } = error as SmtpError
  if (code === 'ETLS') return { failure: NO_TLS, isFinal: false }
  if (responseCode === undefined) {
    return { failure: `connection failed: ${code ?? 'unknown error'}`.slice(0, FAILURE_LENGTH_MAX), isFinal: false }
  }
  const enhanced = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response ?? '')?.[1]
  const status = enhanced === undefined ? String(responseCode) : `${responseCode} ${enhanced}`
  const failure = `status ${status} to ${command ?? 'the connection'}`.slice(0, FAILURE_LENGTH_MAX)
  return { failure, isFinal: responseCode >= PERMANENT_MIN && MESSAGE_COMMANDS.includes(command) }
}
