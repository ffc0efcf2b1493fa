import type { Account } from '../accounts/account.ts'

/** The form fields of files, as in the interface, with the accepted content. */
export const FILE_KINDS = {
  profile_photo: 'image',
  national_id_image: 'image',
  degree_certificate: 'document',
  cv_file: 'document',
  company_license_file: 'document',
  logo: 'image',
} as const

export type FileKind = keyof typeof FILE_KINDS

/** The files that no profile requires, so their owner can delete them */
export const OPTIONAL_FILES = ['profile_photo', 'cv_file', 'logo'] as const satisfies readonly FileKind[]

export type OptionalFileKind = (typeof OPTIONAL_FILES)[number]

export const FILE_TYPES = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'application/pdf': 'pdf',
} as const

export type FileType = keyof typeof FILE_TYPES

/** A validated file that is not stored yet; it is deleted when the request ends. */
export type ReadyFile = Readonly<{ kind: FileKind; path: string; type: FileType; bytes: number }>

/** A file in the storage; `key` is its name there. */
export type FileObject = Readonly<{ kind: FileKind; key: string; type: FileType; bytes: number }>

export type StoredFile = FileObject & Readonly<{ id: string; accountId: number }>

export function isFileType(type: string | undefined): type is FileType {
  return type !== undefined && Object.hasOwn(FILE_TYPES, type)
}

const PUBLIC_FILES: readonly FileKind[] = ['profile_photo', 'logo']

/** Returns whether a file is a document of a person: its link is bound to a session, and each read is audited. */
export function isConfidential(kind: FileKind): boolean {
  return !PUBLIC_FILES.includes(kind)
}

export function mayRead(file: StoredFile, reader: Account | undefined, isByLink: boolean): boolean {
  const isTheirs = reader?.id === file.accountId || reader?.isAdmin === true
  return isTheirs || isPublic(file, isByLink)
}

/** Returns whether the request has a link that shows the file to every caller. */
export function isPublic({ kind }: StoredFile, isByLink: boolean): boolean {
  return isByLink && !isConfidential(kind)
}

/** Reads of confidential files are audited, and reads by administrators. */
export function isAudited({ accountId, kind }: StoredFile, { id, isAdmin }: Account): boolean {
  return isConfidential(kind) || (isAdmin && id !== accountId)
}

/**
 * An uploaded file in a temporary location, which is deleted when the request ends. `abandoned` aborts when the client
 * disconnects.
 */
export type Upload = Readonly<{ path: string; bytes: number; abandoned?: AbortSignal }>
