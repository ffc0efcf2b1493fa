// The service in production mode, with a database server, Redis and an SMS provider: two instances act as one.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { newKeys } from '../../../src/adapters/keys/index.ts'
import { start, temporaryFolder } from '../../support/processes/process.ts'
import { ownDatabase } from '../../support/service/databases.ts'

const REDIS_URL = process.env['REDIS_URL']
const skip = process.env['DATABASE_URL'] && REDIS_URL ? false : 'it needs DATABASE_URL and REDIS_URL'

void t.test('production', { skip }, async (t) => {
  const texts: string[] = []
  const webhook = createServer((request, response) => {
    request.on('data', (bytes: Buffer) => texts.push(bytes.toString())).on('end', () => response.end())
  })
  await new Promise<void>((resolve) => webhook.listen(0, '127.0.0.1', resolve))
  const own = await ownDatabase()
  t.teardown(async () => {
    webhook.close()
    await own.drop()
  })
  const environment = {
    ...own.environment,
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    REDIS_URL: REDIS_URL ?? '',
    REDIS_PREFIX: `test-${randomUUID()}`,
    SMS_PROVIDERS: 'webhook',
    SMS_WEBHOOK_URL: `http://127.0.0.1:${(webhook.address() as AddressInfo).port}/send`,
    ALLOW_INSECURE_URLS: 'SMS_WEBHOOK_URL',
    KEYS: newKeys(),
    FILES_DIR: temporaryFolder(),
  }
  const [first, second] = await Promise.all([start(environment), start(environment)])

  const form = new FormData()
  form.append('phone_code', '966')
  form.append('phone', '0512345678')
  const sent = await fetch(`${first.origin}/api/v1/auth/check-phone`, { method: 'POST', body: form })
  t.equal(sent.status, 200)
  t.match(sent.headers.get('strict-transport-security'), /max-age/)
  const { text } = JSON.parse(texts[0] ?? '{}') as { text?: string }
  const otp = /\d{6}/.exec(text ?? '')?.[0] ?? ''
  form.append('otp', otp)
  const confirmed = await fetch(`${second.origin}/api/v1/auth/confirm-phone`, { method: 'POST', body: form })
  t.equal(confirmed.status, 200, 'the other instance knows the code')

  const login = { email: 'client@demo.test', password: 'Tawthiq-demo-1' }
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify(login)
  const refused = await fetch(`${first.origin}/api/v1/auth/login`, { method: 'POST', headers, body })
  t.equal(refused.status, 401, 'there are no demo accounts')
  t.equal((await fetch(`${first.origin}/dev/outbox`)).status, 404)
  const log = first.output() + second.output()
  for (const secret of ['512345678', 'Tawthiq-demo', ` ${otp}`, `"${otp}`])
    t.notOk(log.includes(secret), 'the log contains no secrets')
  t.same(await Promise.all([first.kill('SIGTERM'), second.kill('SIGTERM')]), [0, 0])
})
