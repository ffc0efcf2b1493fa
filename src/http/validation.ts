import type { FastifyRequest } from 'fastify'
import type { FastifySchemaCompiler } from 'fastify/types/schema.js'
import type { AnySchema, ErrorObject } from 'ajv/dist/2020.js'
import type { FieldFailures } from '../domain/failure.ts'
import { fieldFailures } from './fields.ts'
import { oversizedFiles } from './forms/oversized-file.ts'
import { passedFields } from './unions/passed-fields.ts'
import { newAjv } from './validation/ajv.ts'
import { lazyValidator, type Validator } from './validation/lazy.ts'
import { forRequests, lowerCaseNames } from './validation/schemas.ts'

type Part = 'params' | 'body' | 'querystring' | 'headers'

const bodies = newAjv()
const texts = newAjv({ coerceTypes: 'array', useDefaults: true, discriminator: false })
const compiled = new Map<string, Validator>()

/** Validates bodies, paths and queries as they are read, and headers, which are all text, after coercion. */
export const validatorCompiler: FastifySchemaCompiler<AnySchema> = ({ schema, httpPart }) => {
  const prepared = preparedFor(httpPart, schema)
  const isText = httpPart === 'headers'
  const key = `${isText} ${JSON.stringify(prepared)}`
  const validate = compiled.get(key) ?? lazyValidator(prepared, (one) => (isText ? texts : bodies).compile(one))
  compiled.set(key, validate)
  return validate
}

/** Names of headers are without case, and a query has no other names than those of the document. */
function preparedFor(httpPart: string | undefined, schema: AnySchema): AnySchema {
  if (httpPart === 'headers') return lowerCaseNames(schema)
  const prepared = forRequests(schema)
  return httpPart === 'querystring' ? { ...(prepared as object), additionalProperties: false } : prepared
}

/** Fastify stops at the first part of a request that is wrong: this says what is wrong with all of them. */
export function allWrongFields(request: FastifyRequest, first: readonly ErrorObject[]): FieldFailures {
  const found = (['params', 'body', 'querystring', 'headers'] as const).flatMap((part) => errorsIn(request, part))
  return { ...fieldFailures(found.length > 0 ? found : first), ...oversizedFiles(request.body) }
}

/** The fields of a body that the document has nothing against. */
export function rightFieldsOfBody(request: FastifyRequest): object {
  const validate = validatorOf(request, 'body')
  return validate ? passedFields(request.body, validate, errorsIn(request, 'body')) : {}
}

function errorsIn(request: FastifyRequest, part: Part): readonly ErrorObject[] {
  const validate = validatorOf(request, part)
  const value = part === 'querystring' ? request.query : request[part]
  return validate?.(value ?? null) === false ? (validate.errors ?? []) : []
}

function validatorOf(request: FastifyRequest, part: Part): Validator | undefined {
  // for a body with several media types, Fastify keeps one function for each
  const found = request.getValidationFunction(part) as Validator | Record<string, Validator> | undefined
  return typeof found === 'object' ? found[request.mediaType ?? ''] : found
}
