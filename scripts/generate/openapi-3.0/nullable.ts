import { typesOf } from '../document/openapi.ts'
import { mapObjects, type Document, type Schema } from './document.ts'
import { describeEnum } from './enums.ts'

/** Writes `nullable` where a schema accepts null, and a one-value enum where it has `const`. */
export function useNullable(document: Document): Document {
  return mapObjects(document, (schema) => withNullableType(withNullableUnion(withoutConst(schema))))
}

function withoutConst(schema: Schema): Schema {
  const { const: value, ...others } = schema
  return value === undefined ? schema : { ...others, enum: [value] }
}

const SCALARS = ['string', 'integer', 'number', 'boolean']

/**
 * `oneOf` of a schema and null: the tools that require `type` beside `nullable` get `object`. A union of texts and numbers accepts any
 * value: generators make an empty class of it, which Kotlin rejects.
 */
function withNullableUnion(schema: Schema): Schema {
  const keyword = schema.oneOf ? 'oneOf' : 'anyOf'
  const { [keyword]: variants, ...others } = schema
  if (!variants) return schema
  if (variants.length > 1 && variants.every(({ type }) => SCALARS.includes(String(type)))) return others
  const own = variants.filter((variant) => !isNull(variant))
  if (own.length === variants.length) return schema
  const [only] = own
  if (only && own.length === 1 && only.$ref === undefined)
    return { ...describeEnum({ ...only, ...others }), nullable: true }
  return { ...others, type: 'object', nullable: true, [own.length === 1 ? 'allOf' : keyword]: own }
}

/** A variant that is null only. The schemas within a schema come first, so it says `nullable` already. */
function isNull({ type, nullable, description: _, ...others }: Schema): boolean {
  return type === 'object' && nullable === true && Object.keys(others).length === 0
}

/**
 * Validators differ on whether a nullable enum accepts null, so its values become part of the description. A schema of
 * several types has no type in OpenAPI 3.0: it accepts any value.
 */
function withNullableType(schema: Schema): Schema {
  const { type: given = [], ...untyped } = schema
  const [type = 'object', ...others] = typesOf(schema)
  if (others.length > 0) return untyped
  return given.includes('null') ? { ...describeEnum(schema), type, nullable: true } : schema
}
