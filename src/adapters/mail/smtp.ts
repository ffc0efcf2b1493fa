import { createTransport } from 'nodemailer'

export type MailMessage = Readonly<{ to: string; subject: string; text: string; reference: string }>

/** `send` resolves when a mail server has accepted the message. It must not be called unless `isOffered`. */
export type Mail = { isOffered: boolean; send(message: MailMessage): Promise<void>; close(): void }

const CONNECT_MS_MAX = 4000
const IDLE_MS_MAX = 8000

type SmtpServer = { url: string; from: string; requiresTls: boolean }

/**
 * Sends mail through an SMTP server (RFC 5321).
 *
 * @param server.url the address and the credentials
 * @param server.requiresTls whether neither messages nor credentials are sent before TLS is established (RFC 3207)
 */
export function smtpMail({ url, from, requiresTls }: SmtpServer): Mail {
  const transport = createTransport(
    {
      url: requiresTls ? withRequiredTls(url) : url,
      pool: true,
      connectionTimeout: CONNECT_MS_MAX,
      greetingTimeout: CONNECT_MS_MAX,
      socketTimeout: IDLE_MS_MAX,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  )
  return {
    isOffered: true,
    async send({ to, subject, text, reference }) {
      const message = { to: { name: '', address: to }, subject, text, headers: { 'X-Request-Id': reference } }
      await transport.sendMail(message).catch((error: unknown) => {
        throw requiresTls && (error as { code?: string }).code === 'ETLS' ? missingTlsError(error) : error
      })
    },
    close: () => transport.close(),
  }
}

/**
 * Options in the URL override all others, so they are set there. The second one overrides NODE_TLS_REJECT_UNAUTHORIZED.
 */
function withRequiredTls(url: string): string {
  const address = new URL(url)
  address.searchParams.set('requireTLS', 'true')
  address.searchParams.set('tls.rejectUnauthorized', 'true')
  return address.href
}

function missingTlsError(cause: unknown): Error {
  const advice = 'Use a server that does, or add SMTP_URL to ALLOW_INSECURE_URLS.'
  return new Error(`The mail server does not offer STARTTLS, so nothing was sent. ${advice}`, { cause })
}
