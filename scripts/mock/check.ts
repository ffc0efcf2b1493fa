// The requests that docs/mock.md promises to work.
import { lawyerForm, picture } from '../../test/support/accounts/profile-forms.ts'

type Received = { status: number; headers: Headers; body: { message: string; data: unknown } }
type Check = { send: Request; is: (received: Received) => boolean }

const LOGIN = { email: 'client@demo.test', password: 'Tawthiq-demo-1' }
const TOKEN = { authorization: 'Bearer any-token' }
const ARABIC = /[\u0621-\u064A]/

export async function checkMock(origin: string): Promise<string[]> {
  const problems: string[] = []
  for (const [name, { send, is }] of Object.entries(listChecks(origin))) {
    const response = await fetch(send)
    const body = (await response.json()) as Received['body']
    const received = { status: response.status, headers: response.headers, body }
    if (!is(received)) problems.push(`${name}: ${response.status} ${JSON.stringify(body).slice(0, 500)}`)
  }
  return problems
}

function listChecks(origin: string): Record<string, Check> {
  const logIn = (prefer: string): Request => json(`${origin}/api/v1/auth/login`, LOGIN, prefer)
  const read = (headers: Record<string, string>): Request => new Request(`${origin}/api/v1/profile`, { headers })
  const headers = { ...TOKEN, prefer: 'example=lawyer_en' }
  const update = (body: FormData): Request => new Request(`${origin}/api/v1/profile`, { method: 'PUT', body, headers })
  return {
    'logs in, in Arabic': {
      send: logIn('code=200, example=ok_ar'),
      is: ({ status, body }) => status === 200 && ARABIC.test(body.message) && hasToken(body.data),
    },
    'logs in, in English': {
      send: logIn('code=200, example=ok_en'),
      is: ({ status, body }) => status === 200 && /^[ -~]+$/.test(body.message) && hasToken(body.data),
    },
    'rejects a request without a token': {
      send: read({}),
      is: ({ status, headers }) => status === 401 && headers.has('www-authenticate'),
    },
    'rejects a token that has expired': {
      send: read({ ...TOKEN, prefer: 'code=401, example=token_expired_en' }),
      is: ({ status, body }) => status === 401 && body.message.includes('expired'),
    },
    'rejects invalid data': {
      send: logIn('code=422, example=invalid_data_en'),
      is: ({ status, body, headers }) =>
        status === 422 && 'codes' in (body.data as object) && headers.get('error-code') === 'invalid_data',
    },
    'limits the rate': {
      send: logIn('code=429, example=rate_limited_ar'),
      is: ({ status, body, headers }) =>
        status === 429 && ARABIC.test(body.message) && Number(headers.get('retry-after')) > 0,
    },
    'accepts the form of a lawyer with a file, lists and a map': {
      send: update(newLawyer()),
      is: ({ status, body }) => status === 200 && JSON.stringify(body.data).includes('"account_type":"lawyer"'),
    },
    'rejects a form without a required field': {
      send: update(new FormData()),
      is: ({ status }) => status === 422,
    },
  }
}

function json(url: string, body: object, prefer: string): Request {
  const headers = { 'content-type': 'application/json', prefer }
  return new Request(url, { method: 'POST', body: JSON.stringify(body), headers })
}

function hasToken(data: unknown): boolean {
  return JSON.stringify(data).includes('"token"')
}

function newLawyer(): FormData {
  const form = new FormData()
  const fields = lawyerForm(
    { email: 'lawyer@demo.test', phone: '0500000002' },
    { languages: '[8,40]', sections: '[101]', license_no: '{"101":"38/1234"}', profile_photo: picture() },
  )
  for (const [name, values] of Object.entries(fields)) for (const value of [values].flat()) form.append(name, value)
  return form
}
