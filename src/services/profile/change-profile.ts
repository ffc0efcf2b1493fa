import type { Context } from '../../context.ts'
import type { AnyCall, Body, Call } from '../../contract/operation.ts'
import { buildContactEvents, type ContactChange } from '../../domain/accounts/account.ts'
import { toAuditContext, type AuditEvent } from '../../domain/audit/audit-context.ts'
import type { OptionalFileKind, ReadyFile } from '../../domain/files/file.ts'
import { accountRequester } from '../../domain/requester.ts'
import type { NewMail } from '../../domain/mail.ts'
import type { Phone } from '../../domain/phones/phone.ts'
import { maskEmail } from '../../domain/text.ts'
import {
  rightFields,
  profileVersion,
  requireVersion,
  mergeFailures,
  type Profile,
  type ProfileDetails,
  type ProfileForm,
} from '../../domain/profiles/profile.ts'
import type { SessionAge } from '../../domain/sessions/recent-authentication.ts'
import { announceUpdateBySms, composeUpdateMails } from '../notifications/contact-change.ts'
import { newUndo, type NewProofs } from '../notifications/undo-notice.ts'
import { readPhone, type ReadPhone } from '../../contract/phone-fields.ts'
import { requirePhone } from '../phone/read-phone.ts'
import { requireRecentChanges } from './require-recent-changes.ts'
import { buildDetails, buildProfileChange, listChoices } from './profile-change.ts'
import { choiceFailures, lawyerFailures } from '../../domain/profiles/profile-rules.ts'
import type { FieldFailures } from '../../domain/failure.ts'
import { checkIdentity, type CheckedIdentity } from './check-identity.ts'

type Form = Body<'updateProfile'>

/** The parts of a request that changes a profile. Its body is the form of `updateProfile`. */
type ProfileRequest = Omit<Call<'updateProfile'>, 'path' | 'query' | 'reply'> & {
  /** The files that are deleted */
  removedFiles?: readonly OptionalFileKind[]
}

/**
 * Changes a profile by all rules of `updateProfile`, and notifies the owner of changed contact data.
 *
 * @param current the profile that the form was read with; it is compared again under a lock if the request expects a version
 * @throws Failure 412 `outdated`, 422 `invalid_data` and the other errors of `updateProfile`
 */
export async function changeProfile(
  request: ProfileRequest,
  current: Profile & SessionAge,
  context: Context,
): Promise<Profile> {
  const { body, fieldErrors, finish, expectedVersions } = request
  if (Object.keys(fieldErrors).length === 0) requireVersion(expectedVersions, profileVersion(current))
  const right = rightFields(body, fieldErrors)
  const readNumber = readPhone(right, context)
  const isSamePassword = await requireRecentChanges(right, readNumber, current, request, context)
  const fields = isSamePassword ? withoutPassword(right) : right
  const checked = await checkProfile(fields, readNumber, current, request, context)
  const form = isSamePassword ? withoutPassword(finish(checked.failures)) : finish(checked.failures)
  const toDetails = (stored: Profile): ProfileDetails => {
    if (stored !== current) finish(ruleFailures(form, stored, context))
    return buildDetails(form, stored)
  }

  return storeChange(form, { ...checked, phone: requirePhone(readNumber), current, toDetails }, request, context)
}

type Checked = CheckedProfile & {
  phone: Phone
  current: Profile
  /** @throws Failure 422 `invalid_data` if the form breaks a rule for the stored profile, which another request has changed */
  toDetails: (stored: Profile) => ProfileDetails
}

type Updated = Awaited<ReturnType<Context['store']['profiles']['update']>>

/** Stores a change, and returns the profile after it. */
async function storeChange(
  form: Form,
  { phone, verification, ready, current, toDetails }: Checked,
  request: ProfileRequest,
  context: Context,
): Promise<Profile> {
  const { bearer, client, abandoned, expectedVersions, removedFiles = [] } = request
  const { store, files, mail, passwords } = context
  const { password } = form
  const passwordHash =
    password === undefined ? undefined : await passwords.hash(password, accountRequester(bearer.accountId, abandoned))
  let proofs: NewProofs | undefined
  const undo = (): NewProofs => (proofs ??= newUndo(context)) // most updates need none
  const hasPassword = password !== undefined
  const emailWish = { email: form.email, isConfirmable: mail.isOffered }
  const toMails = (changed: ContactChange): NewMail[] =>
    composeUpdateMails({ ...changed, hasPassword, undo }, request, context)
  let updated: Updated | undefined
  await files.store(ready, async (kept) => {
    const change = buildProfileChange(form, { current, phone, verification, passwordHash, files: kept })
    const update = { ...change, toDetails, current, emailWish, undo, expectedVersions, removedFiles }
    const toAuditEvents = (changed: ContactChange): AuditEvent[] => [
      ...buildEvents(form, request),
      ...buildContactEvents(changed, toAuditContext(client)),
    ]
    updated = await store.profiles.update(bearer, update, { toAuditEvents, toMails })
    return updated.replaced
  })

  if (!updated) throw new Error('a change of a profile has not been stored')
  announceUpdateBySms({ ...updated.contact, hasPassword, undo }, request, context)
  return updated.profile
}

/** Removes a password that is unchanged, so that it is neither checked nor stored again. */
function withoutPassword<Fields extends { password?: string }>({ password: _, ...others }: Fields): Fields {
  return others as Fields // `password` is optional
}

/** Builds the audit events of an update. */
function buildEvents({ email, password }: Form, { client, bearer, removedFiles = [] }: ProfileRequest): AuditEvent[] {
  const { accountId } = bearer
  const auditContext = { ...toAuditContext(client, maskEmail(email)), accountId }
  return [
    { event: 'profile_updated', ...auditContext },
    ...(password === undefined ? [] : [{ event: 'password_changed', ...auditContext } as const]),
    ...removedFiles.map((kind) => ({ event: 'file_deleted', accountId, ...toAuditContext(client, kind) }) as const),
  ]
}

type CheckedProfile = CheckedIdentity & {
  /** The uploaded files */
  ready: ReadyFile[]
}

/**
 * Checks the valid fields of a form against rules that the document cannot express: they depend on the account, the lookups,
 * other accounts or the clock.
 */
async function checkProfile(
  form: ProfileForm,
  phone: ReadPhone,
  current: Profile,
  request: AnyCall,
  context: Context,
): Promise<CheckedProfile> {
  const { ready, fieldErrors: wrongFiles } = await context.files.read(form, current.id)
  const { verification, failures: wrongIdentity } = await checkIdentity(form, phone, current, request, context)
  const failures = mergeFailures(wrongFiles, wrongIdentity, ruleFailures(form, current, context))
  return { failures, verification, ready }
}

/** Checks the rules that depend on the stored profile. */
function ruleFailures(form: ProfileForm, current: Profile, context: Context): FieldFailures {
  const { nationalIdCheck, clock } = context
  const lookups = context.lookups.current()
  const input = { form, current, lookups, nationalIdCheck, nowMs: clock.nowMs() }
  return mergeFailures(choiceFailures(listChoices(form, current), lookups), lawyerFailures(input))
}
