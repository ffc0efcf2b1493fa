import type { AnySchema, ErrorObject } from 'ajv/dist/2020.js'
import { toPathParts } from '../field-errors.ts'
import { checkedNames, type CommonSchema } from './union.ts'

/** The fields that a schema checks without a valid tag; undefined if it checks all fields */
const checkedBySchema = new Map<AnySchema, ReadonlySet<string> | undefined>()

/**
 * Returns the fields of a value without errors. In a union with an invalid tag, only fields that all variants share can be
 * valid. A value that is not an object has none.
 */
export function passedFields(value: unknown, schema: AnySchema, errors: readonly ErrorObject[]): object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {}
  const failed = new Set(errors.map((error) => toPathParts(error)[0]))
  const isTagWrong = errors.some(({ keyword, instancePath }) => keyword === 'discriminator' && instancePath === '')
  const judged = isTagWrong ? checkedWithoutTag(schema) : undefined
  const passed = Object.entries(value).filter(([name]) => !failed.has(name) && (judged?.has(name) ?? true))
  return Object.fromEntries(passed)
}

function checkedWithoutTag(schema: AnySchema): ReadonlySet<string> | undefined {
  if (!checkedBySchema.has(schema)) {
    const { else: common } = schema as { else?: CommonSchema }
    checkedBySchema.set(schema, common && checkedNames(common))
  }
  return checkedBySchema.get(schema)
}
