import { invalidData, type FieldFailures } from '../domain/failure.ts'

/** What an operation with `x-tawthiq-defer-validation` gets of a form */
export type DeferredValidation = {
  /** The valid fields of the form */
  body: object
  /** The errors that the schema found */
  fieldErrors: FieldFailures
  /**
   * Returns the form if neither the schema nor the operation has found errors.
   *
   * @throws Failure 422 with the errors of both
   */
  finish(failures: FieldFailures): unknown
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
