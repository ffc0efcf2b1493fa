// A client that knows only the interface: it sends only the fields of the interface, and reads only the members of responses
// that the interface names. It logs in once and stores its token.
import t, { type Test } from 'tap'
import { openWorld, PASSWORD, type World } from '../../support/service/world.ts'

const MINUTE_MS = 60_000

type Envelope = { status: boolean; code: number; message: string; data: unknown }
type User = Record<string, string | number>

type Client = {
  post(path: string, body: FormData | string, type?: string): Promise<Envelope>
  get(path: string): Promise<Envelope>
  put(path: string, form: FormData): Promise<Envelope>
  logIn(email: string, password: string): Promise<Envelope>
}

function interfaceClient({ service: { origin }, address }: World): Client {
  let token = ''
  const send = async (method: string, path: string, init: RequestInit = {}): Promise<Envelope> => {
    const headers = new Headers(init.headers)
    headers.set('x-forwarded-for', address)
    if (token !== '') headers.set('authorization', `Bearer ${token}`)
    const response = await fetch(`${origin}/api/v1${path}`, { ...init, method, headers })
    const envelope = (await response.json()) as Envelope
    if (envelope.code !== response.status) throw new Error(`${path}: ${envelope.code} in a response ${response.status}`)
    return envelope
  }
  const post: Client['post'] = (path, body, type) =>
    send('POST', path, { body, ...(type !== undefined && { headers: { 'content-type': type } }) })
  return {
    post,
    get: (path) => send('GET', path),
    put: (path, body) => send('PUT', path, { body }),
    async logIn(email, password) {
      const envelope = await post('/auth/login', JSON.stringify({ email, password }), 'application/json')
      if (envelope.status) token = (envelope.data as { account: { token: string } }).account.token
      return envelope
    },
  }
}

function form(fields: Record<string, string | number>): FormData {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.append(name, String(value))
  return body
}

/** The fields of a client's profile, as the interface lists them in 4.5. */
const FIELDS = `email phone phone_code region_id country_id city_id type account_type gender longitude latitude
  nationality_id name`.split(/\s+/)

async function profileForm(t: Test, client: Client): Promise<User> {
  const { code, data } = await client.get('/profile')
  t.equal(code, 200)
  const { user } = data as { user: User }
  return Object.fromEntries(FIELDS.map((name) => [name, user[name] ?? '']))
}

void t.test('a client of the interface logs in, reads and updates', async (t) => {
  const world = await openWorld()
  const { email } = await world.person()
  const client = interfaceClient(world)
  const { data, code } = await client.logIn(email, PASSWORD)
  t.equal(code, 200)
  t.same(Object.keys((data as { account: object }).account).sort(), ['email', 'token'])

  const { account } = (await client.get('/auth/check')).data as { account: object }
  t.match(account, { id: Number, email, account_type: 'client' })
  t.same((await client.get('/admin/check')).data, { is_admin: false })
  const user = await profileForm(t, client)
  t.match(await client.put('/profile', form({ ...user, name: 'ريم الدوسري' })), { status: true, code: 200 })
  t.equal((await profileForm(t, client))['name'], 'ريم الدوسري')
})

void t.test('accepts an unchanged profile from an old session', async (t) => {
  const world = await openWorld()
  const { email } = await world.person()
  const client = interfaceClient(world)
  await client.logIn(email, PASSWORD)
  const user = await profileForm(t, client)
  world.wait(50 * MINUTE_MS)
  t.match(await client.put('/profile', form(user)), { status: true, code: 200 })
  t.match(await client.put('/profile', form({ ...user, gender: 'Male' })), { status: true, code: 200 })
})

void t.test('changes password, phone number and e-mail address after a login', async (t) => {
  const world = await openWorld()
  const { email } = await world.person()
  const client = interfaceClient(world)
  await client.logIn(email, PASSWORD)
  const user = await profileForm(t, client)
  const phone = world.newPhone()
  const number = { phone, phone_code: '966' }
  t.match(await client.post('/auth/check-phone', form(number)), { status: true, code: 200, data: null })
  const otp = world.codesTo(phone)[0] ?? ''
  t.match(await client.post('/auth/confirm-phone', form({ ...number, otp: '000000' })), { code: 400, data: null })
  t.match(await client.post('/auth/confirm-phone', form({ ...number, otp })), { status: true, code: 200, data: null })
  t.match(await client.put('/profile', form({ ...user, ...number, otp })), { status: true, code: 200 })
  t.equal(`0${String((await profileForm(t, client))['phone'])}`, phone)

  const changed = { ...(await profileForm(t, client)), email: `new-${email}` }
  t.match(await client.put('/profile', form(changed)), { status: true, code: 200 })

  const password = 'a horse of another colour'
  const now = await profileForm(t, client)
  t.match(await client.put('/profile', form({ ...now, password })), { status: true, code: 200 })
  t.equal((await client.get('/profile')).code, 200, 'the token stays valid')
  t.match(await client.put('/profile', form(now)), { status: true, code: 200 })
  t.equal((await interfaceClient(world).logIn(String(now['email']), PASSWORD)).code, 401)
  t.equal((await interfaceClient(world).logIn(String(now['email']), password)).code, 200)
})
