import { createTransport } from 'nodemailer'
import { withoutBrackets } from '../../lib/networks.ts'
import { down, wrong, type Finding } from '../../lib/startup-error.ts'
import { isNotTls, speaksTls } from '../resilience/speaks-tls.ts'
import { CONNECTION, urlWithTls, type SmtpServer } from './smtp.ts'

const CHECK_MS_MAX = 1500
const PORT = 587
/** Codes of responses to an unknown command, or to one that is not offered now (RFC 5321, section 4.2.4) */
const NO_LOGIN = new Set([500, 502, 503])
/** Codes of errors without a response of the server */
const SILENCE = new Set(['ETIMEDOUT', 'ECONNECTION', 'ESOCKET'])

type SmtpError = Error & { code?: string; responseCode?: number }

/** Logs in to the mail server without sending anything. Returns why it cannot be used; undefined if it can. */
export async function checkMail(server: Pick<SmtpServer, 'url' | 'requiresTls'>): Promise<Finding | undefined> {
  const timeouts = { connectionTimeout: CHECK_MS_MAX, greetingTimeout: CHECK_MS_MAX, socketTimeout: CHECK_MS_MAX }
  // without it, a login that the server does not offer is left out
  const forceAuth = new URL(server.url).username !== ''
  const transport = createTransport({ ...CONNECTION, url: urlWithTls(server), ...timeouts, forceAuth })
  try {
    await transport.verify()
    return undefined
  } catch (error) {
    return await explain(new URL(server.url), error as SmtpError)
  } finally {
    transport.close()
  }
}

async function explain(url: URL, error: SmtpError): Promise<Finding> {
  const problem = (await tlsProblem(url, error)) ?? loginProblem(error)
  return problem === undefined
    ? down(`The mail server cannot be used now: ${error.message}. Check SMTP_URL.`)
    : wrong(problem)
}

function loginProblem({ code, responseCode = 0 }: SmtpError): string | undefined {
  if (code !== 'EAUTH' || responseCode < 500) return undefined
  return NO_LOGIN.has(responseCode)
    ? 'SMTP_URL has a user, but the mail server offers no login on this port.'
    : 'SMTP_URL: the mail server rejects the user or the password.'
}

async function tlsProblem({ protocol, hostname, port }: URL, error: SmtpError): Promise<string | undefined> {
  if (error.code === 'ETLS') return 'SMTP_URL: the mail server does not offer STARTTLS, which production requires.'
  if (protocol === 'smtps:') {
    return isNotTls(error)
      ? 'SMTP_URL begins with smtps, but the server does not begin with TLS. Begin it with smtp, for STARTTLS.'
      : undefined
  }
  if (!SILENCE.has(error.code ?? '')) return undefined
  const server = { host: withoutBrackets(hostname), port: Number(port || PORT) }
  return (await speaksTls(server, CHECK_MS_MAX))
    ? 'SMTP_URL begins with smtp, but the server begins with TLS. Begin it with smtps.'
    : undefined
}
