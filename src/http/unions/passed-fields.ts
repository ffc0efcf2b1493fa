import type { ErrorObject } from 'ajv/dist/2020.js'
import { pathPartsOf } from '../fields.ts'
import type { Validator } from '../validation/lazy.ts'
import { judgedNames, type CommonSchema } from './union.ts'

/** By validator; undefined where it judges all fields, whatever they hold */
const judgedWithoutTag = new WeakMap<Validator, ReadonlySet<string> | undefined>()

/**
 * Returns the fields of a value that its schema has passed, given what it has found wrong. Of a union whose tag is wrong
 * only those can pass that all variants have in common; of a value that is no object there are none.
 */
export function passedFields(value: unknown, validate: Validator, errors: readonly ErrorObject[]): object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {}
  const failed = new Set(errors.map((error) => pathPartsOf(error)[0]))
  const isTagWrong = errors.some(({ keyword, instancePath }) => keyword === 'discriminator' && instancePath === '')
  const judged = isTagWrong ? judgedBy(validate) : undefined
  const passed = Object.entries(value).filter(([name]) => !failed.has(name) && (judged?.has(name) ?? true))
  return Object.fromEntries(passed)
}

function judgedBy(validate: Validator): ReadonlySet<string> | undefined {
  if (!judgedWithoutTag.has(validate)) {
    const { else: common } = validate.schema as { else?: CommonSchema }
    judgedWithoutTag.set(validate, common && judgedNames(common))
  }
  return judgedWithoutTag.get(validate)
}
