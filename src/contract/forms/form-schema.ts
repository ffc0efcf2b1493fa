/** The keywords of a schema that parsing a form depends on */
export type FormSchema = {
  type?: string | readonly string[]
  format?: string
  enum?: readonly unknown[]
  properties?: Readonly<Record<string, FormSchema>>
  items?: FormSchema
  additionalProperties?: boolean | FormSchema
  oneOf?: readonly FormSchema[]
  anyOf?: readonly FormSchema[]
  allOf?: readonly FormSchema[]
  discriminator?: Readonly<{ propertyName: string }>
  /** Whether an empty text clears the field */
  'x-tawthiq-clearable'?: boolean
  'x-tawthiq-megabytes-max'?: number
}

/** Returns the body of a route's schema by media type, in the shape that the glue gives `requestBody`. */
export function bodyContent(route: unknown): Record<string, { schema?: FormSchema }> {
  const { body } = (route ?? {}) as { body?: { content?: Record<string, { schema?: FormSchema }> } }
  return body?.content ?? {}
}

/** The schema of a field that the form does not have. It is a single object, because the caches below are by schema. */
export const ANYTHING: FormSchema = {}

type Fields = ReadonlyMap<string, FormSchema>

const fieldsBySchema = new WeakMap<FormSchema, Map<FormSchema | undefined, Fields>>()

/**
 * Returns the fields of a form, by name. If the schema is a union with a discriminator, they are those of all variants. If
 * several variants have a field of the same name, the one of the variant that the tag selects is returned.
 *
 * @param readText returns the value of the tag, by the name of its field
 */
export function listFields(schema: FormSchema, readText?: (name: string) => unknown): Fields {
  const variant = readText && findVariant(schema, readText)
  const known = fieldsBySchema.get(schema) ?? new Map<FormSchema | undefined, Fields>()
  fieldsBySchema.set(schema, known)
  const fields = known.get(variant) ?? collectFields(schema, variant)
  known.set(variant, fields)
  return fields
}

function findVariant(schema: FormSchema, readText: (name: string) => unknown): FormSchema | undefined {
  const tag = schema.discriminator?.propertyName
  if (tag === undefined) return undefined
  const text = readText(tag)
  return listBranches(schema).find(({ properties }) => properties?.[tag]?.enum?.includes(text))
}

function collectFields(schema: FormSchema, variant: FormSchema | undefined): Fields {
  const { properties = {}, allOf = [] } = schema
  const parts = [...listBranches(schema), ...(variant ? [variant] : []), ...allOf] // the last field of a name wins
  return new Map([...parts.flatMap((part) => [...listFields(part)]), ...Object.entries(properties)])
}

const typesBySchema = new WeakMap<FormSchema, ReadonlySet<string>>()

/** Returns the types that a schema allows, in any of its branches. */
export function listTypes(schema: FormSchema): ReadonlySet<string> {
  const known = typesBySchema.get(schema)
  if (known) return known
  const branches = listBranches(schema).flatMap((branch) => [...listTypes(branch)])
  const types = new Set([schema.type ?? [], branches].flat())
  typesBySchema.set(schema, types)
  return types
}

export function isFile(schema: FormSchema): boolean {
  return schema.format === 'binary'
}

export function isClearable(schema: FormSchema): boolean {
  return schema['x-tawthiq-clearable'] === true
}

/** Returns the value of a cleared field. A number that can be cleared can be null. */
export function emptyValue(types: ReadonlySet<string>): unknown {
  if (types.has('array')) return []
  if (types.has('object')) return {}
  return types.has('null') ? null : ''
}

export function itemSchema(schema: FormSchema): FormSchema {
  return schema.items ?? listBranches(schema).find(({ items }) => items)?.items ?? ANYTHING
}

export function memberSchema(schema: FormSchema, name: string): FormSchema {
  for (const { properties, additionalProperties } of [schema, ...listBranches(schema)]) {
    if (properties && Object.hasOwn(properties, name)) return properties[name] ?? ANYTHING
    if (typeof additionalProperties === 'object') return additionalProperties
  }
  return ANYTHING
}

function listBranches({ oneOf = [], anyOf = [] }: FormSchema): FormSchema[] {
  return [...oneOf, ...anyOf]
}
