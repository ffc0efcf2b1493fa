import type { Body, Call, Operation } from '../../contract/operation.ts'
import { normaliseEmail } from '../../domain/accounts/account.ts'
import { maskEmail } from '../../domain/mask.ts'
import { accountRequester } from '../../domain/limits/requester.ts'
import { toAuditContext, type AuditEvent } from '../../domain/audit/audit-context.ts'
import { rightFields } from '../../domain/profiles/profile-form.ts'
import { buildContactEvents, type ContactChange } from '../../domain/accounts/contact.ts'
import { announceUpdate } from '../../services/notifications/contact-change.ts'
import { notify } from '../../services/notifications/mail.ts'
import { checkProfile } from '../../services/profile/check-profile.ts'
import { readPhone, requirePhone } from '../../services/phone/read-phone.ts'
import { requireRecentChanges } from '../../services/sessions/recent-changes.ts'
import { buildProfileChange } from '../../services/profile/profile-change.ts'
import { serializeUser } from '../../serializers/user.ts'

export const updateProfile: Operation<'updateProfile'> = async (call, context) => {
  const { body, fieldErrors, finish, bearer, client, abandoned, language, reply } = call
  const { store, files, fileLinks, passwords, mail, emailTokens } = context
  const current = await store.accessState.wholeProfile(bearer)
  const right = rightFields(body, fieldErrors)
  const readNumber = readPhone(right, context)
  const isSamePassword = await requireRecentChanges(right, readNumber, current, call, context)
  const fields = isSamePassword ? withoutPassword(right) : right
  const { failures, window, ready } = await checkProfile(fields, readNumber, current, call, context)
  const form = isSamePassword ? withoutPassword(finish(failures)) : finish(failures)

  const phone = requirePhone(readNumber)
  const requester = accountRequester(bearer.accountId, abandoned)
  const passwordHash = form.password === undefined ? undefined : await passwords.hash(form.password, requester)
  const cancelToken = emailTokens.newToken()
  const email = normaliseEmail(form.email)
  const emailWish = { email, isConfirmable: mail.isOffered, cancelHash: emailTokens.hash(cancelToken) }
  let contact: ContactChange | undefined
  await files.store(ready, async (kept) => {
    const change = buildProfileChange(form, { current, phone, window, passwordHash, files: kept })
    const updated = await store.profiles.update(bearer, { ...change, emailWish }, (changed) => [
      ...buildEvents(form, { client, bearer }),
      ...buildContactEvents(changed, toAuditContext(client)),
    ])
    contact = updated.contact
    return updated.replaced
  })

  if (contact) announceUpdate(contact, cancelToken, { client, language }, context)
  if (form.password !== undefined) {
    notify({ to: current.email, about: 'password', language, reference: client.requestId }, context)
  }

  const profile = await store.accessState.profile(bearer)
  return reply({ user: serializeUser(profile, fileLinks) })
}

/** Removes a password that is unchanged, so that it is neither checked nor stored again. */
function withoutPassword<Fields extends { password?: string }>({ password: _, ...others }: Fields): Fields {
  return others as Fields // `password` is optional
}

/** Builds the audit events of an update. */
function buildEvents(
  { email, password }: Body<'updateProfile'>,
  { client, bearer: { accountId } }: Pick<Call<'updateProfile'>, 'client' | 'bearer'>,
): AuditEvent[] {
  const auditContext = { ...toAuditContext(client, maskEmail(email)), accountId }
  const updated = { event: 'profile_updated', ...auditContext } as const
  return password === undefined ? [updated] : [updated, { event: 'password_changed', ...auditContext }]
}
