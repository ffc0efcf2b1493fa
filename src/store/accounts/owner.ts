import { outerTable, table, type Columns } from '../../database/columns.ts'
import type { PersonalDetails } from '../../domain/passwords/password.ts'

/** The personal details of the owner of an account, as columns of a statement that also reads the account */
export type OwnerRow = { email: string; ownerPhone: string; ownerName: string | null }

const a = table('Account', 'a')

/** Columns over the account `a` and its profile `p`, in an outer join */
export const OWNER: Columns<OwnerRow> = {
  email: a.email,
  ownerPhone: a.phone,
  ownerName: outerTable('Profile', 'p').name,
}

export function toPersonalDetails({ email, ownerPhone, ownerName }: OwnerRow): PersonalDetails {
  return { email, phone: ownerPhone, name: ownerName ?? undefined }
}
