// The columns of a profile. `a` is the alias of the account, and `p` of the profile.
import {
  column,
  isNotNull,
  narrowed,
  onlyIf,
  optional,
  pick,
  table,
  type Column,
  type Columns,
} from '../../database/sql.ts'
import { jsonRow } from '../../database/json-columns.ts'
import type { Account } from '../../domain/accounts/account.ts'
import type { BirthDate, Lawyer, Profile } from '../../domain/profiles/profile.ts'

const a = table('Account', 'a')
const { accountId: _, ...p } = table('Profile', 'p') // its other columns have the names of the fields
const { accountId: __, reviewVersion: ___, ...l } = table('LawyerProfile', 'l')

export const ACCOUNT: Columns<Account> = pick(a, 'id', 'email', 'accountType', 'isAdmin')

const PERSON: Columns<Omit<Profile, keyof Account | 'lawyer'>> = {
  phone: a.phone,
  phoneCode: a.phoneCode,
  phoneVerified: isNotNull(a.phoneVerifiedAt),
  emailVerified: isNotNull(a.emailVerifiedAt),
  ...pick(a, 'pendingEmail', 'deletionDueAt', 'profileVersion'),
  ...p,
  type: narrowed(p.type), // requests are validated by the OpenAPI document, as for `identityType`
  files: column(`(SELECT coalesce(json_object_agg(f.kind, f.id), '{}') FROM files f WHERE f.account_id = a.id)`),
}

/** Only within a JSON row, which has dates as in ISO 8601 */
const BIRTH_DATE: Column<BirthDate | null> = {
  sql: 'l.birth_date',
  read(wire) {
    if (wire === null) return null
    const [year = 0, month = 0, day = 0] = (wire as string).split('-').map(Number)
    return { year, month, day }
  },
}

const LAWYER: Column<Lawyer | null> = jsonRow<Lawyer>(
  {
    ...l,
    identityType: narrowed(l.identityType),
    birthDate: BIRTH_DATE,
    licences: column(`coalesce(
      (SELECT json_object_agg(section_id, licence_no) FROM lawyer_licences WHERE account_id = l.account_id), '{}')`),
    languages: column(
      'ARRAY(SELECT language_id FROM lawyer_languages WHERE account_id = l.account_id ORDER BY language_id)',
    ),
  },
  'FROM lawyer_profiles l WHERE l.account_id = a.id',
)

/** A profile. Includes the lawyer's data only if the account is currently a lawyer. */
export const PROFILE: Columns<Profile> = {
  ...ACCOUNT,
  ...PERSON,
  lawyer: optional(onlyIf(`a.account_type = 'lawyer'`, LAWYER)),
}

/** A profile that includes the stored lawyer's data even if the account is now a client. */
export const WHOLE_PROFILE: Columns<Profile> = { ...ACCOUNT, ...PERSON, lawyer: optional(LAWYER) }
