// Checks of other systems at the start: a wrong configuration stops the start, a system that is down does not.
import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { SMTPServer } from 'smtp-server'
import t, { type Test } from 'tap'
import { checkBucket } from '../../src/adapters/files/check.ts'
import { checkRedis } from '../../src/adapters/limits/check.ts'
import { checkMail } from '../../src/adapters/mail/check.ts'
import { openS3 } from '../support/files/s3.ts'
import { CERTIFICATE, CERTIFICATE_KEY } from '../support/servers/certificate.ts'
import { freePort } from '../../scripts/load/parts.ts'

const REDIS_URL = process.env['REDIS_URL']

async function listen(t: Test, server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  return (server.address() as AddressInfo).port
}

/** Listens with TLS and does not respond, as a server of another protocol does. */
async function tlsServer(t: Test): Promise<number> {
  const server = createTlsServer({ cert: CERTIFICATE, key: CERTIFICATE_KEY }, (socket) => {
    t.teardown(() => socket.destroy())
  })
  server.on('tlsClientError', () => undefined)
  return listen(t, server)
}

async function mailServer(t: Test, options: object): Promise<number> {
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    cert: CERTIFICATE,
    key: CERTIFICATE_KEY,
    onAuth: ({ password }, _session, done) =>
      password === 'right' ? done(null, { user: 'sender' }) : done(new Error('Invalid user name or password')),
    ...options,
  })
  server.on('error', () => undefined) // clients disconnect in the middle
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  t.teardown(() => new Promise<void>((resolve) => server.close(resolve)))
  return (listening.address() as AddressInfo).port
}

void t.test('checks the login of the mail server, and the kind of its TLS', async (t) => {
  const plain = await mailServer(t, { disabledCommands: ['STARTTLS'] })
  const secure = await mailServer(t, { secure: true })
  const check = (url: string, requiresTls = false): ReturnType<typeof checkMail> => checkMail({ url, requiresTls })
  t.equal(await check(`smtp://sender:right@127.0.0.1:${plain}`), undefined)
  t.match(await check(`smtp://sender:wrong@127.0.0.1:${plain}`), {
    isFatal: true,
    text: /rejects the user or the password/,
  })
  const anonymous = await mailServer(t, { disabledCommands: ['STARTTLS', 'AUTH'] })
  t.equal(await check(`smtp://127.0.0.1:${anonymous}`), undefined)
  t.match(await check(`smtp://sender:right@127.0.0.1:${anonymous}`), {
    isFatal: true,
    text: 'SMTP_URL has a user, but the mail server offers no login on this port.',
  })
  t.match(await check(`smtp://127.0.0.1:${plain}`, true), { isFatal: true, text: /does not offer STARTTLS/ })
  t.match(await check(`smtps://127.0.0.1:${plain}`), { isFatal: true, text: /begins with smtps/ })
  t.match(await check(`smtp://127.0.0.1:${secure}`), { isFatal: true, text: /begins with smtp, but/ })
  t.match(await check(`smtp://127.0.0.1:${await freePort()}`), {
    isFatal: false,
    text: /cannot be used now.*Check SMTP_URL\.$/,
  })
})

void t.test('checks the bucket and its keys', async (t) => {
  const options = await openS3()
  t.equal(await checkBucket(options), undefined)
  t.match(await checkBucket({ ...options, bucket: 'missing' }), {
    isFatal: true,
    text: 'S3_BUCKET: the bucket missing does not exist. Create it first.',
  })
  t.match(await checkBucket({ ...options, accessKeyId: 'wrong' }), {
    isFatal: true,
    text: /^S3_ACCESS_KEY_ID is not known/,
  })
  t.match(await checkBucket({ ...options, endpoint: options.endpoint?.replace('http', 'https') }), {
    isFatal: true,
    text: /does not speak TLS/,
  })
  t.match(await checkBucket({ ...options, endpoint: `http://127.0.0.1:${await freePort()}` }), { isFatal: false })
})

void t.test('recognizes a server of Redis that is down, and one that speaks TLS', async (t) => {
  const check = (url: string): ReturnType<typeof checkRedis> => checkRedis({ url }, 'test')
  t.match(await check(`redis://127.0.0.1:${await freePort()}`), {
    isFatal: false,
    text: /ECONNREFUSED.*Check REDIS_URL\.$/,
  })
  t.match(await check(`redis://127.0.0.1:${await tlsServer(t)}`), { isFatal: true, text: /Begin it with rediss\.$/ })
})

void t.test(
  'checks the user and the rights in Redis',
  { skip: REDIS_URL === undefined && 'needs a real Redis' },
  async (t) => {
    const url = new URL(REDIS_URL ?? '')
    t.equal(await checkRedis({ url: url.href }, 'test'), undefined)
    url.protocol = 'rediss:'
    t.match(await checkRedis({ url: url.href }, 'test'), { isFatal: true, text: /does not speak TLS/ })
    t.match(await checkRedis({ url: `redis://nobody:wrong@${url.host}` }, 'test'), {
      isFatal: true,
      text: /rejects the user or the password/,
    })
    t.match(await checkRedis({ url: `redis+cluster://${url.host}` }, 'test'), {
      isFatal: true,
      text: /not part of one/,
    })
  },
)
