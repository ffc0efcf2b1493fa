import type { Context } from '../context.ts'
import type { Body, Call, Operation } from '../contract.ts'
import { normaliseEmail } from '../domain/account.ts'
import { Failure } from '../domain/failure.ts'
import { maskEmail } from '../domain/mask.ts'
import { accountRequester } from '../domain/requester.ts'
import { traceOf, type AuditEvent } from '../domain/trace.ts'
import { rightFields } from '../domain/profile-form.ts'
import type { Profile } from '../domain/profile.ts'
import type { Language } from '../messages/index.ts'
import { notify } from './shared/mail.ts'
import { checkProfile } from './shared/check-profile.ts'
import { requireRecentChanges } from './shared/recent-changes.ts'
import { changeOf } from './shared/profile-change.ts'
import { userOf } from './shared/user.ts'

export const updateProfile: Operation<'updateProfile'> = async (call, context) => {
  const { draft, wrong, complete, bearer, client, abandoned, language, reply } = call
  const { store, files, fileLinks, phoneNumbers, passwords } = context
  const current = await store.bearers.wholeProfile(bearer)
  if (!current) throw new Failure('token_revoked')
  const right = rightFields(draft, wrong)
  const isSamePassword = await requireRecentChanges(right, current, call, context)
  const fields = isSamePassword ? withoutPassword(right) : right
  const { failures, window, ready } = await checkProfile(fields, current, call, context)
  const form = isSamePassword ? withoutPassword(complete(failures)) : complete(failures)

  const phone = phoneNumbers.read(form.phone_code, form.phone)
  const requester = accountRequester(bearer.accountId, abandoned)
  const passwordHash = form.password === undefined ? undefined : await passwords.hash(form.password, requester)
  await files.keep(ready, (kept) =>
    store.profiles.update(
      bearer,
      changeOf(form, { current, phone, window, passwordHash, files: kept }),
      eventsOf(form, { client, bearer }),
    ),
  )

  tellOldAddress(form, current, { language, reference: client.requestId }, context)

  const profile = await store.bearers.profile(bearer)
  if (!profile) throw new Failure('token_revoked')
  return reply({ user: userOf(profile, fileLinks) })
}

/** Keeps a password that is not to be judged or stored again out of a form. */
function withoutPassword<Fields extends { password?: string }>({ password: _, ...others }: Fields): Fields {
  return others as Fields // `password` is optional
}

/** Who lost an account to somebody else hears of it where it was. */
function tellOldAddress(
  { email: given, password }: Body<'updateProfile'>,
  { email: before }: Profile,
  about: { language: Language; reference: string },
  context: Context,
): void {
  const email = normaliseEmail(given)
  if (email !== before) notify({ to: before, about: 'email', values: { email: maskEmail(email) }, ...about }, context)
  if (password !== undefined) notify({ to: before, about: 'password', ...about }, context)
}

/** What the audit trail says of an update. */
function eventsOf(
  { email, password }: Body<'updateProfile'>,
  { client, bearer: { accountId } }: Pick<Call<'updateProfile'>, 'client' | 'bearer'>,
): AuditEvent[] {
  const trace = { ...traceOf(client, maskEmail(email)), accountId }
  const updated = { event: 'profile_updated', ...trace } as const
  return password === undefined ? [updated] : [updated, { event: 'password_changed', ...trace }]
}
