import type { ErrorObject } from 'ajv'
import { LIMITS } from '../../generated/limits.ts'
import { listTags, type CommonSchema, type Union } from './unions/union.ts'
import type { Validator } from './validation/lazy.ts'
import { invalidData, type FieldCode, type FieldFailure, type FieldFailures } from '../domain/failure.ts'

/** The field code of each keyword of Ajv; all others are `wrong_format`. */
const CODES: Readonly<Record<string, FieldCode>> = {
  required: 'required',
  dependentRequired: 'required',
  additionalProperties: 'unknown_field',
  unevaluatedProperties: 'unknown_field',
  type: 'wrong_type',
  upload: 'wrong_type',
  enum: 'not_allowed',
  const: 'not_allowed',
  minLength: 'too_short',
  maxLength: 'too_long',
  minimum: 'too_small',
  exclusiveMinimum: 'too_small',
  maximum: 'too_large',
  exclusiveMaximum: 'too_large',
  minItems: 'too_few',
  minProperties: 'too_few',
  maxItems: 'too_many',
  maxProperties: 'too_many',
  uniqueItems: 'repeated',
}

/** Keywords that only report that a subschema failed */
const NOISE = new Set(['if', 'oneOf', 'anyOf', 'allOf', 'propertyNames'])

const FIELDS_MAX = LIMITS.errors.fields
const NAME_LENGTH_MAX = 100
/** Of the accepted values in a message */
const VALUES_MAX = 20

/**
 * Returns the failures of a request by field. A value that is missing or has the wrong type has no other failures. If there are
 * too many fields, unknown ones are left out first.
 *
 * @param isExplained whether messages say what would be accepted, for programmers
 */
export function toFieldFailures(errors: readonly ErrorObject[], isExplained = false): FieldFailures {
  const fields = new Map<string, Map<FieldCode, FieldFailure>>()
  for (const error of unknownLast(errors)) {
    if (NOISE.has(error.keyword) && errors.length > 1) continue
    const path = toPath(error)
    const known = fields.get(path) ?? new Map<FieldCode, FieldFailure>()
    if (fields.size >= FIELDS_MAX && !fields.has(path)) continue
    const code = toFieldCode(error)
    const { limit } = error.params as Params
    const values = { ...(limit !== undefined && { limit }), ...(isExplained && toHint(code, error)) }
    known.set(code, Object.keys(values).length > 0 ? { code, values } : code)
    fields.set(path, known)
  }
  return Object.fromEntries([...fields].map(([path, found]) => [path, mostSevere(found)]))
}

/** Returns the values or the type that would be accepted, or an example. */
function toHint(code: FieldCode, error: ErrorObject): Record<string, string> | undefined {
  const { type } = error.params as Params
  const accepted = code === 'wrong_type' ? type : acceptedValues(error)
  if (accepted !== undefined) {
    const values = [accepted].flat().map(String)
    return { accepted: [...values.slice(0, VALUES_MAX), ...(values.length > VALUES_MAX ? ['…'] : [])].join(', ') }
  }
  const { examples: [example] = [], input } = (error.parentSchema ?? {}) as { examples?: unknown[]; input?: string }
  // an example of a name, a reason or a password would say nothing
  const isOfFormat = code === 'wrong_format' || (input !== undefined && input !== 'text')
  return isOfFormat && typeof example === 'string' ? { example } : undefined
}

function acceptedValues({ keyword, params, parentSchema }: ErrorObject): unknown {
  const { allowedValues, allowedValue } = params as Params
  if (keyword !== 'discriminator') return allowedValues ?? allowedValue
  const union = parentSchema as Union // bodies are dereferenced
  return union.oneOf.flatMap((variant) => listTags(union, variant))
}

type Params = Readonly<{ limit?: number; allowedValues?: unknown[]; allowedValue?: unknown; type?: string | string[] }>

