import { column, type Columns } from '../../database/columns.ts'
import type { Bind, Part } from '../../database/composed.ts'
import type { File } from '../../../generated/prisma/client.ts'
import type { FileKind, FileObject } from '../../domain/files/file.ts'

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
