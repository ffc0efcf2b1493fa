// Updates of a profile. Most take one statement; those of an e-mail address, a phone number or a password lock the account first.
import { query, queryOnlyRow, type Driver } from '../../database/sql.ts'
import type { Bearer, ContactChange, EmailOutcome, RequestedEmail } from '../../domain/accounts/account.ts'
import { NOT_OPENED, type NewUndo } from '../../domain/accounts/undo.ts'
import type { AuditEvent } from '../../domain/audit/audit-context.ts'
import type { DomainEvent } from '../../domain/event.ts'
import type { NewMail } from '../../domain/mail.ts'
import {
  changedProfile,
  profileVersion,
  requireVersion,
  type Profile,
  type ProfileChange,
  type ProfileDetails,
  type ReviewAfter,
} from '../../domain/profiles/profile.ts'
import { reviewAfter } from '../../domain/profiles/review.ts'
import { lockAndAuthorizeAccount, type LockedOwnAccount } from '../accounts/lock-account.ts'
import { deleteRows, toProfileUpdated, type InChange, setAccount } from '../changes.ts'
import { useVerification } from '../phone-verifications.ts'
import { changePhone, KEEP_FORMER_EMAIL } from '../recovery/identifiers.ts'
import { firstSessionOf } from '../sessions/begin.ts'
import { openUndo, type UndoKind } from '../undo/open.ts'
import { WHOLE_PROFILE } from './columns.ts'
import { writeProfile } from './write-profile.ts'
import type { OutboxOptions } from '../events/outbox.ts'
import { assigned, type Assigned, type Bind, type Part } from '../../database/composed.ts'
import type { FileKind } from '../../domain/files/file.ts'
import { changedIdentity, requireRecent } from '../../domain/sessions/recent-authentication.ts'
import { deleteTokens, invalidateCode, revocationParts } from '../revocation/index.ts'

export type Updated = Readonly<{
  /** The keys of the files that have no row any more */
  replaced: string[]
  contact: ContactChange
  auditEvents: readonly AuditEvent[]
  mails: readonly NewMail[]
  /** The profile after the update */
  profile: Profile
}>

export type Parts = Readonly<{
  outbox: OutboxOptions
  toAuditEvents: (contact: ContactChange) => AuditEvent[]
  toMails: (contact: ContactChange) => readonly NewMail[]
}>

const BY_ID = query<Profile>(
  WHOLE_PROFILE,
  (list) => `SELECT ${list} FROM accounts a JOIN profiles p ON p.account_id = a.id WHERE a.id = $1`,
  'stored-profile',
)

/**
 * Updates a profile whose e-mail address, phone number and password do not change, in one statement.
 *
 * @returns undefined if nothing was written, because the change needs `updateUnderLock`
 */
export async function updateDirectly(
  pool: Driver,
  bearer: Bearer,
  update: Update,
  parts: Parts,
): Promise<Updated | undefined> {
  const { current } = update
  if (!current || bearer.recent?.when === null || isIdentityChanged(update, current)) return undefined
  const contact = toContactChange({ ...current, accountId: current.id }, update)
  return writeUpdate(pool, bearer, { update, stored: current, contact }, parts)
}

/** Updates a profile in a transaction, which decides everything again after it has locked the account. */
export async function updateUnderLock(
  inChange: InChange,
  bearer: Bearer,
  update: Update,
  parts: Parts,
): Promise<Updated> {
  return inChange(async (change) => {
    const { transaction } = change
    const { accountId } = bearer
    const { account, emailWish, verification } = update
    const before = await lockAndAuthorizeAccount(change, bearer)
    requireSame(bearer, before, update)
    await useVerification(transaction, verification)
    const email = decideEmail(before, emailWish)
    const kind = undoKind(before, update, email)
    const opened = kind ? await openUndo(change, before, update.undo(), kind) : NOT_OPENED
    if (email !== 'unchanged' || account.passwordHash !== undefined)
      await change.write(accountId, { parts: (bind) => identityParts(bearer, update, email, bind) })
    if (account.phone) await changePhone(change, bearer, account.phone)
    const stored = await queryOnlyRow(transaction, BY_ID, accountId)
    const contact = toContactChange(before, update, email, opened)
    const updated = await writeUpdate(transaction, bearer, { update, stored, contact }, parts)
    if (!updated) throw new Error('a locked profile has not been written')
    return updated
  })
}

/** Returns what is undone of an update; undefined if nothing is. */
function undoKind(
  before: LockedOwnAccount,
  { account: { phone, passwordHash } }: Update,
  email: EmailOutcome,
): UndoKind | undefined {
  const isChanged = email === 'replaced' || passwordHash !== undefined || (phone && phone.e164 !== before.phone)
  if (isChanged) return 'change'
  return email === 'pending' ? 'pendingEmail' : undefined
}

type Decided = Readonly<{ update: Update; stored: Profile; contact: ContactChange }>

