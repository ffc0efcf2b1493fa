// The service behind nginx and Caddy, with the configurations that deploy/ provides.
import { request, type RequestOptions } from 'node:https'
import type { IncomingHttpHeaders } from 'node:http'
import t, { type Test } from 'tap'
import { openService, type Service } from '../../support/service/service.ts'
import { openWorld } from '../../support/service/world.ts'
import { CERTIFICATE } from '../../support/servers/certificate.ts'
import { isInstalled, PROXIES, startReverseProxy } from '../../support/servers/reverse-proxies.ts'
import { image } from '../../support/files/files.ts'
import { clientForm } from '../../support/accounts/profile-forms.ts'

const MEGABYTE = 1024 * 1024
const FORM = { 'content-type': 'multipart/form-data; boundary=b' }
const FIRST = '127.0.0.2'
const SECOND = '127.0.0.3'

type Answer = { status: number; headers: IncomingHttpHeaders; body: string }

/** Sends requests to a proxy from one of the addresses of this machine. */
function clientOf(port: number) {
  return (path: string, { body, ...options }: RequestOptions & { body?: Uint8Array | string } = {}): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path, ca: CERTIFICATE, agent: false, ...options }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const { statusCode = 0, headers } = response
          resolve({ status: statusCode, headers, body: Buffer.concat(chunks).toString() })
        })
      })
      sent.on('error', reject)
      sent.end(body)
    })
}

/** Returns a form whose file has a number of bytes. */
function formOf(bytes: number): Buffer {
  const head = '--b\r\nContent-Disposition: form-data; name="photo"; filename="x"\r\nContent-Type: image/png\r\n\r\n'
  return Buffer.concat([Buffer.from(head), Buffer.alloc(bytes), Buffer.from('\r\n--b--\r\n')])
}

async function bytesOf(form: FormData): Promise<{ headers: Record<string, string>; body: Uint8Array }> {
  const whole = new Request('http://x/', { method: 'POST', body: form })
  const headers = { 'content-type': whole.headers.get('content-type') ?? '' }
  return { headers, body: new Uint8Array(await whole.arrayBuffer()) }
}

/** Sends a login whose second half follows later. */
function slowRequest(port: number, body: string): { finish(): Promise<number | undefined> } {
  const headers = { 'content-type': 'application/json', 'content-length': body.length }
  const sent = request({
    host: '127.0.0.1',
    port,
    path: '/api/v1/auth/login',
    method: 'POST',
    ca: CERTIFICATE,
    headers,
  })
  const status = new Promise<number | undefined>((resolve, reject) => {
    sent.on('response', ({ statusCode }) => resolve(statusCode)).on('error', reject)
  })
  const half = body.length / 2
  sent.write(body.slice(0, half))
  return {
    finish() {
      sent.end(body.slice(half))
      return status
    },
  }
}

function codeOf({ status, headers }: Answer): string {
  return `${status} ${String(headers['error-code'])}`
}

const names = Object.keys(PROXIES).filter(isInstalled)
const skip = names.length > 0 ? false : 'neither nginx nor Caddy is installed'

void t.test('behind a reverse proxy', { skip }, async (t) => {
  const service = await openService({ config: { isProduction: true, trustedProxies: ['127.0.0.1'] } })
  const ports = new Map<string, number>()
  for (const name of names) ports.set(name, await startReverseProxy(name, service.origin))
  for (const [name, port] of ports) await t.test(name, (t) => checkProxy(t, service, port))
  await service.close()

  for (const [name, port] of ports) {
    await t.test(`${name} returns 503 in the format of the service while no instance runs`, async (t) => {
      const answer = await clientOf(port)('/api/v1/lookups/languages')
      t.equal(codeOf(answer), '503 overloaded')
      t.equal(answer.headers['retry-after'], '1')
      t.has(JSON.parse(answer.body), { status: false, code: 503, data: null })
    })
  }
})

async function checkProxy(t: Test, service: Service, port: number): Promise<void> {
  const send = clientOf(port)

  await t.test('forwards requests with one id and the headers of the service', async (t) => {
    const { status, headers } = await send('/api/v1/lookups/languages')
    t.equal(status, 200)
    t.match(headers['x-request-id'], /^[\w-]+$/, 'one id')
    t.match(headers['strict-transport-security'], /^max-age=\d+; includeSubDomains$/, 'one header')
  })

  await t.test('counts limits for the client, whatever it sends in X-Forwarded-For', async (t) => {
    const remaining = async (localAddress: string, forged: string): Promise<number> => {
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': forged }
      const body = JSON.stringify({ email: `stranger-${port}@example.org`, password: 'wrong password' })
      const answer = await send('/api/v1/auth/login', { method: 'POST', localAddress, headers, body })
      const rests = String(answer.headers['ratelimit']).matchAll(/r=(\d+)/g)
      return Math.min(...[...rests].map(([, rest]) => Number(rest)))
    }
    const first = await remaining(FIRST, '203.0.113.1')
    t.equal(await remaining(FIRST, '203.0.113.2'), first - 1)
    t.equal(await remaining(SECOND, '203.0.113.1'), first)
  })

  await t.test('forwards the largest bodies, and rejects larger ones in the format of the service', async (t) => {
    const person = await (await openWorld(service)).person()
    const headers = { ...FORM, authorization: `Bearer ${await person.token()}` }
    const update = (bytes: number): Promise<Answer> =>
      send('/api/v1/profile', { method: 'PUT', headers, body: formOf(bytes) })
    t.equal(codeOf(await update(40 * MEGABYTE - 1024)), '422 invalid_data', 'the service validates it')
    t.equal(codeOf(await update(40 * MEGABYTE + 1)), '413 body_too_large', 'the service rejects it')

    const form = new FormData()
    for (const [key, value] of Object.entries(clientForm(person))) form.append(key, value)
    form.append('profile_photo', new Blob([new Uint8Array(await image('png', 800, 600))]), 'photo.png')
    const { headers: type, body } = await bytesOf(form)
    t.equal((await send('/api/v1/profile', { method: 'PUT', headers: { ...headers, ...type }, body })).status, 200)
  })

  await t.test('serves other clients while one sends slowly', async (t) => {
    const body = JSON.stringify({ email: 'slow@example.org', password: 'wrong password' })
    const slow = slowRequest(port, body)
    t.equal((await send('/api/v1/lookups/languages')).status, 200)
    t.equal(await slow.finish(), 401)
  })

  await t.test('hides probes and the outbox', async (t) => {
    for (const path of ['/health/ready', '/health/live', '/dev/outbox']) {
      const answer = await send(path)
      t.equal(codeOf(answer), '404 route_unknown', path)
      t.has(JSON.parse(answer.body), { status: false, code: 404, data: null })
    }
  })
}
