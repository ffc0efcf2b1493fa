/** What a schema says that matters to a form. */
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
  'x-clearable'?: boolean
  /** Of a file: how large it may be */
  'x-megabytes-max'?: number
}

/**
 * The fields of a form, by name. Where the schema is a union with a discriminator, they are those of all variants; where
 * several have one of the same name, that of the variant is meant whose tag `textOf` gives.
 */
export function fieldsOf(schema: FormSchema, textOf?: (name: string) => unknown): Map<string, FormSchema> {
  const { discriminator, properties = {}, oneOf = [], anyOf = [], allOf = [] } = schema
  const variants = [...oneOf, ...anyOf]
  const tag = discriminator?.propertyName
  const chosen = variants.filter(({ properties: own }) => tag && own?.[tag]?.enum?.includes(textOf?.(tag)))
  const parts = [...variants, ...chosen, ...allOf] // the last one wins
  return new Map([...parts.flatMap((part) => [...fieldsOf(part, textOf)]), ...Object.entries(properties)])
}

/** The types that a value may have, wherever the schema says so. */
export function typesOf(schema: FormSchema): Set<string> {
  const branches = branchesOf(schema).flatMap((branch) => [...typesOf(branch)])
  return new Set([schema.type ?? [], branches].flat())
}

export function isFile(schema: FormSchema): boolean {
  return schema.format === 'binary'
}

export function itemsOf(schema: FormSchema): FormSchema {
  return schema.items ?? branchesOf(schema).find(({ items }) => items)?.items ?? {}
}

/** The schema of one member of a map. */
export function memberOf(schema: FormSchema, name: string): FormSchema {
  for (const { properties, additionalProperties } of [schema, ...branchesOf(schema)]) {
    if (properties && Object.hasOwn(properties, name)) return properties[name] ?? {}
    if (typeof additionalProperties === 'object') return additionalProperties
  }
  return {}
}

function branchesOf({ oneOf = [], anyOf = [] }: FormSchema): FormSchema[] {
  return [...oneOf, ...anyOf]
}
