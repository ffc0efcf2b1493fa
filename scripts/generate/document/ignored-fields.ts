import type { Document, Schema } from './openapi.ts'

/**
 * Writes out the fields that a union ignores where the variant that is sent does not have them: `x-tawthiq-ignores` names
 * the unions whose variants have them, and `x-tawthiq-ignored-fields` lists the fields.
 */
export function writeOutIgnoredFields({ components: { schemas } }: Document): void {
  const fieldsByVariant = ({ oneOf = [] }: Schema): string[][] => {
    const variants = oneOf.map(({ $ref }) => findSchema($ref.split('/').at(-1) ?? '', schemas))
    return variants.map(({ properties = {} }) => Object.keys(properties))
  }
  for (const schema of Object.values(schemas)) {
    const { 'x-tawthiq-ignores': unions } = schema
    if (!unions) continue
    delete schema['x-tawthiq-ignores']
    const fields = new Set(unions.flatMap((name) => fieldsByVariant(findSchema(name, schemas)).flat()))
    const own = fieldsByVariant(schema)
    const isOfAll = (field: string): boolean => own.every((names) => names.includes(field))
    schema['x-tawthiq-ignored-fields'] = [...fields].filter((field) => !isOfAll(field)).sort()
  }
}

function findSchema(name: string, schemas: Readonly<Record<string, Schema>>): Schema {
  const schema = schemas[name]
  if (!schema) throw new Error(`the document has no schema ${name} whose fields are ignored`)
  return schema
}
