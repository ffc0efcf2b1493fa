import type { Context } from '../../context.ts'
import type { AnyCall } from '../../contract/operation.ts'
import type { FieldCode, FieldFailures } from '../../domain/failure.ts'
import { accountRequester, networkRequester, type Requester } from '../../domain/requester.ts'
import {
  normalisePassword,
  findPasswordFaults,
  listPersonalWords,
  type PersonalDetails,
} from '../../domain/passwords/password.ts'
import type { Phone } from '../../domain/phones/phone.ts'
import type { PhoneVerification } from '../../domain/phones/phone-verification.ts'
import { mergeFailures } from '../../domain/profiles/profile.ts'
import { codeAttempt } from '../phone/confirm-code.ts'
import { findTakenIdentifiers, type Taken } from './find-taken-identifiers.ts'
import type { ReadPhone } from '../../contract/phone-fields.ts'

/** Numbers with this calling code must be confirmed before they are stored (interface, 4.5). */
const CONFIRMED_CODE = '966'

/** The valid fields of a form that identify an account or are used to log in */
export type IdentityForm = Partial<
  Record<'email' | 'phone' | 'phone_code' | 'otp' | 'password' | 'name' | `${NamePart}_name`, string>
>
type NamePart = 'first' | 'second' | 'third' | 'fourth'

/** The stored account; undefined in a registration */
type Current =
  | Readonly<{ id: number; email: string; pendingEmail: string | null; phone: string; phoneVerified: boolean }>
  | undefined

export type CheckedIdentity = {
  failures: FieldFailures
  /** The verification that confirmed a new number, if there is one */
  verification: PhoneVerification | undefined
}

/** Checks a new e-mail address, a new phone number with its code, and a new password. */
export async function checkIdentity(
  form: IdentityForm,
  { phone, failures: phoneFailures }: ReadPhone,
  current: Current,
  request: AnyCall,
  context: Context,
): Promise<CheckedIdentity> {
  const { verification, failures } = await checkIdentifiers(form, phone, current, request, context)
  const wrongPassword = await newPasswordFailures(form, current, request, context)
  return { failures: mergeFailures(phoneFailures, failures, wrongPassword), verification }
}

/**
 * Looks up whether new identifiers are taken, and confirms the number with the code of the form. A new Saudi number requires
 * the right code. For other numbers that are not verified the code is optional: the right one verifies the number, and a wrong
 * one is ignored. The number of another account cannot be confirmed.
 */
async function checkIdentifiers(
  form: IdentityForm,
  phone: Phone | undefined,
  current: Current,
  request: AnyCall,
  context: Context,
): Promise<CheckedIdentity> {
  const need = needForCode(phone, current)
  const { otp } = form
  const { client, rateLimiter } = request
  const canConfirm = phone && need !== 'none' && otp !== undefined
  const code = canConfirm
    ? codeAttempt({ phone: phone.e164, purpose: 'verification', otp, client }, context)
    : undefined
  const wanted = { ...newIdentifiers(form, phone, current), code }
  const by = { client, rateLimiter, accountId: current?.id }
  const { taken, decision } = await findTakenIdentifiers(by, wanted, context)

  const verification = decision?.isConfirmed ? decision.next : undefined
  const isMissing = need === 'required' && !taken.phone && !verification
  const wrongCode: FieldFailures = isMissing ? { otp: [otp === undefined ? 'required' : 'otp_wrong'] } : {}
  return { failures: { ...toTakenFailures(taken), ...wrongCode }, verification }
}

function toTakenFailures({ email, phone }: Taken): FieldFailures {
  return { ...(email && { email: ['email_taken'] }), ...(phone && { phone: ['phone_taken'] }) }
}

/** Returns the identifiers that differ from those of the account, which need no check. */
function newIdentifiers(
  form: IdentityForm,
  phone: Phone | undefined,
  current: Current,
): { email: string | undefined; phone: string | undefined } {
  const { email } = form
  const isOwnEmail = current !== undefined && [current.email, current.pendingEmail].includes(email ?? null)
  return { email: isOwnEmail ? undefined : email, phone: phone?.e164 === current?.phone ? undefined : phone?.e164 }
}

function needForCode(phone: Phone | undefined, current: Current): 'none' | 'optional' | 'required' {
  if (!phone) return 'none'
  if (phone.e164 === current?.phone) return current.phoneVerified ? 'none' : 'optional'
  return phone.callingCode === CONFIRMED_CODE ? 'required' : 'optional'
}

async function newPasswordFailures(
  form: IdentityForm,
  current: Current,
  request: AnyCall,
  context: Context,
): Promise<FieldFailures> {
  const { password, email, phone } = form
  if (password === undefined) return {}
  const { client, abandoned } = request
  const name = [form.name, form.first_name, form.second_name, form.third_name, form.fourth_name].filter(Boolean)
  const owner = { email, phone, name: name.join(' ') }
  const requester = current ? accountRequester(current.id, abandoned) : networkRequester(client.network, abandoned)
  const faults = await checkNewPassword(password, owner, requester, context)
  return faults.length > 0 ? { password: faults } : {}
}

/**
 * Returns what is wrong with a new password.
 *
 * @param owner the owner of the password; the e-mail address is normalised
 * @throws Failure 503 `overloaded` when too many passwords are waiting to be checked
 */
export async function checkNewPassword(
  password: string,
  owner: PersonalDetails,
  requester: Requester,
  { commonPasswords, passwordStrength, breachedPasswords }: Context,
): Promise<FieldCode[]> {
  const normalised = normalisePassword(password)
  const faults = findPasswordFaults(normalised, owner.email)
  if (faults.length > 0) return faults
  if (await commonPasswords.has(normalised)) return ['password_common']
  const isGuessable = await passwordStrength.isGuessable(normalised, listPersonalWords(owner), requester)
  if (isGuessable) return ['password_guessable']
  return (await breachedPasswords.has(normalised)) ? ['password_breached'] : []
}
