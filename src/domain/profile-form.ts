import type { components } from '../../generated/types.ts'
import type { FieldFailures } from './failure.ts'

type Schemas = components['schemas']

/** The fields of both forms that passed their schema; a field that is missing or wrong is not there. */
export type ProfileForm = Partial<
  Omit<Schemas['LawyerProfileForm'], 'account_type'> &
    Pick<Schemas['ClientProfileForm'], 'name'> & { account_type: 'client' | 'lawyer' }
>

/** Returns the fields of a draft that can be judged further: licences cannot where their sections are wrong. */
export function rightFields(draft: object, wrong: FieldFailures): ProfileForm {
  const { license_no: licences, ...others } = draft as ProfileForm // whose fields have passed
  const areSectionsWrong = Object.keys(wrong).some((path) => path.split('.')[0] === 'sections')
  return licences === undefined || areSectionsWrong ? others : { ...others, license_no: licences }
}

/** The failures of several rules; a field that the first ones refuse is not judged further. */
export function firstOf(...found: readonly FieldFailures[]): FieldFailures {
  return Object.assign({}, ...[...found].reverse()) as FieldFailures
}
