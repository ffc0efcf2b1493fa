import type { PhoneNumbers } from '../../../adapters/sms/phone-numbers.ts'
import type { FieldFailures } from '../../../domain/failure.ts'
import type { ImportedAccount } from '../../../domain/import.ts'
import { extractBcryptHash } from '../../../domain/passwords/password.ts'
import { mergeFailures } from '../../../domain/profiles/profile.ts'
import { passedFields, toFieldFailures } from '../../../contract/field-errors.ts'
import { buildNames, type NamedForm } from '../../../services/profile/names.ts'
import { readPhone } from '../../../contract/phone-fields.ts'
import type { Row } from '../readers/lines.ts'
import { checkDate } from './dates.ts'
import { readFactors, type FactorForm, type FactorRules } from './factors.ts'
import type { RowSchema } from './row-schema.ts'

/** A validated row. Its e-mail address is as in the file. */
export type Checked = Pick<Row, 'line' | 'end'> &
  Readonly<{ email: unknown; result: { account: ImportedAccount } | { failures: FieldFailures } }>

export type RowCheck = (row: Row) => Checked

/** A row that is valid by the schema */
type RowForm = NamedForm &
  FactorForm & {
    email: string
    phone: string
    phone_code: string
    password_hash: string
    created_at?: string
  }

type PassedFields = FactorForm & Partial<Pick<RowForm, 'phone' | 'phone_code' | 'password_hash' | 'created_at'>>

/** bcrypt has no lower cost, and with a higher one a login would take seconds. */
const BCRYPT_COST = { min: 4, max: 15 }

type Rules = Readonly<{ phoneNumbers: PhoneNumbers; factors: FactorRules; nowMs: () => number }>

/** Validates rows like registrations and collects all invalid fields. */
export function rowCheck({ validate }: RowSchema, { phoneNumbers, factors: factorRules, nowMs }: Rules): RowCheck {
  return ({ line, end, content }) => {
    if ('failures' in content) return { line, end, email: undefined, result: content }
    const { fields } = content
    const kind = fields['account_type']
    const check = kind === 'client' || kind === 'lawyer' ? validate[kind] : validate.other

    const isValid = check(fields)
    const errors = isValid ? [] : (check.errors ?? [])
    const schemaFailures = toFieldFailures(errors)
    const passed = (isValid ? fields : passedFields(fields, check, errors)) as PassedFields // validated by the schema
    const { phone, failures: phoneFailures } = readPhone(passed, { phoneNumbers })
    const { factors, failures: factorFailures } = readFactors(passed, factorRules, nowMs())
    const dateFailure = checkDate(passed.created_at, nowMs())
    const dateFailures = dateFailure ? { created_at: [dateFailure] } : {}
    const failures = mergeFailures(
      ...[schemaFailures, phoneFailures, costFailures(passed), dateFailures, factorFailures],
    )

    const isAccepted = phone !== undefined && Object.keys(failures).length === 0
    if (!isAccepted) return { line, end, email: fields['email'], result: { failures } }
    const form = fields as RowForm // it is valid
    const account = { ...toImportedAccount(form, phone.e164, phone.callingCode), factors }
    return { line, end, email: form.email, result: { account } }
  }
}

function toImportedAccount(form: RowForm, phone: string, phoneCode: string): Omit<ImportedAccount, 'factors'> {
  return {
    email: form.email,
    phone,
    phoneCode,
    phoneVerified: form.phone_verified ?? false,
    emailVerified: form.email_verified ?? false,
    passwordHash: form.password_hash,
    accountType: form.account_type,
    createdAt: form.created_at === undefined ? undefined : new Date(form.created_at),
    ...buildNames(form),
  }
}

function costFailures({ password_hash: hash }: PassedFields): FieldFailures {
  if (hash === undefined) return {}
  const cost = Number(extractBcryptHash(hash).slice(4, 6))
  if (cost < BCRYPT_COST.min) return { password_hash: [{ code: 'too_small', values: { limit: BCRYPT_COST.min } }] }
  return cost > BCRYPT_COST.max ? { password_hash: [{ code: 'too_large', values: { limit: BCRYPT_COST.max } }] } : {}
}
