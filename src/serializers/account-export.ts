import type { Context } from '../context.ts'
import type { Bearer } from '../domain/accounts/account.ts'
import type { AccountExport, ExportedAccount, ExportedFile, ExportedEvent } from '../domain/accounts/account-export.ts'
import type { ListedFactors } from '../domain/factors/second-factor.ts'
import { FILE_TYPES, type FileKind, type FileObject } from '../domain/files/file.ts'
import { maskAddress } from '../domain/text.ts'
import { nationalNumber } from '../domain/phones/phone.ts'
import type { Person } from '../domain/profiles/profile.ts'
import type { Serialized } from './timestamp.ts'
import { serializeDeviceSession } from './device-session.ts'
import { serializeFactors, serializePasskey } from './second-factors.ts'
import { serializeLawyerUser, serializeUserWithLinks } from './user.ts'

type Exporting = Readonly<{
  account: ExportedAccount
  bearer: Bearer
  exportedAt: Date
  /** The kinds of files whose bytes are missing in the storage */
  missing: ReadonlySet<FileKind>
}>

export function serializeAccountExport(
  { account, bearer, exportedAt, missing }: Exporting,
  { describeDevice }: Pick<Context, 'describeDevice'>,
): AccountExport {
  const { accountType, lawyer, storedFiles, sessions, events } = account
  const names = new Map(
    storedFiles.filter(({ kind }) => !missing.has(kind)).map((file) => [file.kind, nameInArchive(file)]),
  )
  const linkTo = (kind: FileKind): string | null => names.get(kind) ?? null
  const isFormerLawyer = accountType === 'client' && Boolean(lawyer)

  return {
    exported_at: exportedAt.toISOString(),
    account: serializeAccount(account),
    profile: serializeUserWithLinks(account, linkTo),
    lawyer_profile: isFormerLawyer ? serializeLawyerUser(account, linkTo) : null,
    files: storedFiles.map((file) => serializeFile(file, missing)),
    second_factors: {
      ...serializeFactors(account),
      passkeys: account.passkeys.map((passkey) => ({ ...serializePasskey(passkey), aaguid: passkey.aaguid })),
    },
    sessions: sessions.map((session) => ({
      ...serializeDeviceSession(session, bearer, describeDevice),
      ended_at: session.endedAt?.toISOString() ?? null,
    })),
    events: events.map(serializeEvent),
  }
}

export function nameInArchive({ kind, type }: Pick<FileObject, 'kind' | 'type'>): string {
  return `files/${kind}.${FILE_TYPES[type]}`
}

/** The person, the lawyer, the files, the second factors, the sessions and the events are other parts of the export. */
type AccountFields = Omit<
  ExportedAccount,
  keyof Person | 'profileVersion' | 'lawyer' | 'files' | 'storedFiles' | 'sessions' | 'events' | keyof ListedFactors
>

function serializeAccount(account: ExportedAccount): Serialized<AccountExport['account'], AccountFields> {
  const { phone, phoneCode } = account
  return {
    id: account.id,
    email: account.email,
    phone: nationalNumber({ e164: phone, callingCode: phoneCode }),
    phone_code: phoneCode,
    phone_verified: account.phoneVerified,
    email_verified: account.emailVerified,
    pending_email: account.pendingEmail,
    account_type: account.accountType,
    status: account.status,
    is_admin: account.isAdmin,
    created_at: account.createdAt.toISOString(),
    deletion_due_at: account.deletionDueAt?.toISOString() ?? null,
  }
}

function serializeFile(file: ExportedFile, missing: ReadonlySet<FileKind>): AccountExport['files'][number] {
  const { kind, type, bytes, uploadedAt } = file
  const isMissing = missing.has(kind)
  return {
    kind,
    name: isMissing ? null : nameInArchive(file),
    media_type: type,
    bytes,
    uploaded_at: uploadedAt.toISOString(),
    missing: isMissing,
  }
}

function serializeEvent(row: ExportedEvent): AccountExport['events'][number] {
  return {
    at: row.at.toISOString(),
    event: row.event,
    subject: row.subject,
    address: row.address === null ? null : maskAddress(row.address),
    by_administrator: row.isByAdministrator,
  }
}
