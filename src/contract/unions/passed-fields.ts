import type { ErrorObject } from 'ajv/dist/2020.js'
import { toPathParts } from '../field-errors.ts'
import type { Validator } from '../validation/lazy.ts'
import { checkedNames, type CommonSchema } from './union.ts'

/** The fields that a validator checks without a valid tag; undefined if it checks all fields */
const checkedByValidator = new WeakMap<Validator, ReadonlySet<string> | undefined>()

/**
 * Returns the fields of a value without errors. In a union with an invalid tag, only fields that all variants share can be
 * valid. A value that is not an object has none.
 */
export function passedFields(value: unknown, validate: Validator, errors: readonly ErrorObject[]): object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {}
  const failed = new Set(errors.map((error) => toPathParts(error)[0]))
  const isTagWrong = errors.some(({ keyword, instancePath }) => keyword === 'discriminator' && instancePath === '')
  const judged = isTagWrong ? checkedWithoutTag(validate) : undefined
  const passed = Object.entries(value).filter(([name]) => !failed.has(name) && (judged?.has(name) ?? true))
  return Object.fromEntries(passed)
}

function checkedWithoutTag(validate: Validator): ReadonlySet<string> | undefined {
  if (!checkedByValidator.has(validate)) {
    const { else: common } = validate.schema as { else?: CommonSchema }
    checkedByValidator.set(validate, common && checkedNames(common))
  }
  return checkedByValidator.get(validate)
}
