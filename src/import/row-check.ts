import type { PhoneNumbers } from '../adapters/phone-numbers.ts'
import { normaliseEmail } from '../domain/account.ts'
import type { FieldFailures } from '../domain/failure.ts'
import type { Newcomer } from '../domain/import.ts'
import { bcryptPart } from '../domain/password.ts'
import { firstOf } from '../domain/profile-form.ts'
import { fieldFailures } from '../http/fields.ts'
import { passedFields } from '../http/unions/passed-fields.ts'
import { namesOf, type NamedForm } from '../operations/shared/names.ts'
import { readPhone } from '../operations/shared/read-phone.ts'
import type { Row } from './row.ts'
import type { RowSchema } from './row-schema.ts'

/** A row that was checked. */
export type Checked = Readonly<{
  line: number
  /** The byte behind it, from the beginning of the file */
  end: number
  /** As it stands in the file */
  email: unknown
  verdict: { newcomer: Newcomer } | { failures: FieldFailures }
}>

export type RowCheck = (row: Row) => Checked

/** A row that the schema has nothing against */
type RowForm = NamedForm & {
  email: string
  phone: string
  phone_code: string
  password_hash: string
  phone_verified?: boolean
  email_verified?: boolean
  created_at?: string
}

type Right = Partial<Pick<RowForm, 'phone' | 'phone_code' | 'password_hash' | 'created_at'>>

/** Cheaper hashes than these do not exist, and a dearer one would make each login take seconds. */
const COST = { min: 4, max: 15 }
/** Nobody had an account before. */
const FIRST_YEAR = 1970

/** Judges rows as a registration is judged: all wrong fields at once. */
export function rowCheck({ validate }: RowSchema, phoneNumbers: PhoneNumbers, nowMs: () => number): RowCheck {
  return ({ line, end, content }) => {
    if ('failures' in content) return { line, end, email: undefined, verdict: content }
    const { fields } = content
    const kind = fields['account_type']
    const check = kind === 'client' || kind === 'lawyer' ? validate[kind] : validate.other

    const isAsSchema = check(fields)
    const errors = isAsSchema ? [] : (check.errors ?? [])
    const wrong = fieldFailures(errors)
    const right = (isAsSchema ? fields : passedFields(fields, check, errors)) as Right // as the schema says
    const { phone, failures: phoneFailures } = readPhone(right, { phoneNumbers })
    const failures = firstOf(wrong, phoneFailures, costFailures(right), dateFailures(right, nowMs()))

    const isRight = phone !== undefined && Object.keys(failures).length === 0
    if (!isRight) return { line, end, email: fields['email'], verdict: { failures } }
    const form = fields as RowForm // nothing is wrong with it
    const newcomer = newcomerOf(form, phone.e164, phone.callingCode)
    return { line, end, email: form.email, verdict: { newcomer } }
  }
}

function newcomerOf(form: RowForm, phone: string, phoneCode: string): Newcomer {
  return {
    email: normaliseEmail(form.email),
    phone,
    phoneCode,
    phoneVerified: form.phone_verified ?? false,
    emailVerified: form.email_verified ?? false,
    passwordHash: form.password_hash,
    accountType: form.account_type,
    createdAt: form.created_at === undefined ? undefined : new Date(form.created_at),
    ...namesOf(form),
  }
}

function costFailures({ password_hash: hash }: Right): FieldFailures {
  if (hash === undefined) return {}
  const cost = Number(bcryptPart(hash).slice(4, 6))
  if (cost < COST.min) return { password_hash: [{ code: 'too_small', values: { limit: COST.min } }] }
  return cost > COST.max ? { password_hash: [{ code: 'too_large', values: { limit: COST.max } }] } : {}
}

/** The format knows the second 60, which is no time to a database. */
function dateFailures({ created_at: text }: Right, nowMs: number): FieldFailures {
  if (text === undefined) return {}
  const date = new Date(text)
  if (Number.isNaN(date.getTime())) return { created_at: ['date_unreal'] }
  const isPossible = date.getUTCFullYear() >= FIRST_YEAR && date.getTime() <= nowMs
  return isPossible ? {} : { created_at: ['not_allowed'] }
}
