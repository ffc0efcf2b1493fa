import { column, select } from '../../database/columns.ts'
import { insertion, runComposed, withParts, type Bind, type Part } from '../../database/composed.ts'
import type { Executor } from '../../database/query.ts'
import type { File } from '../../../generated/prisma/client.ts'
import type { FileKind, FileObject } from '../../domain/files/file.ts'

/** Files that get a row, and kinds whose rows are deleted. */
export type FileChanges = Readonly<{ files: readonly FileObject[]; removedFiles: readonly FileKind[] }>

/** The keys that no row has any more */
export type Replaced = Readonly<{ replaced: string[] }>

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
  const row = await runComposed(transaction, selectReplaced(changes), (list, bind) => {
    const target = ['target', `SELECT ${bind(accountId)}::int AS account_id`] as const
    return `${withParts([target, ...fileParts(changes, bind)])} SELECT ${list} FROM target`
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
    return [`added_file_${at}`, `${insert} WHERE (SELECT count(*) FROM dropped_files) >= 0`]
  })
  return [['dropped_files', dropped], ...added]
}

/** Returns the select list of a statement with these parts. */
export function selectReplaced({ files, removedFiles }: FileChanges): ReturnType<typeof select<Replaced>> {
  const isChanged = files.length + removedFiles.length > 0
  const keys = isChanged ? 'ARRAY(SELECT key FROM dropped_files)' : `'{}'`
  return select<Replaced>({ replaced: column(`${keys}::text[]`) })
}

function toFileRow({ kind, key, type, bytes }: FileObject): Pick<File, keyof FileObject> {
  return { kind, key, type, bytes }
}
