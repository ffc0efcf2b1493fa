// Decides whether the published document accepts a request. Anything else that the service accepts is listed here.
import addFormats from 'ajv-formats'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { DataValidationCxt } from 'ajv/dist/types/index.js'
import { cleanInput, type InputKind } from '../../src/domain/inputs.ts'
import { parseForm, type FormPart } from '../../src/contract/forms/form-values.ts'
import type { FormSchema } from '../../src/contract/forms/form-schema.ts'
import { listTypes, type FuzzedOperation, type Schema } from './document.ts'
import type { Part } from './forms.ts'
import type { GivenParameter, FuzzedRequest } from './requests.ts'

const ajv = new Ajv2020({ strict: false })
addFormats.default(ajv)
ajv.addFormat('idn-email', addFormats.default.get('email')) // the domain is in ASCII when it is judged
ajv.addKeyword({
  keyword: 'x-tawthiq-input',
  type: 'string',
  before: 'maxLength',
  modifying: true,
  validate(kind: InputKind, text: string, _schema?: unknown, context?: DataValidationCxt) {
    const { parentData, parentDataProperty } = context as {
      parentData: Record<string, unknown>
      parentDataProperty: string
    }
    parentData[parentDataProperty] = cleanInput(kind, text)
    return true
  },
})
const compiled = new Map<string, ValidateFunction>()

/** Why the document does not accept the request; undefined when it does, or when that cannot be said. */
export function refusedBySchema({ operation, intended: meant, headers, body }: FuzzedRequest): string | undefined {
  const isAbsent = !operation.isBodyRequired && body?.length === 0
  if (meant.isBroken && !isAbsent) return 'the body is malformed'
  const wrong = meant.parameters.map((given) => wrongParameter(given, meant.parameters)).find(Boolean)
  if (wrong !== undefined) return wrong
  const declared = operation.bodies.find(({ media }) => meant.type?.startsWith(media))
  if (!declared || headers['content-encoding'] !== undefined) return undefined // an encoding is judged by its media type
  if ('json' in meant) return wrongBody(operation, declared.schema, meant.json)
  if (!meant.parts) return undefined
  return wrongBody(operation, declared.schema, parseForm(withFiles(declared.schema), meant.parts.flatMap(readPart)))
}

/** A file is no text, unless it holds the JSON of a list or a map; an empty one counts as absent. */
function readPart({ name, value }: Part): FormPart[] {
  if (typeof value === 'string') return [{ name, value }]
  if (value.bytes.length === 0) return []
  try {
    if (value.type === 'application/json') return [{ name, value: JSON.parse(value.bytes.toString()) as unknown }]
  } catch {
    // it has no JSON
  }
  return [{ name, value: Symbol('a file') }]
}

function wrongParameter(given: GivenParameter, all: readonly GivenParameter[]): string | undefined {
  if ('unknown' in given) {
    const hasQuery = all.some((each) => 'parameter' in each && each.parameter.in === 'query')
    return hasQuery ? `the query has ${JSON.stringify(given.unknown)}` : undefined // otherwise it is not read
  }
  const { parameter, value } = given
  const { name, schema } = parameter
  if (value === '') return undefined // counts as absent
  const isRepeated = all.filter((each) => 'parameter' in each && each.parameter === parameter && each.value).length > 1
  if (isRepeated) return `the query has ${name} twice`
  const digits = cleanInput('plain', value) // which may be of any script
  const isNumber = listTypes(schema).includes('integer') && /^[+-]?[0-9]{1,15}$/.test(digits)
  const validate = getValidator(`parameter ${JSON.stringify(schema)}`, { properties: { value: schema } })
  return validate({ value: isNumber ? Number(digits) : value })
    ? undefined
    : `${name}: ${ajv.errorsText(validate.errors)}`
}

function wrongBody({ id }: FuzzedOperation, schema: Schema, body: unknown): string | undefined {
  const validate = getValidator(`body ${id}`, withFiles(schema))
  if (validate(body)) return undefined
  return `body${ajv.errorsText(validate.errors, { dataVar: '' })}`
}

/** Accepts any file here, because the service validates the bytes. */
function withFiles<Part extends Schema>(schema: Part): Part & FormSchema {
  return JSON.parse(JSON.stringify(schema), (_, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value
    return 'format' in value && value.format === 'binary' ? {} : value
  }) as Part & FormSchema
}

function getValidator(key: string, schema: Schema): ValidateFunction {
  const validate = compiled.get(key) ?? ajv.compile(schema)
  compiled.set(key, validate)
  return validate
}
