import type { Context } from '../context.ts'
import type { Body, Call, Operation } from '../contract.ts'
import { Failure } from '../domain/failure.ts'
import { maskEmail } from '../domain/mask.ts'
import { hashablePassword } from '../domain/password.ts'
import { rightFields } from '../domain/profile-form.ts'
import { checkProfile } from './shared/check-profile.ts'
import { changeOf } from './shared/profile-change.ts'
import { userOf } from './shared/user.ts'

export const updateProfile: Operation<'updateProfile'> = async (call, context) => {
  const { draft, wrong, complete, bearer, reply } = call
  const { store, files, fileLinks, phoneNumbers } = context
  const current = await store.bearers.wholeProfile(bearer)
  if (!current) throw new Failure('token_revoked')
  const { failures, window, ready } = await checkProfile(rightFields(draft, wrong), current, call, context)
  const form = complete(failures)

  const phone = phoneNumbers.read(form.phone_code, form.phone)
  const passwordHash = await hashOf(form.password, context)
  await files.keep(ready, (kept) =>
    store.profiles.update(bearer, changeOf(form, { current, phone, window, passwordHash, files: kept })),
  )
  await recordChange(form, call, context)

  const profile = await store.bearers.profile(bearer)
  if (!profile) throw new Failure('token_revoked')
  return reply({ user: userOf(profile, fileLinks) })
}

async function hashOf(password: string | undefined, { passwords }: Context): Promise<string | undefined> {
  const hashable = password === undefined ? undefined : hashablePassword(password)
  return hashable === undefined ? undefined : passwords.hash(hashable)
}

async function recordChange(
  { email, password }: Body<'updateProfile'>,
  { client: { address, requestId }, bearer: { accountId } }: Call<'updateProfile'>,
  { store }: Context,
): Promise<void> {
  const trace = { subject: maskEmail(email), address, requestId, accountId }
  await store.audit.record({ event: 'profile_updated', ...trace })
  if (password !== undefined) await store.audit.record({ event: 'password_changed', ...trace })
}
