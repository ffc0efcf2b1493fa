import type { Context } from '../../context.ts'
import type { Body, Call } from '../../contract.ts'
import { Failure, invalidData } from '../../domain/failure.ts'
import { networkRequester } from '../../domain/requester.ts'
import { traceOf } from '../../domain/trace.ts'
import { newPasswordFaults } from './check-identity.ts'
import { confirmCode } from './confirm-code.ts'

type Form = Extract<Body<'resetPassword'>, { by: 'phone' }>
type Asking = Pick<Call<'resetPassword'>, 'client' | 'abandoned' | 'slate'>

/** As long as a service that sends no e-mail asks its clients to wait */
const OFF_SECONDS = 3600

/** @throws Failure 503 `sms_unavailable` where the operator does not allow that an SMS alone resets a password */
export function refuseSmsReset({ allowsSmsReset }: Context): void {
  if (!allowsSmsReset) throw new Failure('sms_unavailable', { retryAfterSeconds: OFF_SECONDS })
}

/** Sets the password with a code that was sent by SMS. Returns the e-mail address of the account. */
export async function resetByPhone(form: Form, asking: Asking, context: Context): Promise<string> {
  const { store, passwords, phoneNumbers } = context
  const { client, abandoned, slate } = asking
  refuseSmsReset(context)
  const { e164: phone } = phoneNumbers.read(form.phone_code, form.phone)
  const requester = networkRequester(client.network, abandoned)
  const window = await confirmCode({ phone, purpose: 'reset', otp: form.otp, client, slate }, context)
  const owner = window ? await store.accounts.personOf({ phone }) : { phone } // who has no code learns no name
  const faults = await newPasswordFaults(form.password, owner, requester, context)
  const wrongPassword = faults.length > 0 ? { password: faults } : {}

  if (!window) throw invalidData({ otp: ['otp_wrong'], ...wrongPassword })
  if (faults.length > 0) throw invalidData(wrongPassword)
  const passwordHash = await passwords.hash(form.password, requester)
  const changed = await store.recovery.resetByPhone({ window, passwordHash }, traceOf(client))
  if (!changed) throw invalidData({ otp: ['otp_wrong'] }) // the number recovers no account
  return changed.email
}
