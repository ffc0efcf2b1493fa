// A file store, a mail server or an SMS provider in a process of its own, so that it can be killed and frozen:
// `stand-in.js <kind> <port> <folder>`. The file `mode` of the folder says how it responds.
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { createSimulator } from '../../sms-simulator/server.ts'
import { createS3 } from '../../../test/support/files/conditional-s3.ts'

const [, , kind = '', port = '', folder = ''] = process.argv
const INBOX = join(folder, 'inbox')
const READS = ['GET', 'HEAD']

/** Returns `read-only`, `full` or `denied` while a fault applies. The file may be missing. */
function mode(): string {
  try {
    return readFileSync(join(folder, 'mode'), 'utf8')
  } catch {
    return ''
  }
}

function receive(message: object): void {
  appendFileSync(INBOX, `${JSON.stringify(message)}\n`) // before it is accepted, so that a kill loses no line
}

async function serveFiles(): Promise<void> {
  const server = createS3(join(folder, 'objects'), ['files'], 'honored', Number(port))
  server.middleware.unshift(async (request, next) => {
    const refusal = READS.includes(request.method) && mode() !== 'denied' ? undefined : S3_REFUSALS[mode()]
    if (refusal) Object.assign(request, { ...refusal, type: 'application/xml' })
    else await next()
  })
  await server.run()
}

/** AWS denies writes with 403; MinIO reports a full disk with 507. */
const S3_REFUSALS: Readonly<Record<string, { status: number; body: string }>> = {
  'read-only': { status: 403, body: '<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>' },
  denied: {
    status: 403,
    body: '<Error><Code>InvalidAccessKeyId</Code><Message>The key does not exist</Message></Error>',
  },
  full: { status: 507, body: '<Error><Code>XMinioStorageFull</Code><Message>Storage is full</Message></Error>' },
}

const MAIL_REFUSALS: Readonly<Record<string, { code: number; text: string }>> = {
  full: { code: 452, text: '4.3.1 Insufficient system storage' },
  denied: { code: 530, text: '5.7.0 Authentication required' },
}

const SMS_REFUSALS: Readonly<Record<string, number>> = { full: 503, denied: 401 }

function serveMail(): void {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onMailFrom: (_address, _session, done) => {
      const refusal = MAIL_REFUSALS[mode()]
      done(refusal ? Object.assign(new Error(refusal.text), { responseCode: refusal.code }) : null)
    },
    onData(stream, _session, done) {
      text(stream)
        .then((source) => receive({ reference: /^X-Request-Id: (.*)$/im.exec(source)?.[1]?.trim() }))
        .then(() => done(), done)
    },
  })
  server.on('error', () => undefined) // clients that are killed disconnect in the middle
  server.listen(Number(port), '127.0.0.1')
}

async function serveSms(): Promise<void> {
  const server = createSimulator(({ to }) => receive({ to }))
  server.addHook('onRequest', async (_request, reply) => {
    const refusal = SMS_REFUSALS[mode()]
    if (refusal !== undefined) await reply.code(refusal).send()
  })
  await server.listen({ host: '127.0.0.1', port: Number(port) })
}

if (kind === 'files') await serveFiles()
else if (kind === 'mail') serveMail()
else await serveSms()
