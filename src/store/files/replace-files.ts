import { column, select, type Columns } from '../../database/columns.ts'
import { insertion, runComposed, withParts, type Bind, type Part } from '../../database/composed.ts'
import { query, type Executor } from '../../database/query.ts'
import type { File } from '../../../generated/prisma/client.ts'
import type { FileKind, FileObject } from '../../domain/files/file.ts'

/** Files that get a row, and kinds whose rows are deleted. */
export type FileChanges = Readonly<{ files: readonly FileObject[]; removedFiles: readonly FileKind[] }>

/** The keys that no row has any more, and the ids of the new files */
export type Replaced = Readonly<{ replaced: string[]; newFiles: Partial<Record<FileKind, string>> }>

/**
 * Replaces the rows of files of the same kinds and deletes those of removed kinds, in the transaction that has locked the
 * account and changes its profile.
 *
 * @returns the keys that are unused after the commit
 */
export async function replaceFiles(
  transaction: Executor,
  accountId: number,
  files: readonly FileObject[],
  removedFiles: readonly FileKind[] = [],
): Promise<string[]> {
  const changes = { files, removedFiles }
  const selection = select<Replaced>(replacedColumns(changes))
  const row = await runComposed(transaction, (bind) => {
    const target = { name: 'target', sql: `SELECT ${bind(accountId)}::int AS account_id` }
    const parts = withParts([target, ...fileParts(changes, bind)])
    return query(selection, (list) => `${parts} SELECT ${list} FROM target`)
  })
  return row?.replaced ?? []
}

/**
 * Returns the parts of a statement that change the files of the account in its part `target`.
 * Each file gets a new id, so that a link never returns other content than it was created for.
 */
export function fileParts({ files, removedFiles }: FileChanges, bind: Bind): Part[] {
  const kinds = [...files.map(({ kind }) => kind), ...removedFiles]
  if (kinds.length === 0) return []
  const dropped = `DELETE FROM files f USING target t WHERE f.account_id = t.account_id
    AND f.kind = ANY (${bind(kinds)}::"FileKind"[]) RETURNING f.key`
  // The count makes each insert run after the deletion, because a kind has one row.
  const added = files.map((file, at): Part => {
    const { columns, values } = insertion(toFileRow(file), bind)
    const insert = `INSERT INTO files (account_id, ${columns}) SELECT account_id, ${values} FROM target`
    return { name: addedName(at), sql: `${insert} WHERE (SELECT count(*) FROM dropped_files) >= 0 RETURNING id` }
  })
  return [{ name: 'dropped_files', sql: dropped }, ...added]
}

/** Returns the columns of a statement with these parts. */
export function replacedColumns({ files, removedFiles }: FileChanges): Columns<Replaced> {
  const isChanged = files.length + removedFiles.length > 0
  const ids = files.map(({ kind }, at) => `'${kind}', (SELECT id FROM ${addedName(at)})`)
  return {
    replaced: column(`${isChanged ? 'ARRAY(SELECT key FROM dropped_files)' : `'{}'`}::text[]`),
    newFiles: column(`json_build_object(${ids.join(', ')})`),
  }
}

function addedName(at: number): string {
  return `added_file_${at}`
}

function toFileRow({ kind, key, type, bytes }: FileObject): Pick<File, keyof FileObject> {
  return { kind, key, type, bytes }
}
