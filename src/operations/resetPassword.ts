import type { Context } from '../context.ts'
import type { Body, Call, Operation } from '../contract.ts'
import { invalidData, type FieldFailures } from '../domain/failure.ts'
import { REFUSED_TOKENS } from '../domain/limit.ts'
import type { PersonalDetails } from '../domain/password.ts'
import { networkRequester, type Requester } from '../domain/requester.ts'
import { traceOf } from '../domain/trace.ts'
import { newPasswordFaults } from './shared/check-identity.ts'
import { confirmCode } from './shared/confirm-code.ts'
import { notify } from './shared/mail.ts'

type Form = Body<'resetPassword'>
type Asking = Pick<Call<'resetPassword'>, 'client' | 'abandoned' | 'slate'>

export const resetPassword: Operation<'resetPassword'> = async (call, context) => {
  const { body, client, abandoned, language, slate, reply } = call
  const email = await resetBy(body, { client, abandoned, slate }, context)
  notify({ to: email, about: 'password', language, reference: client.requestId }, context)

  return reply(null)
}

/** Sets the password by either way; gives the address of the account. */
async function resetBy(form: Form, asking: Asking, context: Context): Promise<string> {
  return form.by === 'email' ? resetByEmail(form, asking, context) : resetByPhone(form, asking, context)
}

async function resetByEmail(
  { token, password }: Extract<Form, { by: 'email' }>,
  { client, abandoned, slate }: Asking,
  context: Context,
): Promise<string> {
  const { store, passwords, resetTokens, limits } = context
  const tokenHash = resetTokens.hashOf(token)
  const email = await store.passwords.emailOfReset(tokenHash)
  const requester = networkRequester(client.network, abandoned)
  const owner = email === undefined ? {} : await store.accounts.personOf({ email })
  const wrongPassword = await wrong(password, owner, requester, context)
  const trace = traceOf(client)
  if (email === undefined) {
    await limits.take({ policy: REFUSED_TOKENS, key: client.network }, slate)
    await store.audit.record({ event: 'password_reset_failed', ...trace })
    throw invalidData({ token: ['reset_token_wrong'], ...wrongPassword })
  }
  if (wrongPassword['password']) throw invalidData(wrongPassword) // the token stays good
  const passwordHash = await passwords.hash(password, requester)
  const changed = await store.passwords.reset(tokenHash, passwordHash, trace)
  if (changed === undefined) throw invalidData({ token: ['reset_token_wrong'] }) // somebody else was faster
  return changed
}

async function resetByPhone(
  { phone_code, phone, otp, password }: Extract<Form, { by: 'phone' }>,
  asking: Asking,
  context: Context,
): Promise<string> {
  const { store, passwords, phoneNumbers } = context
  const { e164 } = phoneNumbers.read(phone_code, phone)
  const requester = networkRequester(asking.client.network, asking.abandoned)
  const window = await confirmCode({ phone: e164, otp, ...asking }, context)
  const owner = window ? await store.accounts.personOf({ phone: e164 }) : { phone: e164 } // who has no code learns no name
  const wrongPassword = await wrong(password, owner, requester, context)
  if (!window) throw invalidData({ otp: ['otp_wrong'], ...wrongPassword })
  if (wrongPassword['password']) throw invalidData(wrongPassword)
  const passwordHash = await passwords.hash(password, requester)
  const changed = await store.passwords.resetByPhone(window, passwordHash, traceOf(asking.client))
  if (changed === undefined) throw invalidData({ otp: ['otp_wrong'] }) // a number that nobody has
  return changed
}

async function wrong(
  password: string,
  owner: PersonalDetails,
  requester: Requester,
  context: Context,
): Promise<FieldFailures> {
  const faults = await newPasswordFaults(password, owner, requester, context)
  return faults.length > 0 ? { password: faults } : {}
}
