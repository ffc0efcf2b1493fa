import type { FastifyRequest } from 'fastify'
import type { FastifySchemaCompiler } from 'fastify/types/schema.js'
import type { AnySchema, ErrorObject } from 'ajv/dist/2020.js'
import type { FieldFailures } from '../../domain/failure.ts'
import { passedFields, toFieldFailures } from '../field-errors.ts'
import { oversizedFiles } from '../forms/form-values.ts'
import { lazyValidator, type Validator } from './lazy.ts'
import { forRequests, lowerCaseNames } from './schemas.ts'

type Part = 'params' | 'body' | 'querystring' | 'headers'

const compiled = new Map<string, Map<AnySchema, Validator>>()

export const validatorCompiler: FastifySchemaCompiler<AnySchema> = ({ schema, httpPart = 'body' }) =>
  findValidator(schema, httpPart)

/** Returns the validator of a part, which routes with the same schema share. */
export function findValidator(schema: AnySchema, httpPart: string): Validator {
  const known = compiled.get(httpPart) ?? new Map<AnySchema, Validator>()
  compiled.set(httpPart, known)
  const kind = httpPart === 'headers' ? 'headers' : 'request'
  const validate = known.get(schema) ?? lazyValidator(kind, () => prepareSchema(httpPart, schema))
  known.set(schema, validate)
  return validate
}

/** Header names are case-insensitive, and query strings accept declared names only. */
function prepareSchema(httpPart: string, schema: AnySchema): AnySchema {
  if (httpPart === 'headers') return lowerCaseNames(schema)
  const prepared = forRequests(schema)
  return httpPart === 'querystring' ? { ...(prepared as object), additionalProperties: false } : prepared
}

/**
 * Returns the field errors of all parts of a request. Fastify stops at the first part that has any.
 *
 * @param isExplained whether messages say what would be accepted. Those of forms are for people, and as the form is published.
 */
export function allFieldErrors(
  request: FastifyRequest,
  first: readonly ErrorObject[],
  isExplained = false,
): FieldFailures {
  const found = (['params', 'body', 'querystring', 'headers'] as const).flatMap((part) => errorsIn(request, part))
  return { ...toFieldFailures(found.length > 0 ? found : first, isExplained), ...oversizedFiles(request.body) }
}

export function validBodyFields(request: FastifyRequest): object {
  const validate = validatorOf(request, 'body')
  return validate ? passedFields(request.body, validate, errorsIn(request, 'body')) : {}
}

function errorsIn(request: FastifyRequest, part: Part): readonly ErrorObject[] {
  const validate = validatorOf(request, part)
  const value = part === 'querystring' ? request.query : request[part]
  return validate?.(value ?? null) === false ? (validate.errors ?? []) : []
}

function validatorOf(request: FastifyRequest, part: Part): Validator | undefined {
  // Fastify has one function for each media type of a body
  const found = request.getValidationFunction(part) as Validator | Record<string, Validator> | undefined
  return typeof found === 'object' ? found[request.mediaType ?? ''] : found
}
