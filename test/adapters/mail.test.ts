// E-mails as a mail server receives them.
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { dnsCache } from 'nodemailer/lib/shared'
import { SMTPServer } from 'smtp-server'
import t from 'tap'
import { checkMail } from '../../src/adapters/mail/check.ts'
import { smtpMail } from '../../src/adapters/mail/smtp.ts'
import { readConfig } from '../../src/config/index.ts'
import { CERTIFICATE, CERTIFICATE_KEY } from '../support/servers/certificate.ts'
import { openMailServer } from '../support/servers/mail-server.ts'

type ReceivedMail = { from: string; to: string[]; text: string }

type Server = {
  url: string
  received: ReceivedMail[]
  /** What clients sent before TLS was enabled */
  readable: string[]
  /** The passwords that clients sent */
  passwords: string[]
}

const FROM = 'no-reply@example.org'
const MESSAGE = { to: 'sara@example.org', subject: 'x', text: 'token-1', reference: 'r' }
/** The option of a server's URL that trusts its self-signed certificate */
const TRUSTED = `tls.ca=${encodeURIComponent(CERTIFICATE)}`

/** Starts a mail server that accepts and records everything. Without TLS it neither offers nor accepts STARTTLS. */
async function mailServer(tls: 'none' | 'STARTTLS' | 'from the start' = 'none'): Promise<Server> {
  const received: ReceivedMail[] = []
  const readable: string[] = []
  const passwords: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: tls === 'none' ? ['STARTTLS'] : [],
    secure: tls === 'from the start',
    cert: CERTIFICATE,
    key: CERTIFICATE_KEY,
    onAuth({ password }, _session, done) {
      passwords.push(String(password))
      done(null, { user: 'sender' })
    },
    onData(stream, { envelope }, done) {
      let text = ''
      stream.on('data', (bytes: Buffer) => (text += bytes.toString()))
      stream.on('end', () => {
        const from = envelope.mailFrom ? envelope.mailFrom.address : ''
        received.push({ from, to: envelope.rcptTo.map(({ address }) => address), text })
        done()
      })
    },
  })
  server.on('error', () => undefined) // clients that do not trust the certificate disconnect in the middle
  const listening = server.listen(0, '127.0.0.1')
  listening.on('connection', (socket: Socket) => {
    socket.on('data', (bytes: Buffer) => readable.push(bytes.toString('latin1')))
  })
  await once(listening, 'listening')
  t.teardown(() => new Promise<void>((resolve) => server.close(resolve)))
  const scheme = tls === 'from the start' ? 'smtps' : 'smtp'
  const { port } = listening.address() as AddressInfo
  return { url: `${scheme}://127.0.0.1:${port}`, received, readable, passwords }
}

function withPassword(url: string): string {
  return url.replace('://', '://sender:open-sesame@')
}

void t.test('delivers an e-mail in Arabic', async (t) => {
  const { url, received } = await mailServer()
  const mail = smtpMail({ url, from: 'توثيق <no-reply@example.org>', requiresTls: false })
  await mail.send({ to: 'sara@example.org', subject: 'كلمة مرور', text: 'مرحباً', reference: 'r-1' })
  mail.close()
  const [{ from, to, text } = { from: '', to: [], text: '' }] = received
  t.equal(from, 'no-reply@example.org')
  t.same(to, ['sara@example.org'])
  t.match(text, /^Subject: =\?UTF-8\?/m)
  t.match(text, /^X-Request-Id: r-1/im)
  t.match(text.replaceAll(/=\r?\n/g, ''), /=D9=85=D8=B1|2YXYsdit/, 'the text is encoded')
})

void t.test('treats an address with separators as one recipient', async (t) => {
  const { url, received } = await mailServer()
  const mail = smtpMail({ url, from: FROM, requiresTls: false })
  const injected = 'a@example.org\r\nBcc: b@example.org'
  await mail.send({ to: injected, subject: 'x', text: 'x', reference: 'r' }).catch(() => undefined)
  await mail
    .send({ to: 'a@example.org, b@example.org', subject: 'x', text: 'x', reference: 'r' })
    .catch(() => undefined)
  mail.close()
  t.ok(
    received.every(({ to }) => to.length === 1 && to[0] !== 'b@example.org'),
    JSON.stringify(received),
  )
})

void t.test('reports an unreachable server', async (t) => {
  const mail = smtpMail({ url: 'smtp://127.0.0.1:1', from: FROM, requiresTls: false })
  await t.rejects(mail.send({ to: 'a@example.org', subject: 'x', text: 'x', reference: 'r' }))
  mail.close()
})

