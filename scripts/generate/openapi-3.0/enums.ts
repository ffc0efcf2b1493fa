import { filterMembers, SCHEMAS } from '../document/openapi.ts'
import { mapSchemas, type Document, type Header, type Response, type Schema } from './document.ts'

const CODES: readonly string[] = ['ErrorCode', 'FieldCode']

/**
 * Turns the enums of error codes into strings, so that generated clients accept codes that are added later. The codes
 * become part of the description. `Error-Code` headers get an example, which mock servers send.
 */
export function openCodes(document: Document): Document {
  const { responses, schemas } = document.components
  for (const { headers = {} } of listResponses(document, responses)) {
    const header = headers['Error-Code']
    if (header && 'schema' in header) openHeader(header)
  }
  for (const name of CODES) {
    const schema = schemas[name]
    if (schema) schemas[name] = describeCodes(schema)
  }
  return mapSchemas(document, (schema) => (isCode(schema) ? { $ref: schema.$ref ?? '' } : schema))
}

function listResponses({ paths }: Document, shared: Record<string, Response>): Response[] {
  const operations = Object.values(paths).flatMap((item) => Object.values(item))
  return [shared, ...operations.map(({ responses }) => responses)].flatMap((each) => Object.values(each))
}

function openHeader(header: Header): void {
  const { enum: codes = [], examples = [], example } = header.schema
  header.schema = { type: 'string', example: example ?? examples[0] ?? codes[0] }
  if (codes.length > 0) header.description = `${header.description ?? ''}\n\nCodes: ${listValues(codes)}.`
}

function describeCodes(schema: Schema): Schema {
  const { enum: codes = [], description = '', type, ...others } = schema
  const kept = filterMembers(others, (keyword) => !keyword.startsWith('x-'))
  return { type, description: `${description}\n\nCodes: ${listValues(codes)}.`, ...kept } as Schema
}

function isCode({ $ref }: Schema): boolean {
  return CODES.some((name) => $ref === SCHEMAS + name)
}

/**
 * Drops the bounds of enums, which break clients with generated validation, and enums of one number or boolean, which
 * break Python. Such a number keeps its bounds instead.
 */
export function simplifyEnums(document: Document): Document {
  return mapSchemas(document, (schema) => {
    const { enum: values, ...withoutEnum } = schema
    if (!values) return schema
    if (values.length === 1 && typeof values[0] !== 'string') return withoutEnum
    const { minimum: _, maximum: __, ...withoutBounds } = schema
    return withoutBounds
  })
}

export function describeValues(schema: Schema): Schema {
  const { enum: values, description = '', ...plain } = schema
  const named = values?.filter((value) => value !== null) ?? []
  return values ? { ...plain, description: `${description}\n\nValues: ${listValues(named)}.` } : schema
}

function listValues(values: readonly unknown[]): string {
  return values.map((value) => `\`${String(value)}\``).join(', ')
}
