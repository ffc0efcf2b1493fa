/** What a profile's files are for, in the interface's words, and what may be in them. */
export const FILE_KINDS = {
  profile_photo: 'image',
  national_id_image: 'image',
  degree_certificate: 'document',
  cv_file: 'document',
  company_license_file: 'document',
  logo: 'image',
} as const

export type FileKind = keyof typeof FILE_KINDS

/** The media types that files are kept in, and how the names of such files end. */
export const FILE_TYPES = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'application/pdf': 'pdf',
} as const

export type FileType = keyof typeof FILE_TYPES

/** A file that was judged good, and is not kept yet: it is gone when the request is over. */
export type ReadyFile = Readonly<{ kind: FileKind; path: string; type: FileType; bytes: number }>

/** A file that is kept: `key` is its name in the storage. */
export type KeptFile = Readonly<{ kind: FileKind; key: string; type: FileType; bytes: number }>

export type StoredFile = KeptFile & Readonly<{ id: string; accountId: number }>

export function isFileType(type: string | undefined): type is FileType {
  return type !== undefined && Object.hasOwn(FILE_TYPES, type)
}

/** A kind that nobody may read by a link alone, and of which each read is noted. */
export function isConfidential(kind: FileKind): boolean {
  return kind === 'national_id_image'
}
