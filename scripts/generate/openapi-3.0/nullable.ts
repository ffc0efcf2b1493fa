import { typesOf } from '../document/openapi.ts'
import { mapSchemas, type Document, type Schema } from './document.ts'
import { describeValues } from './enums.ts'

/** Writes `nullable` where a schema accepts null, and a one-value enum where it has `const`. */
export function useNullable(document: Document): Document {
  return mapSchemas(document, (schema) => withNullableType(withNullableUnion(withoutScalarUnion(withoutConst(schema)))))
}

function withoutConst(schema: Schema): Schema {
  const { const: value, ...others } = schema
  return value === undefined ? schema : { ...others, enum: [value] }
}

const SCALARS = ['string', 'integer', 'number', 'boolean']

/** A union of texts and numbers accepts any value: generators make an empty class of it, which Kotlin rejects. */
function withoutScalarUnion(schema: Schema): Schema {
  const { oneOf, anyOf, ...others } = schema
  const variants = oneOf ?? anyOf
  const isScalar = ({ type }: Schema): boolean => typeof type === 'string' && SCALARS.includes(type)
  return Array.isArray(variants) && variants.length > 1 && variants.every(isScalar) ? others : schema
}

/** `oneOf` of a schema and null: the tools that require `type` beside `nullable` get `object`. */
function withNullableUnion(schema: Schema): Schema {
  const keyword = schema.oneOf ? 'oneOf' : 'anyOf'
  const { [keyword]: variants, ...others } = schema
  if (!Array.isArray(variants)) return schema
  const own = variants.filter((variant) => !isNull(variant))
  if (own.length === variants.length) return schema
  const [only] = own
  if (only && own.length === 1 && only.$ref === undefined)
    return { ...describeValues({ ...only, ...others }), nullable: true }
  return { ...others, type: 'object', nullable: true, [own.length === 1 ? 'allOf' : keyword]: own }
}

/** A variant that is null only. The schemas within a schema come first, so it says `nullable` already. */
function isNull({ type, nullable, properties, ...others }: Schema): boolean {
  return (
    type === 'object' && nullable === true && !properties && Object.keys(others).every((key) => key === 'description')
  )
}

/**
 * Validators differ on whether a nullable enum accepts null, so its values become part of the description. A schema of
 * several types has no type in OpenAPI 3.0: it accepts any value.
 */
function withNullableType(schema: Schema): Schema {
  const { type: given = [], ...untyped } = schema
  const all = [given].flat()
  const [type = 'object', ...others] = typesOf(schema)
  if (others.length > 0) return untyped
  return all.includes('null') ? { ...describeValues(schema), type, nullable: true } : schema
}
