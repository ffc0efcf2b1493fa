// The requests that docs/mock.md promises to work.
import { lawyerForm, picture } from '../../test/support/accounts/profile-forms.ts'

const LOGIN = JSON.stringify({ email: 'client@demo.test', password: 'Tawthiq-demo-1' })
const TOKEN = { authorization: 'Bearer any-token' }
const ARABIC_MESSAGE = /"message":"[^"]*[\u0621-\u064A]/
const UPDATE = { method: 'PUT', headers: { ...TOKEN, prefer: 'example=lawyer_en' } }

/** A request to a path, and the status and patterns of the response: of its headers, a line each, and its body */
type Check = readonly [path: string, init: RequestInit, status: number, patterns: readonly RegExp[]]

const CHECKS: Readonly<Record<string, Check>> = {
  'logs in, in Arabic': login(200, 'ok_ar', [ARABIC_MESSAGE, /"token":/]),
  'logs in, in English': login(200, 'ok_en', [/"message":"[ -~]+"/, /"token":/]),
  'rejects a request without a token': ['profile', {}, 401, [/^www-authenticate: /m]],
  'rejects a token that has expired': [
    'profile',
    { headers: { ...TOKEN, prefer: 'code=401, example=token_expired_en' } },
    401,
    [/"message":"[^"]*expired/],
  ],
  'rejects invalid data': login(422, 'invalid_data_en', [/"data":\{.*"codes":/, /^error-code: invalid_data$/m]),
  'limits the rate': login(429, 'rate_limited_ar', [ARABIC_MESSAGE, /^retry-after: [1-9]/m]),
  'accepts the form of a lawyer with a file, lists and a map': [
    'profile',
    { ...UPDATE, body: newLawyer() },
    200,
    [/"account_type":"lawyer"/],
  ],
  'rejects a form without a required field': ['profile', { ...UPDATE, body: new FormData() }, 422, []],
}

/** Returns the name of each check that fails, with the response. */
export async function checkMock(origin: string): Promise<string[]> {
  const problems: string[] = []
  for (const [name, [path, init, status, patterns]] of Object.entries(CHECKS)) {
    const response = await fetch(`${origin}/api/v1/${path}`, init)
    const body = JSON.stringify(await response.json())
    const received = [...[...response.headers].map((pair) => pair.join(': ')), body].join('\n')
    if (response.status !== status || !patterns.every((pattern) => pattern.test(received)))
      problems.push(`${name}: ${response.status} ${body.slice(0, 500)}`)
  }
  return problems
}

function login(status: number, example: string, patterns: readonly RegExp[]): Check {
  const headers = { 'content-type': 'application/json', prefer: `code=${status}, example=${example}` }
  return ['auth/login', { method: 'POST', body: LOGIN, headers }, status, patterns]
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
