import type { FastifyRequest } from 'fastify'
import type { FastifySchemaCompiler } from 'fastify/types/schema.js'
import addFormats from 'ajv-formats'
import { Ajv2020, type AnySchema, type ErrorObject, type Options, type ValidateFunction } from 'ajv/dist/2020.js'
import type { FieldFailures } from '../domain/failure.ts'
import { fieldFailures } from './fields.ts'
import { isUpload } from './uploads.ts'

const OPTIONS: Options = {
  allErrors: true,
  discriminator: true,
  verbose: true, // fieldFailures looks at the value
  addUsedSchema: false,
  strictTypes: false,
  strictRequired: false,
}

export function newAjv(options: Options = {}): Ajv2020 {
  const ajv = new Ajv2020({ ...OPTIONS, ...options })
  addFormats.default(ajv)
  ajv.addFormat('email', isEmailInSpaces)
  ajv.addFormat('password', true)
  ajv.addKeyword({ keyword: 'cleanText', type: 'string', schemaType: 'boolean', validate: isClean })
  ajv.addKeyword({
    keyword: 'upload',
    schemaType: 'boolean',
    validate: (_: boolean, value: unknown) => isUpload(value),
  })
  for (const keyword of ['externalDocs', 'xml', 'x-enum-descriptions', 'x-statuses', 'x-clearable'])
    ajv.addKeyword(keyword)
  return ajv
}

const bodies = newAjv()
const texts = newAjv({ coerceTypes: 'array', useDefaults: true, discriminator: false })
const compiled = new Map<string, ValidateFunction>()

/** Validates bodies, paths and queries as they are read, and headers, which are all text, after coercion. */
export const validatorCompiler: FastifySchemaCompiler<AnySchema> = ({ schema, httpPart }) => {
  const prepared = preparedFor(httpPart, schema)
  const isText = httpPart === 'headers'
  const key = `${isText} ${JSON.stringify(prepared)}`
  const validate = compiled.get(key) ?? (isText ? texts : bodies).compile(prepared)
  compiled.set(key, validate)
  return validate
}

/** Names of headers are without case, and a query has no other names than those of the document. */
function preparedFor(httpPart: string | undefined, schema: AnySchema): AnySchema {
  if (httpPart === 'headers') return lowerCaseNames(schema)
  const prepared = forAjv(schema)
  return httpPart === 'querystring' ? { ...(prepared as object), additionalProperties: false } : prepared
}

/** Fastify stops at the first part of a request that is wrong: this says what is wrong with all of them. */
export function allWrongFields(request: FastifyRequest, first: readonly ErrorObject[]): FieldFailures {
  const found = (['params', 'body', 'querystring', 'headers'] as const).flatMap((part) => {
    const validate = validatorOf(request, part)
    const value = part === 'querystring' ? request.query : request[part]
    return validate?.(value ?? null) === false ? (validate.errors ?? []) : []
  })
  return fieldFailures(found.length > 0 ? found : first)
}

function validatorOf(
  request: FastifyRequest,
  part: 'params' | 'body' | 'querystring' | 'headers',
): ValidateFunction | undefined {
  // for a body with several media types, Fastify keeps one function for each
  const found = request.getValidationFunction(part) as ValidateFunction | Record<string, ValidateFunction> | undefined
  return typeof found === 'object' ? found[request.mediaType ?? ''] : found
}

/**
 * A copy that Ajv takes: without `discriminator.mapping`, with uploads in place of files, and with every text refusing
 * what no text holds.
 */
export function forAjv(schema: AnySchema): AnySchema {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value
    if (key === 'discriminator' && 'mapping' in value) return { ...value, mapping: undefined }
    if ('format' in value && value.format === 'binary') return { upload: true }
    if ('type' in value && [value.type].flat().includes('string')) return { ...value, cleanText: true }
    return value
  }) as AnySchema
}

const EMAIL = addFormats.default.get('email') as RegExp

/** People paste addresses with spaces around them, which operations remove. */
function isEmailInSpaces(text: string): boolean {
  return EMAIL.test(text.trim())
}

/**
 * Controls other than tab and line ends, those that turn the direction of the text around them, and what stands in place
 * of bytes that were no text
 */
const CONTROLS = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F\u202A-\u202E\u2066-\u2069\uFFFD]/

/** No half characters, which a database would store as something else, and no controls. */
function isClean(required: boolean, text: string): boolean {
  return !required || (text.isWellFormed() && !CONTROLS.test(text))
}

function lowerCaseNames(schema: AnySchema): AnySchema {
  const {
    properties = {},
    required = [],
    ...rest
  } = forAjv(schema) as { properties?: Record<string, unknown>; required?: string[] }
  const named = Object.entries(properties).map(([name, value]) => [name.toLowerCase(), value] as const)
  const lowered: Record<string, unknown> = Object.fromEntries(named)
  return { ...rest, properties: lowered, required: required.map((name) => name.toLowerCase()) }
}
