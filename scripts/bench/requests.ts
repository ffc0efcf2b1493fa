// Requests of writes. Each is of another account, phone number and client address, so that no limit applies.
import { FormData, request } from 'undici'
import type { MeasuredServer } from './measured.ts'

export type Request = {
  method: 'POST' | 'PUT'
  path: string
  token?: string
  json?: object
  form?: Readonly<Record<string, string | Blob | readonly string[]>>
}

export type Account = { email: string; phone: string; token: string; refreshToken: string }

type Sent = { status: number; data: unknown }

const PASSWORD = 'olive-harbour-58-lantern'
/** 2^30 / the golden ratio: consecutive numbers are far apart, because neighbouring ones share a limit. */
const NUMBER_STEP = 663_608_942

let numbers = 0

/** Sends a request from a client address of its own. */
export async function send(origin: string, { method, path, token, json, form }: Request): Promise<Sent> {
  const number = ++numbers
  const response = await request(`${origin}/api/v1${path}`, {
    method,
    headers: {
      'x-forwarded-for': `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(json && { 'content-type': 'application/json' }),
    },
    body: json ? JSON.stringify(json) : toFormData(form ?? {}),
  })
  const { data } = (await response.body.json()) as { data: unknown }
  return { status: response.statusCode, data }
}

function toFormData(fields: NonNullable<Request['form']>): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    for (const each of Array.isArray(value) ? value : [value]) data.append(name, each as string | Blob)
  }
  return data
}

/** Returns an unused Egyptian mobile number, which registers without a code. */
export function newPhone(): string {
  return `010${String((++numbers * NUMBER_STEP) % 100_000_000).padStart(8, '0')}`
}

export function registration(): Request & { form: { email: string; phone: string } } {
  const [email, phone] = [`bench-${++numbers}@example.org`, newPhone()]
  const form = { account_type: 'client', name: 'نوف الشهري', email, password: PASSWORD, phone, phone_code: '20' }
  return { method: 'POST', path: '/auth/register', form }
}

/** Registers an account. */
export async function newAccount(origin: string): Promise<Account> {
  const { form } = registration()
  const { data } = await send(origin, { method: 'POST', path: '/auth/register', form })
  const { account, session } = data as { account: { token: string }; session: { refresh_token: string } }
  return { email: form.email, phone: form.phone, token: account.token, refreshToken: session.refresh_token }
}

/** Registers an account whose profile is complete. */
export async function newProfile(origin: string, type: 'client' | 'lawyer', files: object = {}): Promise<Account> {
  const account = await newAccount(origin)
  const { status, data } = await send(origin, update(account, type, files))
  if (status !== 200) throw new Error(`a profile was rejected: ${JSON.stringify(data)}`)
  return account
}

export function login({ email }: Account): Request {
  return { method: 'POST', path: '/auth/login', json: { email, password: PASSWORD } }
}

export function refresh({ refreshToken }: Account): Request {
  return { method: 'POST', path: '/auth/refresh', json: { refresh_token: refreshToken } }
}

export function checkPhone(phone: string): Request {
  return { method: 'POST', path: '/auth/check-phone', json: { phone_code: '20', phone } }
}

/** Requests a code for a new number, and returns the request that confirms it. */
export async function confirmation(origin: string, measured: MeasuredServer): Promise<Request> {
  const phone = newPhone()
  await send(origin, checkPhone(phone))
  const { code } = await measured.request({ act: 'code', phone: `+20${phone.slice(1)}` })
  return { method: 'POST', path: '/auth/confirm-phone', json: { phone_code: '20', phone, otp: code } }
}

/** An update of all 13 text fields of a client, or of those of a lawyer */
export function update(account: Account, type: 'client' | 'lawyer', more: object = {}): Request {
  const { token, email, phone } = account
  const form = {
    account_type: type,
    email,
    phone,
    phone_code: '20',
    country_id: '682',
    region_id: '1',
    city_id: '1',
    nationality_id: '682',
    type: '1',
    gender: 'Female',
    longitude: '46.6753',
    latitude: '24.7136',
    ...(type === 'client' ? { name: `نوف الشهري ${letters()}` } : lawyerFields(account)),
    ...more,
  }
  return { method: 'PUT', path: '/profile', token, form }
}

function lawyerFields({ phone }: Account): Record<string, string | string[]> {
  return {
    first_name: 'فهد',
    second_name: 'سالم',
    fourth_name: 'الدوسري',
    about: `محامٍ ${letters()}`,
    national_id: `1${phone.slice(-9)}`, // another one would need another image
    identity_type: '2',
    day: '17',
    month: '5',
    year: '1988',
    degree: '1',
    general_specialty: '1',
    accurate_specialty: '102',
    functional_cases: '1',
    languages: ['8', '40'],
  }
}

/** Returns a word that differs from call to call. */
function letters(): string {
  return [...String(++numbers)].map((digit) => String.fromCodePoint(0x628 + Number(digit))).join('')
}
