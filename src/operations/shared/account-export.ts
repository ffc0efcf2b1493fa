import type { Context } from '../../context.ts'
import type { Bearer } from '../../domain/account.ts'
import type { AccountCopy, AccountExport, PastEvent } from '../../domain/account-copy.ts'
import { FILE_TYPES, type FileKind, type KeptFile } from '../../domain/file.ts'
import { maskAddress } from '../../domain/mask.ts'
import { nationalNumber } from '../../domain/phone.ts'
import { deviceSessionOf } from './device-session.ts'
import { lawyerUserOf, userWith } from './user.ts'

type Exporting = Readonly<{
  copy: AccountCopy
  bearer: Bearer
  exportedAt: Date
  /** Files that the storage does not have */
  missing: ReadonlySet<FileKind>
}>

/** The wire form of a copy of an account. */
export function accountExportOf(
  { copy, bearer, exportedAt, missing }: Exporting,
  { deviceOf }: Pick<Context, 'deviceOf'>,
): AccountExport {
  const { accountType, lawyer, keptFiles, sessions, events } = copy
  const names = new Map(
    keptFiles.filter(({ kind }) => !missing.has(kind)).map((file) => [file.kind, nameInArchive(file)]),
  )
  const linkTo = (kind: FileKind): string | null => names.get(kind) ?? null
  const isFormerLawyer = accountType === 'client' && Boolean(lawyer)

  return {
    exported_at: exportedAt.toISOString(),
    account: accountOf(copy),
    profile: userWith(copy, linkTo),
    lawyer_profile: isFormerLawyer ? lawyerUserOf(copy, linkTo) : null,
    files: keptFiles.map((file) => fileOf(file, missing)),
    sessions: sessions.map((session) => ({
      ...deviceSessionOf(session, bearer, deviceOf),
      ended_at: session.endedAt?.toISOString() ?? null,
    })),
    events: events.map(eventOf),
  }
}

export function nameInArchive({ kind, type }: Pick<KeptFile, 'kind' | 'type'>): string {
  return `files/${kind}.${FILE_TYPES[type]}`
}

function accountOf(copy: AccountCopy): AccountExport['account'] {
  const { phone, phoneCode } = copy
  return {
    id: copy.id,
    email: copy.email,
    phone: nationalNumber({ e164: phone, callingCode: phoneCode }),
    phone_code: phoneCode,
    phone_verified: copy.phoneVerified,
    email_verified: copy.emailVerified,
    pending_email: copy.pendingEmail,
    account_type: copy.accountType,
    status: copy.status,
    is_admin: copy.isAdmin,
    created_at: copy.createdAt.toISOString(),
    deletion_due_at: copy.deletionDueAt?.toISOString() ?? null,
  }
}

function fileOf(
  file: AccountCopy['keptFiles'][number],
  missing: ReadonlySet<FileKind>,
): AccountExport['files'][number] {
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

function eventOf({ at, event, subject, address, isByAdministrator }: PastEvent): AccountExport['events'][number] {
  return {
    at: at.toISOString(),
    event,
    subject,
    address: address === null ? null : maskAddress(address),
    by_administrator: isByAdministrator,
  }
}
