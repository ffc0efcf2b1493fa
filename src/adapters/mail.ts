import { createTransport } from 'nodemailer'

export type MailMessage = Readonly<{ to: string; subject: string; text: string; reference: string }>

/** `send` resolves when a mail server has taken the message; where none is offered, it is not to be asked. */
export type Mail = { isOffered: boolean; send(message: MailMessage): Promise<void>; close(): void }

const CONNECT_MS_MAX = 4000
const SILENCE_MS_MAX = 8000

type Server = { url: string; from: string; requiresTls: boolean }

/**
 * Mail by a server (RFC 5321), whose `url` names it and who we are there.
 *
 * @param server.requiresTls whether the server is sent neither a message nor a password before TLS is on (RFC 3207)
 */
export function smtpMail({ url, from, requiresTls }: Server): Mail {
  const transport = createTransport(
    {
      url: requiresTls ? withRequiredTls(url) : url,
      pool: true,
      connectionTimeout: CONNECT_MS_MAX,
      greetingTimeout: CONNECT_MS_MAX,
      socketTimeout: SILENCE_MS_MAX,
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
        throw requiresTls && (error as { code?: string }).code === 'ETLS' ? withoutTls(error) : error
      })
    },
    close: () => transport.close(),
  }
}

/** The options of the URL win over all others, so they are set there. The second one wins over NODE_TLS_REJECT_UNAUTHORIZED. */
function withRequiredTls(url: string): string {
  const address = new URL(url)
  address.searchParams.set('requireTLS', 'true')
  address.searchParams.set('tls.rejectUnauthorized', 'true')
  return address.href
}

function withoutTls(cause: unknown): Error {
  const advice = 'Use a server that does, or list SMTP_URL in ALLOW_INSECURE_URLS.'
  return new Error(`The mail server does not offer STARTTLS, so nothing was sent. ${advice}`, { cause })
}

/** Where there is no mail server, nobody is told otherwise. */
export const noMail: Mail = {
  isOffered: false,
  send: () => Promise.reject(new Error('there is no mail server')),
  close: () => undefined,
}