void t.test('sends neither messages nor credentials without STARTTLS if TLS is required', async (t) => {
  const { url, received, readable, passwords } = await mailServer()
  const undone = ['', '?requireTLS=false', '?ignoreTLS=true', '?opportunisticTLS=true', '?secure=false']
  for (const options of undone) {
    const mail = smtpMail({ url: `${withPassword(url)}${options}`, from: FROM, requiresTls: true })
    await t.rejects(mail.send(MESSAGE), { message: /does not offer STARTTLS.*ALLOW_INSECURE_URLS/ }, options)
    mail.close()
  }
  t.same([received, passwords], [[], []])
  t.ok(readable.length > 0)
  t.notMatch(readable.join(''), /AUTH|MAIL|RCPT|DATA|open-sesame|token-1/i)

  const allowed = smtpMail({ url: withPassword(url), from: FROM, requiresTls: false })
  await allowed.send(MESSAGE)
  allowed.close()
  t.same([received.length, passwords], [1, ['open-sesame']], 'sent without TLS where TLS is not required')
})

void t.test('sends through STARTTLS and through implicit TLS', async (t) => {
  for (const tls of ['STARTTLS', 'from the start'] as const) {
    const { url, received, readable, passwords } = await mailServer(tls)
    const mail = smtpMail({ url: `${withPassword(url)}?${TRUSTED}`, from: FROM, requiresTls: true })
    await mail.send(MESSAGE)
    mail.close()
    t.same([received.length, passwords], [1, ['open-sesame']], tls)
    t.match(received[0]?.text, 'token-1')
    t.notMatch(readable.join(''), /AUTH|MAIL FROM|RCPT|open-sesame|token-1/i, tls)
  }
})

void t.test('sends nothing to an untrusted server if TLS is required', async (t) => {
  for (const tls of ['STARTTLS', 'from the start'] as const) {
    const { url, received, passwords } = await mailServer(tls)
    const untrusted = `${withPassword(url)}?tls.rejectUnauthorized=false`
    const mail = smtpMail({ url: untrusted, from: FROM, requiresTls: true })
    await t.rejects(mail.send(MESSAGE), { message: /self-signed certificate/ }, tls)
    mail.close()
    t.same([received, passwords], [[], []], tls)
  }
})

void t.test('requires TLS in production unless SMTP_URL is in ALLOW_INSECURE_URLS', async (t) => {
  const { url } = await mailServer()
  t.equal(readConfig({ NODE_ENV: 'development', SMTP_URL: url }).mail.requiresTls, false)
  const production = {
    NODE_ENV: 'production',
    DATABASE_URL: 'postgresql://localhost/x',
    REDIS_URL: 'redis://localhost',
    SMS_PROVIDERS: 'webhook',
    SMS_WEBHOOK_URL: 'https://sms.example/',
    KEYS_FILE: '/run/keys.json',
    FILES_DIR: '/srv/files',
    SMTP_URL: `${url}?${TRUSTED}`,
    MAIL_FROM: FROM,
  }
  t.equal(readConfig(production).mail.requiresTls, true)
  t.equal(readConfig({ ...production, ALLOW_INSECURE_URLS: 'SMTP_URL' }).mail.requiresTls, false)
  t.equal(readConfig({ ...production, ALLOW_INSECURE_URLS: 'SMS_WEBHOOK_URL' }).mail.requiresTls, true)
})

void t.test('opens a new connection after a refusal of the server, and none after one of a recipient', async (t) => {
  const server = await openMailServer(t)
  const mail = smtpMail({ url: `${server.url}?maxConnections=1`, from: FROM, requiresTls: false })
  t.teardown(() => mail.close())
  await mail.send(MESSAGE)
  t.equal(server.connections(), 1)
  server.failAt({ step: 'recipient', code: 450, text: '4.2.0 Greylisted' })
  await t.rejects(mail.send(MESSAGE))
  server.failAt(undefined)
  await mail.send(MESSAGE)
  t.equal(server.connections(), 1)
  server.failAt({ step: 'sender', code: 550, text: '5.7.1 Access denied' })
  await t.rejects(mail.send(MESSAGE))
  server.failAt(undefined)
  await mail.send(MESSAGE)
  t.equal(server.connections(), 2)
})

void t.test('looks up the address of the server again after a failure', async (t) => {
  const { url, received } = await mailServer()
  const mail = smtpMail({ url: url.replace('127.0.0.1', 'localhost'), from: FROM, requiresTls: false })
  t.teardown(() => mail.close())
  dnsCache.set('localhost', { value: { addresses: ['127.0.0.2'] }, expires: Date.now() + 300_000 }) // nothing listens there
  await t.rejects(mail.send(MESSAGE), { code: 'ESOCKET' })
  await mail.send(MESSAGE)
  t.equal(received.length, 1)
})

void t.test('checks the login without sending anything', async (t) => {
  const { url, received } = await mailServer()
  t.equal(await checkMail({ url: withPassword(url), requiresTls: false }), undefined)
  t.match(await checkMail({ url: 'smtp://127.0.0.1:1', requiresTls: false }), { isFatal: false, text: /ECONNREFUSED/ })
  t.match(await checkMail({ url, requiresTls: true }), { isFatal: true, text: /STARTTLS/ })
  t.same(received, [])
  const refusing = await openMailServer(t)
  refusing.failAt({ step: 'login', code: 535, text: '5.7.8 no' })
  const finding = await checkMail({ url: withPassword(refusing.url), requiresTls: false })
  t.match(finding, { isFatal: true, text: /rejects the user or the password/ })
})
