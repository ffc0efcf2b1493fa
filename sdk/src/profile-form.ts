import type { Schemas } from './contract.ts'
import { FIELDS } from './generated/fields.ts'

type Form<User> = User extends { account_type: 'lawyer' } ? Schemas['LawyerProfileForm'] : Schemas['ClientProfileForm']

/**
 * Returns the fields of a profile that can be sent back: without read-only fields, file links and fields without a
 * value. Sent back as it is, the form changes nothing. Required fields of an incomplete profile are missing.
 */
export function toForm<User extends Schemas['UserProfile']>(
  user: User,
): Partial<Form<User>> & Pick<Form<User>, 'account_type'> {
  const fields: Record<string, { kind: string }> = FIELDS[user.account_type]
  const sent = Object.entries(user).filter(
    ([name, value]: [string, unknown]) => value !== null && fields[name] !== undefined && fields[name].kind !== 'file',
  )
  const form: object = Object.fromEntries(sent)
  return form as Form<User> // the fields that are left have the same types in both
}
