// Calls of the SDK against a real service, in Node.
import { createTawthiq, isTawthiqError, TawthiqError, type Result } from '@tawthiq/sdk'
import { createAdmin } from '@tawthiq/sdk/admin'
import type { IncomingMessage, ServerResponse } from 'node:http'
import t, { type Test } from 'tap'
import { clientForm, lawyerForm, picture } from '../support/accounts/profile-forms.ts'
import { asForm, clientOf, loggedIn } from '../support/sdk/clients.ts'
import { localServer } from '../support/servers/local-server.ts'
import { openWorld, PASSWORD } from '../support/service/world.ts'

function failure(t: Test, result: Result<unknown>): TawthiqError {
  if (!result.ok) return result.error
  t.fail('the call succeeded')
  throw new Error('the call succeeded')
}

void t.test('resolves to the data of the response, and uses the session for later calls', async (t) => {
  const world = await openWorld()
  const { email } = await world.person()
  const tawthiq = clientOf(world)
  const { account } = await tawthiq.auth.login({ email, password: PASSWORD })
  t.equal(account.email, email)
  const { user } = await tawthiq.profile.get()
  t.equal(user.email, email)
  t.match(await tawthiq.operation('checkToken', undefined), { account: { email, account_type: 'client' } })
})

void t.test('rejects with the code, status and message of the service', async (t) => {
  const world = await openWorld()
  const { email } = await world.person()
  const tawthiq = clientOf(world)
  const error: unknown = await tawthiq.auth.login({ email, password: 'wrong' }).catch((error: unknown) => error)
  t.ok(error instanceof TawthiqError)
  t.ok(isTawthiqError(error) && isTawthiqError(error, 'login') && !isTawthiqError(error, 'register'))
  t.match(error, { code: 'credentials_wrong', status: 401, operation: 'login', requestId: /./, fields: {} })
  t.match((error as Error).message, /password/)
  t.notOk(isTawthiqError(new Error('other')))
})

void t.test('returns a result instead of rejecting on request', async (t) => {
  const world = await openWorld()
  const tawthiq = clientOf(world)
  const refused = await tawthiq.auth
    .login({ email: 'nobody@example.org', password: 'wrong' }, { language: 'ar' })
    .result()
  const error = failure(t, refused)
  t.equal(error.code, 'credentials_wrong')
  t.match(error.message, /[ء-ي]/, 'in the language of the call')
  const served = await tawthiq.lookups.degrees({ q: 'bachelor' }).result()
  t.ok(served.ok && served.data.items.length > 0)
})

void t.test('returns the response with the data on request', async (t) => {
  const world = await openWorld()
  const { data, response } = await clientOf(world).lookups.all().withResponse()
  t.ok(data.countries.length > 200)
  t.equal(response.status, 200)
  t.ok(response.headers.get('etag'))
  await t.rejects(clientOf(world).profile.get().withResponse(), { code: 'token_missing' })
})

void t.test('lists all errors of each invalid field with its code and text', async (t) => {
  const world = await openWorld()
  const person = await world.person()
  const error = failure(t, await clientOf(world).auth.checkPhone({ phone: person.phone, phone_code: '966' }).result())
  t.match(error, { code: 'invalid_data', status: 422, fields: { phone: [{ code: 'phone_taken', text: /number/ }] } })
})

void t.test('answers in the language of the client, of a function or of the call', async (t) => {
  const world = await openWorld()
  let language: 'ar' | 'en' = 'ar'
  const tawthiq = clientOf(world, { language: () => language })
  const first = async (options = {}): Promise<string | undefined> =>
    (await tawthiq.lookups.degrees({}, options)).items[0]?.name
  const arabic = await first()
  t.match(arabic, /[ء-ي]/)
  language = 'en'
  t.match(await first(), /[a-z]/)
  t.equal(await first({ language: 'ar' }), arabic)
})

