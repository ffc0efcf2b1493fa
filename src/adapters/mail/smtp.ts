import { createTransport, type Transporter } from 'nodemailer'
import { dnsCache } from 'nodemailer/lib/shared'
import type { MailMessage } from '../../domain/mail.ts'
import { toMailFailure } from './failure.ts'

/** `messageId` is the same whenever the message is sent, so that mail servers can recognize a duplicate. */
export type SentMessage = MailMessage & { messageId?: string }

/** `send` resolves when a mail server has accepted the message. It must not be called unless `isOffered`. */
export type Mail = { isOffered: boolean; send(message: SentMessage): Promise<void>; close(): void }

const CONNECT_MS_MAX = 4000
const IDLE_MS_MAX = 8000
/** How long sending may take in all, also to a server that sends its responses byte by byte */
const SEND_MS_MAX = 60_000

/** The options of connections to a mail server, besides its URL */
export const CONNECTION = {
  connectionTimeout: CONNECT_MS_MAX,
  greetingTimeout: CONNECT_MS_MAX,
  socketTimeout: IDLE_MS_MAX,
  disableFileAccess: true,
  disableUrlAccess: true,
}

type Pool = { transport: Pick<Transporter, 'sendMail' | 'close'>; running: number }

export type SmtpServer = { url: string; from: string; requiresTls: boolean }

/**
 * Sends mail through an SMTP server (RFC 5321).
 *
 * @param server.requiresTls whether neither messages nor credentials are sent before TLS is established (RFC 3207)
 */
export function smtpMail(server: SmtpServer): Mail {
  const { from, requiresTls } = server
  // The pool sends nothing again by itself: the outbox decides about retries.
  const options = { ...CONNECTION, url: urlWithTls(server), pool: true, maxRequeues: 0 } as const
  const openPool = (): Pool => ({ transport: createTransport(options, { from }), running: 0 })
  let pool = openPool()
  const closing = new AbortController()
  const domain = /@([^@>\s]+)>?\s*$/.exec(from)?.[1] ?? 'localhost'
  return {
    isOffered: true,
    async send({ to, subject, text, reference, messageId }) {
      const message = {
        to: { name: '', address: to },
        subject,
        text,
        ...(messageId !== undefined && { messageId: `<${messageId}@${domain}>` }),
        headers: { 'X-Request-Id': reference },
        signal: AbortSignal.any([AbortSignal.timeout(SEND_MS_MAX), closing.signal]),
      }
      const used = pool
      used.running++
      try {
        await used.transport.sendMail(message)
      } catch (error) {
        // A server that refuses everything may be the wrong one, whose connections and address the client would use again.
        if (toMailFailure(error).isOfServer && used === pool) {
          dnsCache.clear()
          pool = openPool()
        }
        throw requiresTls && (error as { code?: string }).code === 'ETLS' ? missingTlsError(error) : error
      } finally {
        if (--used.running === 0 && used !== pool) used.transport.close()
      }
    },
    close() {
      closing.abort()
      pool.transport.close({ force: true })
    },
  }
}

/**
 * Returns the URL of a mail server with the options of TLS: those in a URL override all others. The second one overrides
 * NODE_TLS_REJECT_UNAUTHORIZED.
 */
export function urlWithTls({ url, requiresTls }: Pick<SmtpServer, 'url' | 'requiresTls'>): string {
  if (!requiresTls) return url
  const address = new URL(url)
  address.searchParams.set('requireTLS', 'true')
  address.searchParams.set('tls.rejectUnauthorized', 'true')
  return address.href
}

function missingTlsError(cause: unknown): Error {
  const advice = 'Use a server that does, or add SMTP_URL to ALLOW_INSECURE_URLS.'
  const message = `The mail server does not offer STARTTLS, so nothing was sent. ${advice}`
  return Object.assign(new Error(message, { cause }), { code: 'ETLS' })
}
