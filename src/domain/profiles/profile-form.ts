import type { components } from '../../../generated/types.ts'
import type { FieldFailures } from '../failure.ts'

type Schemas = components['schemas']

/** The valid fields of both forms. A field that is missing or does not match its schema is absent. */
export type ProfileForm = Partial<
  Omit<Schemas['LawyerProfileForm'], 'account_type'> &
    Pick<Schemas['ClientProfileForm'], 'name'> & { account_type: 'client' | 'lawyer' }
>

/** Returns the fields of a body that can be validated further: licences only if their sections are valid. */
export function rightFields(body: object, fieldErrors: FieldFailures): ProfileForm {
  const { license_no: licences, ...others } = body as ProfileForm // all remaining fields match their schemas
  const areSectionsInvalid = Object.keys(fieldErrors).some((path) => path.split('.')[0] === 'sections')
  return licences === undefined || areSectionsInvalid ? others : { ...others, license_no: licences }
}

/** Merges the failures of several rules. If several rules reject a field, the first one applies. */
export function mergeFailures(...found: readonly FieldFailures[]): FieldFailures {
  return Object.assign({}, ...[...found].reverse()) as FieldFailures
}