/** Writes and records an update of the stored profile. Returns undefined if the account has another version meanwhile. */
async function writeUpdate(
  driver: Driver,
  bearer: Bearer,
  { update, stored, contact }: Decided,
  { toAuditEvents, toMails, outbox }: Parts,
): Promise<Updated | undefined> {
  const { account, files, removedFiles } = update
  const records = { auditEvents: toAuditEvents(contact), mails: toMails(contact) }
  const { person, lawyer } = update.toDetails(stored)
  const newFiles = files.map(({ kind }) => kind)
  const review = lawyer && reviewAfter(stored.lawyer, lawyer, newFiles)
  const written = await writeProfile(driver, bearer, stored.profileVersion, {
    account: { accountType: account.accountType },
    person,
    lawyer: lawyer && { details: lawyer, stored: stored.lawyer, isReset: review?.isReset ?? false },
    files,
    removedFiles,
    domainEvents: toDomainEvents(stored.id, account, review),
    outbox,
    ...records,
  })
  if (!written) return undefined
  const { replaced, ...state } = written
  const after = { ...state, person, lawyer, review }
  return { replaced, contact, ...records, profile: changedProfile(stored, update, after) }
}

function toDomainEvents(
  accountId: number,
  { accountType, phone }: Update['account'],
  review: ReviewAfter | undefined,
): DomainEvent[] {
  const updated = toProfileUpdated(accountId, { accountType, reviewStatus: review?.reviewStatus ?? null })
  return phone?.isVerified ? [updated, { type: 'phone.confirmed', data: { account_id: accountId } }] : [updated]
}

function toContactChange(
  { accountId, email, phone, phoneCode, phoneVerified }: ContactChange['before'],
  { emailWish, account }: Update,
  outcome: EmailOutcome = 'unchanged',
  opened = NOT_OPENED,
): ContactChange {
  const newPhone = account.phone?.e164 === phone ? undefined : account.phone?.e164
  const before = { accountId, email, phone, phoneCode, phoneVerified }
  return { before, email: { to: emailWish.email, outcome }, newPhone, opened }
}

export type Update = ProfileChange & {
  /** The profile that the change was built for; without it, the update always reads the profile under a lock */
  current?: Profile
  /**
   * Returns the fields after the change of the stored profile.
   *
   * @throws Failure 422 `invalid_data` if the change breaks a rule for this profile
   */
  toDetails: (stored: Profile) => ProfileDetails
  emailWish: RequestedEmail
  /** Returns the proofs that undo the update, if it changes an identifier or the password. */
  undo: () => NewUndo
  /** The versions of which the profile must have one; undefined if any will do */
  expectedVersions: ReadonlySet<string> | undefined
  removedFiles: readonly FileKind[]
}

function isIdentityChanged({ account, verification, emailWish: { email } }: Update, current: Profile): boolean {
  const given = { email, phone: account.phone?.e164, password: account.passwordHash }
  return account.phone !== undefined || verification !== undefined || changedIdentity(given, current).length > 0
}

/** @throws Failure 403 `reauthentication_required`, 412 `outdated` */
function requireSame(bearer: Bearer, before: LockedOwnAccount, { account, emailWish, expectedVersions }: Update): void {
  requireVersion(expectedVersions, profileVersion({ ...before, id: bearer.accountId }))
  const given = { email: emailWish.email, phone: account.phone?.e164, password: account.passwordHash }
  requireRecent(bearer.recent, before, changedIdentity(given, before))
}

/**
 * Returns the parts that change the e-mail address and the password. They leave the time of the authentication: a new password
 * proves nothing about the old one.
 */
function identityParts({ sessionId }: Bearer, update: Update, email: EmailOutcome, bind: Bind): Part[] {
  const { passwordHash } = update.account
  const { ended, ...changed } = emailParts(email, update.emailWish, sessionId, bind)
  if (passwordHash === undefined) return [setAccount(changed.assigned), ...ended]
  const all = { ...changed.assigned, ...assigned({ passwordHash }, bind) }
  return revocationParts({ askedBy: sessionId, assigned: all, except: sessionId }, bind)
}

/** What a change of the address writes to the account, and ends */
type EmailParts = Readonly<{ assigned: Assigned; ended: readonly Part[] }>

/**
 * Decides what becomes of the e-mail address of an update. A verified address is replaced when the new one is confirmed, and
 * an unverified one immediately. The stored and the pending address change nothing.
 */
function decideEmail(account: LockedOwnAccount, { email, isConfirmable }: RequestedEmail): EmailOutcome {
  const { emailVerifiedAt, pendingEmail } = account
  if (email === account.email || email === pendingEmail) return 'unchanged'
  return !emailVerifiedAt || !isConfirmable ? 'replaced' : 'pending'
}

/** Returns what such a change writes. An address that is replaced also ends what recovers the account. */
function emailParts(outcome: EmailOutcome, { email }: RequestedEmail, sessionId: string, bind: Bind): EmailParts {
  if (outcome === 'unchanged') return { assigned: {}, ended: [] }
  if (outcome === 'pending') {
    return {
      assigned: { ...assigned({ pendingEmail: email }, bind), pending_email_by: firstSessionOf(bind(sessionId)) },
      ended: [deleteTokens(`e.purpose = 'verify'`), invalidateCode()],
    }
  }
  const replaced = { email, pendingEmail: null, emailVerifiedAt: null, emailByLink: false, emailRecoversFrom: null }
  return {
    assigned: {
      ...assigned(replaced, bind),
      ...KEEP_FORMER_EMAIL,
      email_changed_at: 'service_now()',
      email_changed_by: firstSessionOf(bind(sessionId)),
    },
    ended: [
      deleteTokens(`e.purpose IN ('verify', 'cancel', 'consent')`),
      invalidateCode(),
      deleteRows('claims', 'password_resets'),
    ],
  }
}
