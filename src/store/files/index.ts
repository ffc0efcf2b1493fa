import type { Bearer } from '../../domain/accounts/account.ts'
import { isFileType, type FileKind, type StoredFile, type FileObject } from '../../domain/files/file.ts'
import type { AuditContext } from '../../domain/audit/audit-context.ts'
import { column, type Columns } from '../../database/columns.ts'
import type { Bind, Part } from '../../database/composed.ts'
import { lockAccountForUpdate } from '../accounts/lock-account.ts'
import type { StoreParts } from '../changes.ts'
import type { File } from '../../../generated/prisma/client.ts'

export type FileRows = {
  byId(id: string): Promise<StoredFile | undefined>
  /**
   * Deletes the row of a file and records it. Returns the key of the file; undefined if there was none.
   *
   * @throws Failure 401 `token_revoked`
   */
  remove(bearer: Bearer, kind: FileKind, auditContext: AuditContext): Promise<string | undefined>
}

export function fileRows({ prisma, inChange }: StoreParts): FileRows {
  return {
    async byId(id) {
      const row = await prisma.file.findUnique({ where: { id }, omit: { createdAt: true } })
      if (!row) return undefined
      const { type } = row
      if (!isFileType(type)) throw new Error(`the file ${id} has an unsupported type: ${type}`)
      return { ...row, type }
    },
    async remove(bearer, kind, auditContext) {
      const { accountId } = bearer
      return inChange(async (change) => {
        await lockAccountForUpdate(change, bearer)
        const isStored = (bind: Bind): string =>
          `EXISTS (SELECT FROM files WHERE account_id = ${bind(accountId)} AND kind = ${bind(kind)}::"FileKind")`
        const written = await change.write(accountId, {
          onlyIf: isStored,
          parts: (bind) => fileParts({ files: [], removedFiles: [kind] }, bind),
          columns: { key: column<string>('(SELECT key FROM dropped_files)') },
          auditEvents: [{ event: 'file_deleted', accountId, ...auditContext }],
          isUpdate: true,
        })
        return written?.key
      })
    },
  }
}

/** Files that get a row, and kinds whose rows are deleted. */
export type FileChanges = Readonly<{ files: readonly FileObject[]; removedFiles: readonly FileKind[] }>

/** The keys that no row has any more, and the ids of the new files */
export type Replaced = Readonly<{ replaced: string[]; newFiles: Partial<Record<FileKind, string>> }>

/**
 * Returns the parts of a statement that change the files of the account in its part `target`.
 * Each file gets a new id, so that a link never returns other content than it was created for.
 */
export function fileParts({ files, removedFiles }: FileChanges, bind: Bind): Part[] {
  const kinds = [...files.map(({ kind }) => kind), ...removedFiles]
  if (kinds.length === 0) return []
  const dropped = `DELETE FROM files f USING target t WHERE f.account_id = t.account_id
    AND f.kind = ANY (${bind(kinds)}::"FileKind"[]) RETURNING f.key`
  if (files.length === 0) return [{ name: 'dropped_files', sql: dropped }]
  const fields = Object.keys(TYPES) as (keyof FileObject)[] // TYPES has exactly these keys
  const lists = fields.map((field) => `${bind(files.map((file) => file[field]))}::${TYPES[field]}[]`)
  // The count makes the insert run after the deletion, because a kind has one row.
  const added = `
    INSERT INTO files (account_id, ${fields.join(', ')})
    SELECT t.account_id, n.* FROM target t, unnest(${lists.join(', ')}) AS n
    WHERE (SELECT count(*) FROM dropped_files) >= 0 RETURNING kind, id`
  return [
    { name: 'dropped_files', sql: dropped },
    { name: 'added_files', sql: added },
  ]
}

/** The types of the columns of a file, which have the names of its fields */
const TYPES: Readonly<Record<keyof FileObject & keyof File, string>> = {
  kind: '"FileKind"',
  key: 'text',
  type: 'text',
  bytes: 'int',
}

/** Returns the columns of a statement with these parts. */
export function replacedColumns({ files, removedFiles }: FileChanges): Columns<Replaced> {
  const isChanged = files.length + removedFiles.length > 0
  const newFiles = `(SELECT json_object_agg(kind, id) FROM added_files)`
  return {
    replaced: column(`${isChanged ? 'ARRAY(SELECT key FROM dropped_files)' : `'{}'`}::text[]`),
    newFiles: column(files.length > 0 ? newFiles : `'{}'::json`),
  }
}
