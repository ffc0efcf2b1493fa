import { SCHEMAS } from '../document/openapi.ts'
import { mapObjects, type Document, type Schema } from './document.ts'

const CODES: readonly string[] = ['ErrorCode', 'FieldCode']

/**
 * Turns the enums of error codes into strings, so that generated clients accept codes that are added later. The codes
 * become part of the description. `Error-Code` headers get an example, which mock servers send.
 */
export function openCodes(document: Document): Document {
  const { schemas } = document.components
  for (const name of CODES) {
    const schema = schemas[name]
    if (schema) schemas[name] = describeEnum(schema, 'Codes')
  }
  const opened = mapObjects(document, openHeader)
  return mapObjects(opened, (schema) => (isCode(schema) ? { $ref: schema.$ref ?? '' } : schema))
}

/** Opens a header whose schema is that of the error codes. */
function openHeader(header: Schema): Schema {
  const { schema } = header as { schema?: Schema }
  if (!schema || !isCode(schema)) return header
  const { enum: codes, examples = [] } = schema
  const { description } = describeEnum({ ...header, ...(codes && { enum: codes }) }, 'Codes')
  return { ...header, description: description ?? '', schema: { type: 'string', example: examples[0] } }
}

function isCode({ $ref }: Schema): boolean {
  return CODES.some((name) => $ref === SCHEMAS + name)
}

/**
 * Drops the bounds of enums, which break clients with generated validation, and enums of one number or boolean, which
 * break Python. Such a number keeps its bounds instead.
 */
export function simplifyEnums(document: Document): Document {
  return mapObjects(document, (schema) => {
    const { enum: values, ...withoutEnum } = schema
    if (!values) return schema
    if (values.length === 1 && typeof values[0] !== 'string') return withoutEnum
    const { minimum: _, maximum: __, ...withoutBounds } = schema
    return withoutBounds
  })
}

/** Makes the values of an enum part of the description. */
export function describeEnum(schema: Schema, name = 'Values'): Schema {
  const { enum: values, description = '', ...plain } = schema
  if (!values) return schema
  const named = values.map(String).filter((value) => value !== 'null')
  const list = named.map((value) => `\`${value}\``).join(', ')
  return { ...plain, description: `${description}\n\n${name}: ${list}.` }
}
