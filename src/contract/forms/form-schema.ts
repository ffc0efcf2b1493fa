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
  /** The maximum size of a file */
  'x-tawthiq-megabytes-max'?: number
}

/**
 * The fields of a form, by name. Where the schema is a union with a discriminator, they are those of all variants; where
 * several have one of the same name, that of the variant is meant whose tag `textOf` gives.
 */
export function listFields(schema: FormSchema, readText?: (name: string) => unknown): Map<string, FormSchema> {
  const { discriminator, properties = {}, oneOf = [], anyOf = [], allOf = [] } = schema
  const variants = [...oneOf, ...anyOf]
  const tag = discriminator?.propertyName
  const chosen = variants.filter(({ properties: own }) => tag && own?.[tag]?.enum?.includes(readText?.(tag)))
  const parts = [...variants, ...chosen, ...allOf] // the last field of a name wins
  return new Map([...parts.flatMap((part) => [...listFields(part, readText)]), ...Object.entries(properties)])
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

/** Returns whether an empty value clears a field. */
export function isClearable(schema: FormSchema): boolean {
  return schema['x-tawthiq-clearable'] === true
}

/** Returns the value that clears a field of these types. */
export function emptyValue(types: ReadonlySet<string>): unknown {
  if (types.has('array')) return []
  return types.has('object') ? {} : ''
}

export function itemSchema(schema: FormSchema): FormSchema {
  return schema.items ?? listBranches(schema).find(({ items }) => items)?.items ?? {}
}

/** Returns the schema of one member of a map. */
export function memberSchema(schema: FormSchema, name: string): FormSchema {
  for (const { properties, additionalProperties } of [schema, ...listBranches(schema)]) {
    if (properties && Object.hasOwn(properties, name)) return properties[name] ?? {}
    if (typeof additionalProperties === 'object') return additionalProperties
  }
  return {}
}

function listBranches({ oneOf = [], anyOf = [] }: FormSchema): FormSchema[] {
  return [...oneOf, ...anyOf]
}
