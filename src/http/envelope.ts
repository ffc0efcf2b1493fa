import { ERROR_STATUS } from '../../generated/errors.ts'
import type { Failure, FieldFailures } from '../domain/failure.ts'
import { say, type Language } from '../messages/index.ts'

/** Every JSON body of the service. */
export type Envelope = { status: boolean; code: number; message: string; data: unknown }

/** The body and the headers of a refusal: the one place where a Failure meets HTTP. */
export function refusal(failure: Failure, language: Language): { body: Envelope; headers: Record<string, string> } {
  const { code, fields, retryAfterSeconds, maxAgeSeconds } = failure
  const status = ERROR_STATUS[code]
  return {
    body: { status: false, code: status, message: say(language, code), data: fields ? dataOf(fields, language) : null },
    headers: {
      'content-language': language,
      'error-code': code,
      ...(status === 401 && { 'www-authenticate': challenge(code) }),
      ...(maxAgeSeconds !== undefined && { 'www-authenticate': stepUpChallenge(maxAgeSeconds) }),
      ...((status === 429 || status === 503) && { 'retry-after': String(retryAfterSeconds ?? 1) }),
    },
  }
}

/** RFC 6750, section 3: no error is told to whom sent no token. */
function challenge(code: string): string {
  const isAboutToken = code === 'token_invalid' || code === 'token_expired' || code === 'token_revoked'
  return isAboutToken ? 'Bearer error="invalid_token"' : 'Bearer'
}

/** RFC 9470, section 3, on a 403: clients that refresh their token on every 401 would repeat the request for ever. */
function stepUpChallenge(maxAgeSeconds: number): string {
  return `Bearer error="insufficient_user_authentication", max_age="${maxAgeSeconds}"`
}

function dataOf(fields: FieldFailures, language: Language): object {
  const listed = Object.entries(fields).map(([field, failures]) => {
    const coded = failures.map((failure) => (typeof failure === 'string' ? { code: failure, values: {} } : failure))
    return { field, coded }
  })
  return {
    errors: Object.fromEntries(
      listed.map(({ field, coded }) => [field, coded.map(({ code, values }) => say(language, code, values))]),
    ),
    codes: Object.fromEntries(listed.map(({ field, coded }) => [field, coded.map(({ code }) => code)])),
  }
}
