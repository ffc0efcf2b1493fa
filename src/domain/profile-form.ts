import type { components } from '../../generated/types.ts'
import type { FieldFailures } from './failure.ts'

type Schemas = components['schemas']

/** The fields of both forms that are right by themselves; a field that is missing or wrong is not there. */
export type ProfileForm = Partial<
  Omit<Schemas['LawyerProfileForm'], 'account_type'> &
    Pick<Schemas['ClientProfileForm'], 'name'> & { account_type: 'client' | 'lawyer' }
>

/** The fields of a form that the document has nothing against. */
export function rightFields(form: object, wrong: FieldFailures): ProfileForm {
  const names = new Set(Object.keys(wrong).map((path) => path.split('.')[0]))
  if (names.has('sections')) names.add('license_no') // which is judged by them
  return Object.fromEntries(Object.entries(form).filter(([name]) => !names.has(name)))
}

/** The failures of several rules; a field that the first ones refuse is not judged further. */
export function firstOf(...found: readonly FieldFailures[]): FieldFailures {
  return Object.assign({}, ...[...found].reverse()) as FieldFailures
}
