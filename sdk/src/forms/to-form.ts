import type { Schemas } from '../contract.ts'
import { FIELDS } from '../generated/fields.ts'

/** The form of a user */
export type FormOf<User> = User extends { account_type: 'lawyer' }
  ? Schemas['LawyerProfileForm']
  : Schemas['ClientProfileForm']

/**
 * Returns the fields of a profile that can be sent back: without read-only fields, file links and fields without a
 * value. Sent back as it is, the form changes nothing. The service names the fields that an incomplete profile lacks.
 */
export function toForm<User extends Schemas['UserProfile']>(user: User): FormOf<User> {
  const fields: Record<string, { kind: string }> = FIELDS[user.account_type]
  const sent = Object.entries(user).filter(
    ([name, value]: [string, unknown]) => value !== null && fields[name] !== undefined && fields[name].kind !== 'file',
  )
  const form: object = Object.fromEntries(sent)
  return form as FormOf<User> // the fields that are left have the same types in both
}
