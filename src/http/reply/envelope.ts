import type { FastifySerializerCompiler } from 'fastify/types/schema.js'
import type { AnySchema } from 'ajv/dist/2020.js'
import type { FastifyReply } from 'fastify'
import { ERROR_STATUS } from '../../../generated/errors.ts'
import { LIMITS } from '../../../generated/limits.ts'
import type { Failure, FieldFailures } from '../../domain/failure.ts'
import { explain, type Language } from '../../messages/index.ts'
import { compiler, lazyValidator, type Validator } from '../../contract/validation/lazy.ts'
import { forResponses } from '../../contract/validation/schemas.ts'

/** The JSON body of every response. */
export type Envelope = { status: boolean; code: number; message: string; data: unknown }

/** Builds the body and the headers of an error response. This is the only place that maps a Failure to HTTP. */
export function buildErrorResponse(
  failure: Failure,
  language: Language,
): { body: Envelope; headers: Record<string, string> } {
  const { code, fields, retryAfterSeconds, maxAgeSeconds, factorMethods, hints } = failure
  const status = ERROR_STATUS[code]
  const data = fields ? buildFieldData(fields, language) : null
  return {
    body: { status: false, code: status, message: explain(language, code, hints), data },
    headers: {
      'content-language': language,
      'error-code': code,
      link: `</docs/${language}/errors/#${code}>; rel="help"`,
      ...(hints.accepted && { accept: hints.accepted }),
      ...(status === 401 && { 'www-authenticate': challenge(code) }),
      ...(maxAgeSeconds !== undefined && { 'www-authenticate': stepUpChallenge(maxAgeSeconds) }),
      ...(factorMethods && { 'mfa-methods': factorMethods.join(', ') }),
      ...((status === 429 || status === 503) && { 'retry-after': String(retryAfterSeconds ?? 1) }),
      ...(status === 409 && retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    },
  }
}

/** RFC 6750, section 3: a request without a token gets a challenge without an error. */
function challenge(code: string): string {
  const isAboutToken = code === 'token_invalid' || code === 'token_expired' || code === 'token_revoked'
  return isAboutToken ? 'Bearer error="invalid_token"' : 'Bearer'
}

/** RFC 9470, section 3, on a 403: a client that refreshes its token on every 401 would retry forever. */
function stepUpChallenge(maxAgeSeconds: number): string {
  return `Bearer error="insufficient_user_authentication", max_age="${maxAgeSeconds}"`
}

function buildFieldData(fields: FieldFailures, language: Language): object {
  const listed = Object.entries(fields)
    .slice(0, LIMITS.errors.fields)
    .map(([field, failures = []]) => {
      const coded = failures.map((failure) => (typeof failure === 'string' ? { code: failure, values: {} } : failure))
      return { field, coded }
    })
  return {
    errors: Object.fromEntries(
      listed.map(({ field, coded }) => [field, coded.map(({ code, values }) => explain(language, code, values))]),
    ),
    codes: Object.fromEntries(listed.map(({ field, coded }) => [field, coded.map(({ code }) => code)])),
  }
}

const compiled = new Map<AnySchema, Validator>()

/**
 * Serializes responses, and checks each against the document first. A response that violates it is a bug: the client gets
 * 500, and the log names the operation and the place.
 */
export const serializerCompiler: FastifySerializerCompiler<AnySchema> = ({ schema, method, url, httpStatus }) => {
  const validate = compiled.get(schema) ?? lazyValidator('response', () => forResponses(schema))
  compiled.set(schema, validate)
  return (response) => {
    const text = JSON.stringify(response)
    if (validate(response)) return text
    const places = compiler('response').errorsText(validate.errors, { dataVar: 'response' })
    throw new Error(`${method} ${url} ${httpStatus ?? ''} violates the document: ${places}`)
  }
}

/** Serializes a body, and checks it against the document. */
export function serialize(response: FastifyReply, body: unknown): string {
  const serialize = response.getSerializationFunction(String(response.statusCode), 'application/json')
  if (!serialize) throw new Error(`the document declares no response ${response.statusCode} for this operation`)
  return serialize(body as Record<string, unknown>)
}
