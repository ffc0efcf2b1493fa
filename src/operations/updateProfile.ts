import type { Body, Call, Operation } from '../contract.ts'
import { normaliseEmail } from '../domain/account.ts'
import { Failure } from '../domain/failure.ts'
import { maskEmail } from '../domain/mask.ts'
import { accountRequester } from '../domain/requester.ts'
import { traceOf, type AuditEvent } from '../domain/trace.ts'
import { rightFields } from '../domain/profile-form.ts'
import { contactEvents, type ContactChange } from '../domain/contact.ts'
import { announceUpdate } from './shared/announce-change.ts'
import { notify } from './shared/mail.ts'
import { checkProfile } from './shared/check-profile.ts'
import { requireRecentChanges } from './shared/recent-changes.ts'
import { changeOf } from './shared/profile-change.ts'
import { userOf } from './shared/user.ts'

export const updateProfile: Operation<'updateProfile'> = async (call, context) => {
  const { draft, wrong, complete, bearer, client, abandoned, language, reply } = call
  const { store, files, fileLinks, phoneNumbers, passwords, mail, emailTokens } = context
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
  const cancelToken = emailTokens.newToken()
  const email = normaliseEmail(form.email)
  const emailWish = { email, isConfirmable: mail.isOffered, cancelHash: emailTokens.hashOf(cancelToken) }
  let contact: ContactChange | undefined
  await files.keep(ready, async (kept) => {
    const change = changeOf(form, { current, phone, window, passwordHash, files: kept })
    const updated = await store.profiles.update(bearer, { ...change, emailWish }, (changed) => [
      ...eventsOf(form, { client, bearer }),
      ...contactEvents(changed, traceOf(client)),
    ])
    contact = updated.contact
    return updated.replaced
  })

  if (contact) announceUpdate(contact, cancelToken, { client, language }, context)
  if (form.password !== undefined) {
    notify({ to: current.email, about: 'password', language, reference: client.requestId }, context)
  }

  const profile = await store.bearers.profile(bearer)
  if (!profile) throw new Failure('token_revoked')
  return reply({ user: userOf(profile, fileLinks) })
}

/** Keeps a password that is not to be judged or stored again out of a form. */
function withoutPassword<Fields extends { password?: string }>({ password: _, ...others }: Fields): Fields {
  return others as Fields // `password` is optional
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
