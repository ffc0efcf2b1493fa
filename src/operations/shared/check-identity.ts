import type { Context } from '../../context.ts'
import type { Client } from '../../contract.ts'
import { normaliseEmail } from '../../domain/account.ts'
import type { FieldCode, FieldFailures } from '../../domain/failure.ts'
import type { Slate } from '../../domain/limit.ts'
import { hashablePassword, passwordFaults } from '../../domain/password.ts'
import type { Phone } from '../../domain/phone.ts'
import type { PhoneVerification } from '../../domain/phone-verification.ts'
import { firstOf } from '../../domain/profile-form.ts'
import { confirmCode } from './confirm-code.ts'
import { readPhone } from './read-phone.ts'

/** Numbers with this calling code are confirmed before they are kept (interface, 4.5). */
const CONFIRMED_CODE = '966'

/** What an account is found by and logged in with, as far as it is right by itself. */
export type IdentityForm = { email?: string; phone?: string; phone_code?: string; otp?: string; password?: string }

/** The account as it is; undefined for one that is to be made */
type Current = Readonly<{ email: string; phone: string; phoneVerified: boolean }> | undefined

export type CheckedIdentity = {
  failures: FieldFailures
  /** The window that confirmed a new number, where that is needed */
  window: PhoneVerification | undefined
  /** Whether something is taken by another account */
  isTaken: boolean
}

export type Asking = { client: Client; slate: Slate }

/** What is wrong with an e-mail address, a number, its code and a password that are new to an account. */
export async function checkIdentity(
  form: IdentityForm,
  current: Current,
  asking: Asking,
  context: Context,
): Promise<CheckedIdentity> {
  const { phone, failures: phoneFailures } = readPhone(form, context)
  const taken = await takenFailures(form, phone, current, context)
  const free = taken['phone'] ? undefined : phone // nobody can confirm what belongs to somebody else
  const { window, failures: otpFailures } = await confirmed(form, free, current, asking, context)
  const failures = firstOf(phoneFailures, taken, otpFailures, await newPasswordFailures(form, context))
  return { failures, window, isTaken: Object.keys(taken).length > 0 }
}

async function takenFailures(
  form: IdentityForm,
  phone: Phone | undefined,
  current: Current,
  { store }: Context,
): Promise<FieldFailures> {
  const email = form.email && normaliseEmail(form.email)
  const wanted = {
    email: email === current?.email ? undefined : email,
    phone: phone?.e164 === current?.phone ? undefined : phone?.e164,
  }
  const taken = await store.profiles.taken(wanted)
  return { ...(taken.email && { email: ['email_taken'] }), ...(taken.phone && { phone: ['phone_taken'] }) }
}

/**
 * A new Saudi number comes with the code that was sent to it. Any other number that is not verified may come with one: the
 * right code verifies it, and another one is ignored, as clients may send what they have.
 */
async function confirmed(
  { otp }: IdentityForm,
  phone: Phone | undefined,
  current: Current,
  asking: Asking,
  context: Context,
): Promise<Pick<CheckedIdentity, 'window' | 'failures'>> {
  const isNew = phone?.e164 !== current?.phone
  const isNeeded = isNew && phone?.callingCode === CONFIRMED_CODE
  if (!phone || (!isNew && current?.phoneVerified)) return { window: undefined, failures: {} }
  if (otp === undefined) return { window: undefined, failures: isNeeded ? { otp: ['required'] } : {} }
  const window = await confirmCode({ phone: phone.e164, purpose: 'verification', otp, ...asking }, context)
  return { window, failures: window || !isNeeded ? {} : { otp: ['otp_wrong'] } }
}

async function newPasswordFailures({ password, email }: IdentityForm, context: Context): Promise<FieldFailures> {
  if (password === undefined) return {}
  const faults = await newPasswordFaults(password, email && normaliseEmail(email), context)
  return faults.length > 0 ? { password: faults } : {}
}

/**
 * What is wrong with a new password.
 *
 * @param email normalised, as it will be
 */
export async function newPasswordFaults(
  password: string,
  email: string | undefined,
  { commonPasswords }: Context,
): Promise<FieldCode[]> {
  const isCommon = await commonPasswords.has(hashablePassword(password) ?? '')
  return passwordFaults(password, email, isCommon)
}
