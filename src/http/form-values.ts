import { asciiDigits } from '../domain/phone.ts'
import { fieldsOf, isFile, itemsOf, memberOf, typesOf, type FormSchema } from './form-schema.ts'
import { isFileLink } from './forms/file-links.ts'
import { parseJson } from './json.ts'

/** A text, a file, or what an `application/json` part holds. */
export type FormPart = Readonly<{ name: string; value: unknown }>

type Form = Record<string, unknown>

/** The values of one field, each with what stood in brackets behind the name. */
type Given = { value: unknown; key: string | undefined }[]

const BRACKETS = /^([^[\]]+)\[([^[\]]*)\]$/
/** No more digits than a number keeps, and nothing of the notations that only programs write. */
const INTEGER = /^-?[0-9]{1,15}$/
const NUMBER = /^-?[0-9]{1,15}(\.[0-9]{1,20})?$/
const BOOLEANS: Readonly<Record<string, boolean>> = { true: true, false: false, 1: true, 0: false }

/**
 * The object that a form means, by the schema of the operation. Texts become the numbers and booleans that are expected;
 * what does not read as one stays a text, so that the validation names it. An array comes as a name that repeats, as
 * `name[]` or as JSON text, a map as `name[key]`, JSON text or a JSON part. An empty text is an empty text, list or map
 * where the schema has `x-clearable`, and absent otherwise, as is a link to the file in place of a file. A name that stands twice where one value is expected is a
 * list, which is of the wrong type. Line ends are line feeds, which forms make CR LF of on their way.
 */
export function formValues(schema: FormSchema, parts: readonly FormPart[]): Form {
  const fields = fieldsOf(schema, (name) => parts.find((part) => part.name === name && part.value !== '')?.value)
  const form = Object.create(null) as Form // a name such as __proto__ is one like any other
  for (const [name, given] of byField(fields, parts)) {
    const value = valueOf(fields.get(name) ?? {}, given)
    if (value !== undefined) form[name] = value
  }
  return form
}

function byField(fields: ReadonlyMap<string, FormSchema>, parts: readonly FormPart[]): Map<string, Given> {
  const found = new Map<string, Given>()
  for (const { name, value } of parts) {
    const [, base = '', key = ''] = BRACKETS.exec(name) ?? []
    const types = typesOf(fields.get(base) ?? {})
    const text = typeof value === 'string' ? value.replaceAll('\r\n', '\n') : value
    const isItem = types.has('array') && /^[0-9]*$/.test(key)
    const isMember = types.has('object') && key !== ''
    const field = isItem || isMember ? base : name
    const given = found.get(field) ?? []
    found.set(field, [...given, { value: text, key: isMember ? key : undefined }])
  }
  return found
}

function valueOf(schema: FormSchema, given: Given): unknown {
  const types = typesOf(schema)
  const filled = given.filter(({ value }) => value !== '' && !(isFile(schema) && isFileLink(value)))
  const [first] = filled
  if (!first) return schema['x-clearable'] ? emptyOf(types) : undefined
  if (types.has('array')) return listOf(schema, filled)
  if (types.has('object') && filled.every(({ key }) => key !== undefined)) return mapOf(schema, filled)
  if (filled.length > 1) return filled.map(({ value }) => value)
  return types.has('object') ? membersOf(schema, fromJson(first.value, '{')) : scalarOf(types, first.value)
}

function emptyOf(types: ReadonlySet<string>): unknown {
  if (types.has('array')) return []
  return types.has('object') ? {} : ''
}

function listOf(schema: FormSchema, given: Given): unknown {
  const types = typesOf(itemsOf(schema))
  const values = given.map(({ value }) => value)
  const whole = values.length === 1 ? fromJson(values[0], '[') : values
  return (Array.isArray(whole) ? whole : values).map((item: unknown) => scalarOf(types, item))
}

function mapOf(schema: FormSchema, given: Given): Form {
  const map = Object.create(null) as Form
  for (const { key = '', value } of given) map[key] = key in map ? [map[key], value].flat() : value
  return membersOf(schema, map) as Form
}

function membersOf(schema: FormSchema, map: unknown): unknown {
  if (typeof map !== 'object' || map === null || Array.isArray(map)) return map
  const members = Object.entries(map).map(([name, value]) => {
    return [name, scalarOf(typesOf(memberOf(schema, name)), value)] as const
  })
  return Object.assign(Object.create(null), Object.fromEntries(members)) as Form
}

function scalarOf(types: ReadonlySet<string>, value: unknown): unknown {
  if (typeof value !== 'string' || types.has('string')) return value
  const text = asciiDigits(value.trim()).replace('٫', '.') // the Arabic decimal separator
  if (types.has('integer') && INTEGER.test(text)) return Number(text)
  if (types.has('number') && NUMBER.test(text)) return Number(text)
  if (types.has('boolean') && Object.hasOwn(BOOLEANS, text)) return BOOLEANS[text]
  return value
}

/** What a text that begins so holds as JSON; the text itself where it holds none. */
function fromJson(value: unknown, opening: '[' | '{'): unknown {
  if (typeof value !== 'string' || !value.trimStart().startsWith(opening)) return value
  try {
    return parseJson(Buffer.from(value))
  } catch {
    return value
  }
}