void t.test('updates a profile with files, downloads and deletes them', async (t) => {
  const world = await openWorld()
  const person = await world.person({ accountType: 'lawyer' })
  const tawthiq = await loggedIn(world, person)
  const files = { profile_photo: picture(), sections: [101], license_no: { 101: '38/1' } }
  const { user } = await tawthiq.profile.update(asForm({ ...lawyerForm(person), ...files }))
  t.match(user, { sections: [101], license_no: { 101: '38/1' }, languages: [8, 40] })

  const photo = await tawthiq.files.get(user.profile_photo ?? '')
  t.match(photo, { type: 'image/png', name: /\.png$/ })
  t.ok(photo.blob.size > 0)
  t.ok(tawthiq.files.url(user.profile_photo ?? '').startsWith(`${world.service.origin}/api/v1/files/`))
  const document = user.account_type === 'lawyer' ? user.national_id_image : null
  t.equal((await tawthiq.files.get(document ?? '')).type, 'image/png', 'a link without a signature')

  await tawthiq.files.delete('profile_photo')
  t.equal((await tawthiq.profile.get()).user.profile_photo, null)
})

void t.test('changes parts of a profile, unless another device has changed it meanwhile', async (t) => {
  const world = await openWorld()
  const tawthiq = await loggedIn(world, await world.person())
  const { response } = await tawthiq.profile.get().withResponse()
  const headers = { 'If-Match': response.headers.get('etag') ?? '' }
  const { user } = await tawthiq.profile.patch({ name: 'نورة' }, { headers })
  t.equal(user.name, 'نورة')
  await t.rejects(tawthiq.profile.patch({ name: 'هند' }, { headers }), { code: 'outdated', status: 412 })
})

void t.test('downloads an archive under the name that the service suggests', async (t) => {
  const world = await openWorld()
  const person = await world.person()
  const tawthiq = await loggedIn(world, person)
  const { blob, name, type } = await tawthiq.account.export()
  t.equal(name, `tawthiq-account-${person.id}.zip`)
  t.equal(type, 'application/zip')
  t.same(new Uint8Array(await blob.slice(0, 2).arrayBuffer()), new TextEncoder().encode('PK'))
})

void t.test('manages sessions, the password and the deletion of an account', async (t) => {
  const world = await openWorld()
  const person = await world.person()
  const [tawthiq, other] = [await loggedIn(world, person), await loggedIn(world, person)]
  const { items } = await tawthiq.sessions.list()
  t.equal(items.length, 2)
  await tawthiq.sessions.revoke(items.find(({ current }) => !current)?.id ?? '')
  await t.rejects(other.profile.get(), { code: 'token_revoked' })
  await tawthiq.profile.changePassword({ current_password: PASSWORD, new_password: 'another good phrase' })
  t.equal((await tawthiq.profile.get()).user.email, person.email, 'with the tokens of the new session')
  await tawthiq.account.requestDeletion({ password: 'another good phrase' })
  await t.rejects(tawthiq.profile.get(), { code: 'token_missing' }, 'a deletion ends the session')
  await tawthiq.auth.login({ email: person.email, password: 'another good phrase' })
  t.ok((await tawthiq.profile.get()).user.deletion_due_at)
  await tawthiq.account.cancelDeletion()
  await tawthiq.auth.logout()
  await t.rejects(tawthiq.profile.get(), { code: 'token_missing' })
})

void t.test('has the operations of administrators in a module of its own', async (t) => {
  const world = await openWorld()
  const person = await world.person()
  const admin = createAdmin(await loggedIn(world, await world.person({ isAdmin: true })))
  t.match(await admin.users.get(person.id), { user: { id: person.id } })
  await admin.users.suspend(person.id, { reason: 'Spam' })
  const error = failure(t, await clientOf(world).auth.login({ email: person.email, password: PASSWORD }).result())
  t.equal(error.code, 'account_suspended')
})

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown

/** Starts a server that counts requests. */
async function countingServer(t: Test, handle: Handler): Promise<{ url: string; count: () => number }> {
  let requests = 0
  const url = await localServer(t, (request, response) => {
    requests++
    handle(request, response)
  })
  return { url, count: () => requests }
}

const unavailable: Handler = (_, response) =>
  response.writeHead(503, { 'retry-after': '0', 'error-code': 'overloaded' }).end('{}')

void t.test('retries reads twice on 503, and no login', async (t) => {
  const { url, count } = await countingServer(t, unavailable)
  const tawthiq = createTawthiq({ url })
  await t.rejects(tawthiq.profile.get(), { code: 'overloaded', status: 503, retryAfter: 0 })
  t.equal(count(), 3)
  await t.rejects(tawthiq.auth.login({ email: 'a@example.org', password: 'x' }), { code: 'overloaded' })
  t.equal(count(), 4)
})

