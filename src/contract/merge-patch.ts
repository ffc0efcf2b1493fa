import { deferValidation, passedFields, toFieldFailures, type DeferredValidation } from './field-errors.ts'
import { fileIdOf } from './linked-file-id.ts'
import { isClearable, isFile, emptyValue, listFields, listTypes, type FormSchema } from './forms/form-schema.ts'
import { ignoredFieldsOf } from './unions/union.ts'
import { findValidator } from './validation/index.ts'

type Members = Readonly<Record<string, unknown>>

/** The form that results from a patch */
type Patched = DeferredValidation & {
  removedFiles: string[]
}

/**
 * Applies a merge patch (RFC 7396) to a form and validates the result.
 *
 * @param target the stored values of the form; null where there is none, and links in place of files
 */
export type ApplyPatch = (target: Members, patch: Members) => Patched

/** Returns a function that applies patches to forms of a schema. Unlike in the RFC, a map is replaced as a whole. */
export function patchesOf(schema: FormSchema): ApplyPatch {
  const validate = findValidator(schema, 'body')
  const removeIgnored = (ignoredFieldsOf(schema) ?? ((form: unknown) => form)) as (form: Members) => Members

  return (target, patch) => {
    const merged = { ...target, ...patch }
    const fields = listFields(schema, (name) => merged[name])
    const applied = removeIgnored(merged)
    const isRemoved = (name: string): boolean =>
      applied[name] === null && typeof target[name] === 'string' && isFile(fields.get(name) ?? {})
    const members = Object.keys(applied).flatMap((name) => memberOf(name, fields.get(name) ?? {}, { target, patch }))
    const form = Object.fromEntries(members)
    const errors = validate(form) ? [] : (validate.errors ?? [])
    const body = errors.length > 0 ? passedFields(form, validate, errors) : form
    const removedFiles = Object.keys(patch).filter(isRemoved)
    const found = Object.entries(toFieldFailures(errors)).map(([name, failures]) => {
      const isLink = typeof patch[name] === 'string' && isFile(fields.get(name) ?? {}) // not that of the stored file
      return [name, isLink ? (['file_link_unknown'] as const) : failures] as const
    })
    return { ...deferValidation(form, { body, fieldErrors: Object.fromEntries(found) }), removedFiles }
  }
}

/**
 * Whether a value is null, or the link of the file that the field has. The target of a new account type does not have the
 * fields of the other one, whose files are stored nevertheless: any link is accepted there.
 */
function isUnchanged(value: unknown, stored: unknown): boolean {
  const id = fileIdOf(value)
  return value === null || (id !== undefined && (stored === undefined || id === fileIdOf(stored)))
}

/** Returns the member of the form with its name; none if the form lacks it. */
function memberOf(
  name: string,
  field: FormSchema,
  { target, patch }: { target: Members; patch: Members },
): [name: string, value: unknown][] {
  const value = Object.hasOwn(patch, name) ? patch[name] : target[name]
  if (isFile(field)) return isUnchanged(value, target[name]) ? [] : [[name, value]]
  if (value !== null) return [[name, value]]
  if (!Object.hasOwn(patch, name)) return []
  if (isClearable(field)) return [[name, emptyValue(listTypes(field))]]
  return Object.hasOwn(target, name) ? [] : [[name, null]] // of a field such as `password`, null is a wrong value
}
