import { findSchema, type Document, type Schema } from './openapi.ts'

/**
 * Writes out the fields that a union ignores where the variant that is sent does not have them: `x-tawthiq-ignores` names
 * the unions whose variants have them, and `x-tawthiq-ignored-fields` lists the fields. Variants are closed by the names of
 * their properties and of the fields that they ignore.
 */
export function writeOutIgnoredFields({ components: { schemas } }: Document): void {
  const listVariants = ({ oneOf = [] }: Schema): Schema[] => oneOf.map(({ $ref }) => findSchema($ref, schemas))
  const fieldsByVariant = (union: Schema): string[][] =>
    listVariants(union).map(({ properties = {} }) => Object.keys(properties))
  for (const schema of Object.values(schemas)) {
    const { 'x-tawthiq-ignores': unions } = schema
    if (!unions) continue
    delete schema['x-tawthiq-ignores']
    const fields = new Set(unions.flatMap((name) => fieldsByVariant(findSchema(name, schemas)).flat()))
    const own = fieldsByVariant(schema)
    const isOfAll = (field: string): boolean => own.every((names) => names.includes(field))
    const ignored = [...fields].filter((field) => !isOfAll(field)).sort()
    schema['x-tawthiq-ignored-fields'] = ignored
    for (const variant of listVariants(schema)) closeByNames(variant, ignored)
  }
}

/** `patternProperties` would do as well, but generated types would accept any name then. */
function closeByNames(variant: Schema, ignored: readonly string[]): void {
  const names = [...new Set([...Object.keys(variant.properties ?? {}), ...ignored])].sort()
  delete variant.additionalProperties
  variant.propertyNames = { pattern: `^(?:${names.join('|')})$` }
}
