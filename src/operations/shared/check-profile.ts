import type { Context } from '../../context.ts'
import type { Client } from '../../contract.ts'
import { normaliseEmail } from '../../domain/account.ts'
import { choiceFailures } from '../../domain/choices.ts'
import { Failure, type FieldFailures } from '../../domain/failure.ts'
import type { ReadyFile } from '../../domain/file.ts'
import type { Slate } from '../../domain/limit.ts'
import { hashablePassword, passwordFailures } from '../../domain/password.ts'
import type { Phone } from '../../domain/phone.ts'
import type { PhoneVerification } from '../../domain/phone-verification.ts'
import { firstOf, type ProfileForm } from '../../domain/profile-form.ts'
import { lawyerFailures } from '../../domain/profile-rules.ts'
import type { Profile } from '../../domain/profile.ts'
import { confirmCode } from './confirm-code.ts'

/** Numbers with this calling code are confirmed before they are kept (interface, 4.5). */
const CONFIRMED_CODE = '966'

export type Checked = {
  failures: FieldFailures
  /** The window that confirmed a new number, where that is needed */
  window: PhoneVerification | undefined
  /** The files that came with the form */
  ready: ReadyFile[]
}

type Asking = { client: Client; slate: Slate }

/**
 * Everything that is wrong with the fields of a form, as far as they are right by themselves: what the document cannot
 * say, because it is about the account, the lookups, other accounts or the clock.
 */
export async function checkProfile(
  form: ProfileForm,
  current: Profile,
  asking: Asking,
  context: Context,
): Promise<Checked> {
  const tables = context.lookups.current()
  const judged = { form, current, lookups: tables, nowMs: context.clock.nowMs() }
  const { ready, wrong: wrongFiles } = await context.files.read(form)
  const { phone, failures: phoneFailures } = phoneOf(form, context)
  const takenFields = await takenFailures(form, phone, current, context)
  const free = takenFields['phone'] ? undefined : phone // nobody can confirm what belongs to somebody else
  const { window, failures: otpFailures } = await confirmed(form, free, current, asking, context)
  const failures = firstOf(
    wrongFiles,
    phoneFailures,
    takenFields,
    otpFailures,
    choiceFailures(form, current, tables),
    lawyerFailures(judged),
    await newPasswordFailures(form, context),
  )
  return { failures, window, ready }
}

function phoneOf(
  { phone_code: code, phone }: ProfileForm,
  { phoneNumbers }: Context,
): { phone?: Phone; failures: FieldFailures } {
  if (code === undefined || phone === undefined) return { failures: {} }
  try {
    return { phone: phoneNumbers.read(code, phone), failures: {} }
  } catch (error) {
    if (error instanceof Failure && error.fields) return { failures: error.fields }
    throw error
  }
}

async function takenFailures(
  form: ProfileForm,
  phone: Phone | undefined,
  current: Profile,
  { store }: Context,
): Promise<FieldFailures> {
  const email = form.email && normaliseEmail(form.email)
  const wanted = {
    email: email === current.email ? undefined : email,
    phone: phone?.e164 === current.phone ? undefined : phone?.e164,
  }
  const taken = await store.profiles.taken(wanted)
  return { ...(taken.email && { email: ['email_taken'] }), ...(taken.phone && { phone: ['phone_taken'] }) }
}

/** A new Saudi number comes with the code that was sent to it. */
async function confirmed(
  { otp }: ProfileForm,
  phone: Phone | undefined,
  current: Profile,
  asking: Asking,
  context: Context,
): Promise<Omit<Checked, 'ready'>> {
  const isNeeded = phone !== undefined && phone.e164 !== current.phone && phone.callingCode === CONFIRMED_CODE
  if (!isNeeded) return { window: undefined, failures: {} }
  if (otp === undefined) return { window: undefined, failures: { otp: ['required'] } }
  const window = await confirmCode({ phone: phone.e164, otp, ...asking }, context)
  return { window, failures: window ? {} : { otp: ['otp_wrong'] } }
}

async function newPasswordFailures(
  { password, email }: ProfileForm,
  { commonPasswords }: Context,
): Promise<FieldFailures> {
  if (password === undefined) return {}
  const isCommon = await commonPasswords.has(hashablePassword(password) ?? '')
  return passwordFailures(password, email && normaliseEmail(email), isCommon)
}
