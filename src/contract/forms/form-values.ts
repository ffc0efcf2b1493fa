import { cleanInput } from '../../domain/inputs.ts'
import {
  ANYTHING,
  emptyValue,
  isClearable,
  itemSchema,
  listFields,
  listTypes,
  memberSchema,
  type FormSchema,
} from './form-schema.ts'
import { parseJson } from '../json.ts'
import type { Upload } from '../../domain/files/file.ts'
import type { FieldFailures } from '../../domain/failure.ts'

/** A part of a form: a text, a file, or the parsed content of an `application/json` part */
export type FormPart = Readonly<{ name: string; value: unknown }>

type Form = Record<string, unknown>

/** The values of one field, each with the key in brackets after its name */
type Given = { value: unknown; key: string | undefined }[]

const BRACKETS = /^([^[\]]+)\[([^[\]]*)\]$/
/** At most as many digits as a number holds exactly */
const INTEGER = /^-?[0-9]{1,15}$/
/** Also as programs print small numbers: `1e-7`, `5.0E-4` */
const NUMBER = /^-?[0-9]{1,15}(\.[0-9]{1,30})?(e[+-]?[0-9]{1,2})?$/i
const BOOLEANS: Readonly<Record<string, boolean>> = { true: true, false: false, 1: true, 0: false }

/**
 * Returns the object that a form means, by the schema of the operation.
 *
 * - Texts become the numbers and booleans that are expected. Other texts are unchanged, so that the validation names them.
 * - An array is a repeated name, `name[]` or JSON text. A map is `name[key]`, JSON text or a JSON part.
 * - An empty text is an empty text, list or map, or null, where the schema has `x-tawthiq-clearable`, and absent otherwise.
 * - A repeated name where one value is expected is a list, which is of the wrong type.
 * - Line ends are line feeds. Forms send CR LF.
 */
export function parseForm(schema: FormSchema, parts: readonly FormPart[]): Form {
  const fields = listFields(schema, (name) => parts.find((part) => part.name === name && part.value !== '')?.value)
  const form = Object.create(null) as Form // a field may be named __proto__
  for (const [name, given] of groupByField(fields, parts)) {
    const value = parseField(fields.get(name) ?? ANYTHING, given)
    if (value !== undefined) form[name] = value
  }
  return form
}

function groupByField(fields: ReadonlyMap<string, FormSchema>, parts: readonly FormPart[]): Map<string, Given> {
  const found = new Map<string, Given>()
  for (const { name, value } of parts) {
    const { field, key } = splitName(name, fields)
    const text = typeof value === 'string' ? value.replaceAll('\r\n', '\n') : value
    found.set(field, [...(found.get(field) ?? []), { value: text, key }])
  }
  return found
}

/** Splits `name[key]`, where the schema expects an array or an object; the key is undefined for items of an array. */
function splitName(name: string, fields: ReadonlyMap<string, FormSchema>): { field: string; key: string | undefined } {
  const [, base, key = ''] = BRACKETS.exec(name) ?? []
  if (base === undefined) return { field: name, key: undefined }
  const types = listTypes(fields.get(base) ?? ANYTHING)
  if (types.has('object') && key !== '') return { field: base, key }
  const isItem = types.has('array') && /^[0-9]*$/.test(key)
  return { field: isItem ? base : name, key: undefined }
}

function parseField(schema: FormSchema, given: Given): unknown {
  const types = listTypes(schema)
  const filled = given.filter(({ value }) => value !== '')
  const [first] = filled
  if (!first) return isClearable(schema) ? emptyValue(types) : undefined
  if (types.has('array')) return parseList(schema, filled)
  if (types.has('object') && filled.every(({ key }) => key !== undefined)) return parseMap(schema, filled)
  if (filled.length > 1) return filled.map(({ value }) => value)
  return types.has('object') ? parseMembers(schema, fromJson(first.value, '{')) : parseScalar(types, first.value)
}

function parseList(schema: FormSchema, given: Given): unknown {
  const types = listTypes(itemSchema(schema))
  const values = given.map(({ value }) => value)
  const whole = values.length === 1 ? fromJson(values[0], '[') : values
  return (Array.isArray(whole) ? whole : values).map((item: unknown) => parseScalar(types, item))
}

function parseMap(schema: FormSchema, given: Given): Form {
  const map = Object.create(null) as Form
  for (const { key = '', value } of given) map[key] = key in map ? [map[key], value].flat() : value
  return parseMembers(schema, map) as Form
}

function parseMembers(schema: FormSchema, map: unknown): unknown {
  if (typeof map !== 'object' || map === null || Array.isArray(map)) return map
  const members = Object.entries(map).map(([name, value]) => {
    return [name, parseScalar(listTypes(memberSchema(schema, name)), value)] as const
  })
  return Object.assign(Object.create(null), Object.fromEntries(members)) as Form
}

function parseScalar(types: ReadonlySet<string>, value: unknown): unknown {
  if (typeof value !== 'string' || types.has('string')) return value
  const text = cleanInput('plain', value).replace('٫', '.') // the Arabic decimal separator
  if (types.has('integer') && INTEGER.test(text)) return Number(text)
  if (types.has('number') && NUMBER.test(text)) return Number(text)
  if (types.has('boolean') && Object.hasOwn(BOOLEANS, text)) return BOOLEANS[text]
  return value
}

/** Parses a text that starts like JSON of this kind; returns the text itself if it is not valid JSON. */
function fromJson(value: unknown, opening: '[' | '{'): unknown {
  if (typeof value !== 'string' || !value.trimStart().startsWith(opening)) return value
  try {
    return parseJson(Buffer.from(value))
  } catch {
    return value
  }
}

const uploads = new WeakSet<object>()

/** Returns whether a value is a file that was uploaded in a form, and not a JSON object of the same shape. */
export function isUpload(value: unknown): boolean {
  return typeof value === 'object' && value !== null && uploads.has(value)
}

/** Marks a file that was uploaded; `isUpload` accepts no others. */
export function newUpload(upload: Upload): Upload {
  uploads.add(upload)
  return upload
}

const MEGABYTE = 1024 * 1024

/** Replaces a file in a form that is over the limit of its field. Its content is not stored. */
export class OversizedFile {
  readonly megabytesMax: number

  constructor(bytesMax: number) {
    this.megabytesMax = bytesMax / MEGABYTE
  }
}

export function oversizedFiles(body: unknown): FieldFailures {
  if (typeof body !== 'object' || body === null) return {}
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) =>
      value instanceof OversizedFile
        ? [[name, [{ code: 'file_too_large', values: { limit: value.megabytesMax } }]] as const]
        : [],
    ),
  )
}
