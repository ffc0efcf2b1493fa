// A mail server that records what it accepts, and fails as a test wants.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import type { Test } from 'tap'

export type AcceptedMail = { to: string; subject: string; messageId: string; text: string }

export type MailServer = {
  url: string
  accepted: AcceptedMail[]
  /** The number of recipients that clients have tried */
  tries(): number
  /** The number of connections that clients have opened */
  connections(): number
  /** Fails from now on at a step with a response; undefined works again. */
  failAt(failure: Failure | undefined): void
}

type Failure =
  | { step: 'connect' | 'login' | 'sender' | 'recipient' | 'data'; code: number; text?: string; to?: string }
  | { step: 'silence' }

type Done = (error?: Error | null) => void

export async function openMailServer(t: Pick<Test, 'teardown'>): Promise<MailServer> {
  const accepted: AcceptedMail[] = []
  let failure: Failure | undefined
  let tries = 0
  let connections = 0
  const unless = (step: Failure['step'], done: Done, to?: string): void => {
    if (failure?.step !== step || ('to' in failure && failure.to !== to)) done()
    else if ('code' in failure) done(toError(failure.code, failure.text))
  }
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onConnect(_session, done) {
      connections++
      unless('connect', done)
    },
    onMailFrom: (_address, _session, done) => unless('sender', done),
    onAuth: (_given, _session, done) => unless('login', (error) => done(error ?? null, { user: 'sender' })),
    onRcptTo(_address, _session, done) {
      tries++
      // a client that is connected or logged in already has to connect again
      if (failure?.step === 'connect' || failure?.step === 'login') done(toError(421))
      else unless('recipient', done)
    },
    onData(stream, { envelope }, done) {
      const parts: Buffer[] = []
      stream.on('data', (bytes: Buffer) => parts.push(bytes))
      stream.on('end', () => {
        const mail = parse(Buffer.concat(parts).toString(), envelope.rcptTo[0]?.address ?? '')
        if (failure?.step !== 'data' || ('to' in failure && failure.to !== mail.to)) accepted.push(mail)
        if (failure?.step !== 'silence') unless('data', done, mail.to)
      })
    },
  })
  server.on('error', () => undefined) // clients that are killed disconnect in the middle
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  t.teardown(() => new Promise<void>((resolve) => server.close(resolve)))
  const { port } = listening.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    accepted,
    tries: () => tries,
    connections: () => connections,
    failAt(next) {
      failure = next
    },
  }
}

function toError(responseCode: number, text = 'no'): Error {
  return Object.assign(new Error(text), { responseCode })
}

/** Parses a message with plain text, which is quoted-printable only because of long lines. */
function parse(source: string, to: string): AcceptedMail {
  const header = (name: string): string => new RegExp(`^${name}: (.*)$`, 'im').exec(source)?.[1]?.trim() ?? ''
  const body = source.slice(source.indexOf('\r\n\r\n') + 4).replaceAll('=\r\n', '')
  const text = body.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
  return { to, subject: header('Subject'), messageId: header('Message-ID'), text }
}
