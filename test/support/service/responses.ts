// Validates responses against the published document, with a validator that the server does not use.
import {
  registerSchema,
  setShouldValidateFormat,
  setShouldValidateSchema,
  validate,
  type Validator,
} from '@hyperjump/json-schema/openapi-3-1'
import '@hyperjump/json-schema/formats'
import { readFileSync } from 'node:fs'
import { bindings } from '../../../generated/operations.ts'
import type { components } from '../../../generated/types.ts'
import type { OperationId } from '../../../src/contract/operation.ts'

type Reference = { $ref: string }
type ValidationResult = { valid: boolean; errors?: { keyword: string; instanceLocation: string }[] }
type Header = { required?: boolean; schema: { type?: string } }
type Response = { headers?: Record<string, Header | Reference>; content?: Record<string, unknown> }
type Responses = Record<string, Response | Reference>
type Document = {
  paths: Record<string, Record<string, { responses: Responses }>>
  'x-tawthiq-of-any-path': Responses
}

export type Received = { status: number; headers: Record<string, string>; body: Body }
export type Body = { status: boolean; code: number; message: string; data: Data }
// tests read responses only after they are validated against the document
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Data = any

const FILE = new URL('../../../../generated/openapi.json', import.meta.url)
const document = JSON.parse(readFileSync(FILE, 'utf8')) as Document
setShouldValidateFormat(true)
setShouldValidateSchema(false) // `generate` has already validated the document
/** The document with closed responses: tests reject members that the published document does not list. */
const CLOSED = 'https://tawthiq.test/openapi'
registerSchema(closed(document), CLOSED, 'https://spec.openapis.org/oas/3.1/schema-base')
/** Statuses of requests that are rejected before their path is read */
const OF_ANY_PATH = [408, 417, 431]
const compiled = new Map<string, Promise<Validator>>()
/** Values that have been validated, which many responses repeat */
const knownValid = new Set<string>()
const KNOWN_MAX = 5000

/** Returns all violations of the document in a response. */
export async function violations(id: OperationId, { status, headers, body }: Received): Promise<string[]> {
  const { method, path } = bindings[id]
  const isOfAnyPath = OF_ANY_PATH.includes(status)
  const responses = isOfAnyPath
    ? 'x-tawthiq-of-any-path'
    : ['paths', path, method.toLowerCase(), 'responses'].map(escape).join('/')
  const declared = (lookUp(responses) as Responses | undefined)?.[status]
  if (!declared) return [`${id} does not declare ${status}`]

  const at = '$ref' in declared ? declared.$ref.slice(2) : `${responses}/${status}`
  const response = lookUp(at) as Response
  const media = (headers['content-type'] ?? '').split(';')[0] ?? ''
  const isBytes = body instanceof Uint8Array
  const found = await Promise.all([
    ...(response.content?.[media] && !isBytes
      ? [schemaErrors(`${at}/content/${escape(media)}/schema`, body, 'body')]
      : []),
    ...Object.entries(response.headers ?? {}).map(([name, header]) =>
      headerErrors(`${at}/headers/${escape(name)}`, name, header, headers),
    ),
  ])
  return [
    ...found.flat(),
    ...(response.content && !isBytes ? envelopeErrors(status, body) : []),
    ...(response.content?.[media] || (!response.content && isEmpty(body))
      ? []
      : [`${id} ${status}: ${media} is not declared`]),
  ]
}

/** Returns all violations of a schema of the document in a value. */
export function schemaViolations(schema: keyof components['schemas'], value: unknown): Promise<string[]> {
  return schemaErrors(`components/schemas/${schema}`, value, schema)
}

/** Responses such as 304 have no body. */
function isEmpty(body: unknown): boolean {
  return body === null
}

function envelopeErrors(status: number, body: Body): string[] {
  return [
    ...(body.code === status ? [] : [`code ${body.code} is not the status ${status}`]),
    ...(body.status === status < 400 ? [] : [`status is ${String(body.status)} at ${status}`]),
  ]
}

async function headerErrors(
  at: string,
  name: string,
  declared: Header | Reference,
  headers: Record<string, string>,
): Promise<string[]> {
  const place = '$ref' in declared ? declared.$ref.slice(2) : at
  const header = lookUp(place) as Header
  const value = headers[name.toLowerCase()]
  if (value === undefined) return header.required ? [`header ${name} is missing`] : []
  return schemaErrors(`${place}/schema`, header.schema.type === 'integer' ? Number(value) : value, `header ${name}`)
}

async function schemaErrors(at: string, value: unknown, what: string): Promise<string[]> {
  const pointer = `${CLOSED}#/${at}`
  const key = `${pointer} ${JSON.stringify(value)}`
  if (knownValid.has(key)) return []
  const compiling = compiled.get(pointer) ?? validate(pointer)
  compiled.set(pointer, compiling)
  const validator = await compiling
  if (validator(value as never, 'FLAG').valid) {
    if (knownValid.size === KNOWN_MAX) knownValid.clear()
    knownValid.add(key)
    return []
  }
  const { errors = [] } = validator(value as never, 'BASIC') as ValidationResult
  return errors.map(({ keyword, instanceLocation }) => `${what} ${instanceLocation}: ${keyword}`)
}

/** Schemas with `propertyNames` are closed already. */
function closed(document: object): never {
  const isOpen = (value: object): boolean =>
    'properties' in value && 'type' in value && value.type === 'object' && !('propertyNames' in value)
  const close = (_key: string, value: unknown): unknown =>
    typeof value === 'object' && value !== null && isOpen(value) ? { additionalProperties: false, ...value } : value
  return JSON.parse(JSON.stringify(document), close) as never
}

function lookUp(pointer: string): unknown {
  const names = pointer.split('/').map((name) => decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~'))
  return names.reduce<unknown>((node, name) => (node as Record<string, unknown>)[name], document)
}

function escape(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))
}
