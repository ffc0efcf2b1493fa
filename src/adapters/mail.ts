import { createTransport } from 'nodemailer'

export type MailMessage = Readonly<{ to: string; subject: string; text: string; reference: string }>

/** `send` resolves when a mail server has taken the message; where none is offered, it is not to be asked. */
export type Mail = { isOffered: boolean; send(message: MailMessage): Promise<void>; close(): void }

const CONNECT_MS_MAX = 4000
const SILENCE_MS_MAX = 8000

/** Mail by a server (RFC 5321), whose `url` names it and who we are there. */
export function smtpMail({ url, from }: { url: string; from: string }): Mail {
  const transport = createTransport(
    {
      url,
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
      await transport.sendMail({ to: { name: '', address: to }, subject, text, headers: { 'X-Request-Id': reference } })
    },
    close: () => transport.close(),
  }
}

/** Where there is no mail server, nobody is told otherwise. */
export const noMail: Mail = {
  isOffered: false,
  send: () => Promise.reject(new Error('there is no mail server')),
  close: () => undefined,
}