void t.test('retries calls with an Idempotency-Key, with the same key', async (t) => {
  const keys: unknown[] = []
  const { url } = await countingServer(t, (request, response) => {
    keys.push(request.headers['idempotency-key'])
    if (keys.length === 1)
      request.socket.destroy() // the response is lost
    else if (keys.length === 2) response.writeHead(409, { 'error-code': 'idempotency_in_progress' }).end('{}')
    else response.writeHead(200).end('{"status":true,"code":200,"message":"","data":null}')
  })
  const tawthiq = createTawthiq({ url })
  const number = { phone: '0512345678', phone_code: '966' }
  await tawthiq.auth.checkPhone(number)
  t.match(keys[0], /^\d+(-\d+){15}$/)
  t.same(keys, Array(3).fill(keys[0]))
  await tawthiq.auth.checkPhone(number)
  t.not(keys[3], keys[0], 'another call has another key')
  await tawthiq.auth.checkPhone(number, { idempotencyKey: 'q0Zc0CzQm0XJ2v7kQq1f5A' })
  t.equal(keys[4], 'q0Zc0CzQm0XJ2v7kQq1f5A')
})

void t.test('leaves a long Retry-After and a 429 to the caller', async (t) => {
  let status = 503
  const { url, count } = await countingServer(t, (_, response) =>
    response.writeHead(status, { 'retry-after': '60', 'error-code': 'x' }).end(),
  )
  const tawthiq = createTawthiq({ url })
  await t.rejects(tawthiq.lookups.all(), { code: 'unknown', word: 'x', retryAfter: 60 })
  status = 429
  await t.rejects(tawthiq.lookups.all(), { code: 'unknown', status: 429, retryAfter: 60 })
  t.equal(count(), 2)
})

void t.test('fails with network, timeout and aborted in the language of the client', async (t) => {
  const { url, count } = await countingServer(t, () => undefined)
  const tawthiq = createTawthiq({ url, language: 'en' })
  const login = { email: 'a@example.org', password: 'x' }
  await t.rejects(tawthiq.auth.login(login, { timeout: 50 }), { code: 'timeout', status: 0, message: /too long/ })

  const controller = new AbortController()
  const aborted = tawthiq.auth.login(login, { signal: controller.signal, language: 'ar' })
  controller.abort()
  await t.rejects(aborted, { code: 'aborted', message: /الطلب/ })
  const before = count()
  await t.rejects(tawthiq.auth.login(login, { signal: controller.signal }), { code: 'aborted' })
  t.equal(count(), before, 'nothing was sent')

  const closed = createTawthiq({ url: 'http://127.0.0.1:1', language: 'en' })
  await t.rejects(closed.auth.login(login), { code: 'network', message: /reached/ })
})

void t.test('does not show users what a proxy in between says', async (t) => {
  const html: Handler = (_, response) =>
    response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>')
  const tawthiq = createTawthiq({ url: (await countingServer(t, html)).url, language: 'en' })
  await t.rejects(tawthiq.lookups.all(), { code: 'unexpected', status: 502, message: /unexpected/ })
})

void t.test('reports a success of a proxy in between as unexpected', async (t) => {
  const portal: Handler = (_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>')
  const tawthiq = createTawthiq({ url: (await countingServer(t, portal)).url })
  await t.rejects(tawthiq.lookups.all(), { code: 'unexpected', status: 200 })
})

void t.test('accepts a form that the page has made, and a base URL with a path', async (t) => {
  const world = await openWorld()
  const person = await world.person()
  const form = new FormData()
  for (const [name, value] of Object.entries(clientForm(person, { name: 'نورة' }))) form.append(name, value)
  const tawthiq = await loggedIn(world, person)
  t.equal((await tawthiq.profile.update(form)).user.name, 'نورة')

  const paths: (string | undefined)[] = []
  const { url } = await countingServer(t, ({ url: path }, response) => {
    paths.push(path)
    response.end('{"data":{"items":[]}}')
  })
  await createTawthiq({ url: `${url}/gateway/` }).lookups.cities({ region_id: 1, q: 'مكة' })
  t.same(paths, ['/gateway/api/v1/lookups/cities?region_id=1&q=%D9%85%D9%83%D8%A9'])
})
