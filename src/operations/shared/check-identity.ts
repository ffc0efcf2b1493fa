import type { Context } from '../../context.ts'
import type { Client } from '../../contract.ts'
import { normaliseEmail } from '../../domain/account.ts'
import type { FieldCode, FieldFailures } from '../../domain/failure.ts'
import type { Slate } from '../../domain/limit.ts'
import { normalisePassword, passwordFaults, personalWords, type PersonalDetails } from '../../domain/password.ts'
import type { Phone } from '../../domain/phone.ts'
import type { PhoneVerification } from '../../domain/phone-verification.ts'
import { firstOf } from '../../domain/profile-form.ts'
import { accountRequester, networkRequester, type Requester } from '../../domain/requester.ts'
import { confirmCode } from './confirm-code.ts'
import { countTaken } from './count-taken.ts'
import { readPhone } from './read-phone.ts'

/** Numbers with this calling code are confirmed before they are kept (interface, 4.5). */
const CONFIRMED_CODE = '966'

/** What an account is found by and logged in with, as far as it is right by itself. */
export type IdentityForm = Partial<
  Record<'email' | 'phone' | 'phone_code' | 'otp' | 'password' | 'name' | `${NamePart}_name`, string>
>
type NamePart = 'first' | 'second' | 'third' | 'fourth'

/** The account as it is; undefined for one that is to be made */
type Current =
  | Readonly<{ id: number; email: string; pendingEmail: string | null; phone: string; phoneVerified: boolean }>
  | undefined

export type CheckedIdentity = {
  failures: FieldFailures
  /** The window that confirmed a new number, where that is needed */
  window: PhoneVerification | undefined
}

export type Asking = { client: Client; abandoned: AbortSignal; slate: Slate }

/** What is wrong with an e-mail address, a number, its code and a password that are new to an account. */
export async function checkIdentity(
  form: IdentityForm,
  current: Current,
  asking: Asking,
  context: Context,
): Promise<CheckedIdentity> {
  const { phone, failures: phoneFailures } = readPhone(form, context)
  const taken = await takenFailures(form, phone, current, asking, context)
  const free = taken['phone'] ? undefined : phone // nobody can confirm what belongs to somebody else
  const { window, failures: otpFailures } = await confirmed(form, free, current, asking, context)
  const wrongPassword = await newPasswordFailures(form, current, asking, context)
  return { failures: firstOf(phoneFailures, taken, otpFailures, wrongPassword), window }
}

async function takenFailures(
  form: IdentityForm,
  phone: Phone | undefined,
  current: Current,
  asking: Asking,
  context: Context,
): Promise<FieldFailures> {
  const email = form.email && normaliseEmail(form.email)
  const wanted = {
    email: current && [current.email, current.pendingEmail].includes(email ?? null) ? undefined : email,
    phone: phone?.e164 === current?.phone ? undefined : phone?.e164,
  }
  if (wanted.email === undefined && wanted.phone === undefined) return {}
  const taken = await countTaken({ ...asking, accountId: current?.id }, context, () =>
    context.store.profiles.taken(wanted),
  )
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

async function newPasswordFailures(
  form: IdentityForm,
  current: Current,
  { client, abandoned }: Asking,
  context: Context,
): Promise<FieldFailures> {
  const { password, email, phone } = form
  if (password === undefined) return {}
  const name = [form.name, form.first_name, form.second_name, form.third_name, form.fourth_name].filter(Boolean)
  const owner = { email: email && normaliseEmail(email), phone, name: name.join(' ') }
  const requester = current ? accountRequester(current.id, abandoned) : networkRequester(client.network, abandoned)
  const faults = await newPasswordFaults(password, owner, requester, context)
  return faults.length > 0 ? { password: faults } : {}
}

/**
 * Returns what is wrong with a new password.
 *
 * @param owner whose password it will be; the e-mail address is normalised
 * @throws Failure 503 `overloaded` when too many passwords wait to be judged
 */
export async function newPasswordFaults(
  password: string,
  owner: PersonalDetails,
  requester: Requester,
  { commonPasswords, passwordStrength, breachedPasswords }: Context,
): Promise<FieldCode[]> {
  const normalised = normalisePassword(password)
  const faults = passwordFaults(normalised, owner.email)
  if (faults.length > 0) return faults
  if (await commonPasswords.has(normalised)) return ['password_common']
  const isGuessable = await passwordStrength.isGuessable(normalised, personalWords(owner), requester)
  if (isGuessable) return ['password_guessable']
  return (await breachedPasswords.has(normalised)) ? ['password_breached'] : []
}
