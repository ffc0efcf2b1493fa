// The requests of the load, one of each operation that clients use, each from a client address of its own.
import { Agent, FormData, request } from 'undici'
import { newPhoto, profileForm } from '../faults/forms.ts'
import { checkPhone, login, newProfile, registration, update, type Account, type Request } from '../bench/requests.ts'

export type Person = Account & { photo?: string }
type Sent = Readonly<{
  path: string
  method?: 'POST' | 'PUT' | 'PATCH'
  token?: string
  json?: object
  patch?: object
  form?: FormData
}>
type Received = Readonly<{ status: number; code: string; text: string; data: unknown }>

/** Returns a text about the failure; undefined if the response is as expected. */
type Operation = (send: (sent: Sent) => Promise<Received>, person: Person) => Promise<string | undefined>

/** A connection for each request: nginx closes idle ones when it reads its configuration again. */
const dispatcher = new Agent({ pipelining: 0 })
let addresses = 0

async function sendTo(origin: string, { path, method, token, json, patch, form }: Sent): Promise<Received> {
  const number = ++addresses
  const type = json ? 'application/json' : patch ? 'application/merge-patch+json' : undefined
  const { statusCode, headers, body } = await request(origin + path, {
    dispatcher,
    reset: true,
    ...(method && { method }),
    headers: {
      'x-forwarded-for': `12.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(type !== undefined && { 'content-type': type }),
    },
    body: form ?? ((json ?? patch) ? JSON.stringify(json ?? patch) : null),
  })
  const text = await body.text()
  const isJson = String(headers['content-type']).includes('json')
  const { data } = (isJson ? JSON.parse(text) : {}) as { data?: unknown }
  return { status: statusCode, code: String(headers['error-code'] ?? ''), text, data }
}

function describe({ status, code, text }: Received): string {
  return `${status} ${code || text.slice(0, 200)}`
}

function expecting(status: number, build: (person: Person) => Sent | Promise<Sent>): Operation {
  return async (send, person) => {
    const received = await send(await build(person))
    return received.status === status ? undefined : describe(received)
  }
}

function read(path: string): Operation {
  return expecting(200, ({ token }) => ({ path: `/api/v1${path}`, token }))
}

/** Returns what a request of the benchmarks sends. */
function from({ method, path, json, form, token }: Request): Sent {
  return {
    method,
    path: `/api/v1${path}`,
    ...(token !== undefined && { token }),
    ...(json && { json }),
    ...(form && { form: toFormData(form) }),
  }
}

function toFormData(fields: object): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.append(name, String(value))
  return data
}

const OPERATIONS: Readonly<Record<string, Operation>> = {
  lookups: expecting(200, () => ({ path: '/api/v1/lookups' })),
  whoami: read('/auth/check'),
  profile: read('/profile'),
  sessions: read('/auth/sessions'),
  unknown: expecting(404, () => ({ path: '/api/v1/nothing' })),
  invalid: expecting(422, () => ({ path: '/api/v1/auth/login', method: 'POST', json: {} })),
  patch: expecting(200, ({ token }) => ({
    path: '/api/v1/profile',
    method: 'PATCH',
    token,
    patch: { longitude: 40 + (addresses % 1000) / 1000 },
  })),
  update: expecting(200, (person) => from(update(person, 'client'))),
  checkPhone: expecting(200, () =>
    from(checkPhone(`010${String((addresses * 663_608_942) % 100_000_000).padStart(8, '0')}`)),
  ),
  forgotPassword: expecting(202, () => ({
    path: '/api/v1/auth/forgot-password',
    method: 'POST',
    json: { by: 'email', email: `nobody-${addresses}@example.org` },
  })),
  /** The check of a password has a deadline, which a busy machine exceeds: the client tries again, as Retry-After says. */
  async register(send) {
    let received = await send(from(registration()))
    for (let tries = 1; received.code === 'overloaded' && tries < 5; tries++)
      received = await send(from(registration()))
    return received.status === 201 ? undefined : describe(received)
  },
  async upload(send, person) {
    const { bytes } = await newPhoto()
    const sent = {
      path: '/api/v1/profile',
      method: 'PUT',
      token: person.token,
      form: profileForm(person, bytes),
    } as const
    const received = await send(sent)
    if (received.status !== 200) return describe(received)
    const link = (received.data as { user: { profile_photo: string } }).user.profile_photo
    const { pathname, search } = new URL(link, 'http://localhost')
    person.photo = pathname + search
    return undefined
  },
  file: expecting(200, ({ photo, token }) =>
    photo === undefined ? { path: '/api/v1/auth/check', token } : { path: photo },
  ),
  async login(send, person) {
    const received = await send(from(login(person)))
    if (received.status !== 200) return describe(received)
    person.token = (received.data as { account: Account }).account.token
    return undefined
  },
}

export const OPERATION_NAMES = Object.keys(OPERATIONS)

/** Registers an account for a client of the load. A busy machine needs several attempts. */
export async function openPerson(origin: string): Promise<Person> {
  for (let tries = 1; ; tries++) {
    try {
      return await newProfile(origin, 'client')
    } catch (error) {
      if (tries === 10) throw error
    }
  }
}

/** Runs an operation. Returns a text about the failure; undefined if it succeeds. */
export async function runOperation(name: string, origin: string, person: Person): Promise<string | undefined> {
  try {
    const failure = await OPERATIONS[name]?.((sent) => sendTo(origin, sent), person)
    return failure && `${name}: ${failure}`
  } catch (error) {
    return `${name}: ${String(error)}`
  }
}