function unknownLast(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  if (errors.length <= FIELDS_MAX) return errors
  const isUnknown = ({ keyword }: ErrorObject): boolean => CODES[keyword] === 'unknown_field'
  return [...errors.filter((error) => !isUnknown(error)), ...errors.filter(isUnknown)]
}

function toPath(error: ErrorObject): string {
  const path = toPathParts(error).join('.').toWellFormed().slice(0, NAME_LENGTH_MAX)
  // Half of a surrogate pair is no Unicode, and strict JSON parsers reject it.
  return (path.isWellFormed() ? path : path.slice(0, -1)) || 'body'
}

/** Returns the path to a wrong value; empty if it is the value as a whole. */
export function toPathParts({ instancePath, params }: ErrorObject): string[] {
  const { missingProperty, additionalProperty, unevaluatedProperty, tag } = params as Record<string, string | undefined>
  const below = missingProperty ?? additionalProperty ?? unevaluatedProperty ?? tag
  const parts = instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  return below === undefined ? parts : [...parts, below]
}

function toFieldCode({ keyword, data, params, parentSchema }: ErrorObject): FieldCode {
  const code = (parentSchema as { 'x-tawthiq-field-code'?: FieldCode } | undefined)?.['x-tawthiq-field-code']
  if (code !== undefined) return code
  if (keyword === 'discriminator') {
    const { tagValue } = params as { tagValue?: unknown }
    return tagValue === undefined ? 'required' : typeof tagValue === 'string' ? 'not_allowed' : 'wrong_type'
  }
  const isEmpty = data === '' && (keyword === 'minLength' || keyword === 'pattern' || keyword === 'format')
  return isEmpty ? 'required' : (CODES[keyword] ?? 'wrong_format')
}

function mostSevere(found: Map<FieldCode, FieldFailure>): FieldFailure[] {
  for (const code of ['unknown_field', 'required', 'wrong_type'] as const) {
    const failure = found.get(code)
    if (failure) return [failure]
  }
  if (found.has('too_large') || found.has('too_small')) found.delete('wrong_format') // of int32: the number is out of range
  return [...found.values()]
}

/**
 * Returns the fields of a value without errors. In a union with an invalid tag, only fields that all variants share can be
 * valid. A value that is not an object has none.
 */
export function passedFields(value: unknown, validate: Validator, errors: readonly ErrorObject[]): object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {}
  const failed = new Set(errors.map((error) => toPathParts(error)[0]))
  const isTagWrong = errors.some(({ keyword, instancePath }) => keyword === 'discriminator' && instancePath === '')
  const checked = isTagWrong ? checkedWithoutTag(validate) : undefined
  const passed = Object.entries(value).filter(([name]) => !failed.has(name) && (checked?.has(name) ?? true))
  return Object.fromEntries(passed)
}

/** Returns the fields that a validator checks without a valid tag; undefined if it checks all fields. */
function checkedWithoutTag({ schema }: Validator): ReadonlySet<string> | undefined {
  const { else: common } = schema as { else?: CommonSchema }
  if (!common) return undefined
  const checked = Object.entries(common.properties).filter(([, property]) => Object.keys(property).length > 0)
  return new Set(checked.map(([name]) => name))
}

/** What an operation with `x-tawthiq-defer-validation` gets of a form */
export type DeferredValidation<Form = unknown> = {
  /** The valid fields of the form */
  body: object
  /** The errors that the schema found */
  fieldErrors: FieldFailures
  /** @throws Failure 422 with the errors that the schema and the operation have found, if there are any */
  finish(failures: FieldFailures): Form
}

/** Lets an operation add its own field errors to those of the schema, so that the client gets all of them at once. */
export function deferValidation(
  form: object,
  { body, fieldErrors }: Pick<DeferredValidation, 'body' | 'fieldErrors'>,
): DeferredValidation {
  return {
    body,
    fieldErrors,
    finish(failures) {
      const all = { ...failures, ...fieldErrors }
      if (Object.keys(all).length > 0) throw invalidData(all)
      return form
    },
  }
}
