import type { Prisma } from '../../generated/prisma/client.ts'
import { isFileType, type FileKind, type KeptFile, type StoredFile } from '../domain/file.ts'
import type { Database } from './database.ts'

export type FileRows = {
  byId(id: string): Promise<StoredFile | undefined>
  /** Deletes the row of a file; gives the key that it had, if there was one. */
  remove(accountId: number, kind: FileKind): Promise<string | undefined>
  /** Which of the keys have a row. */
  present(keys: readonly string[]): Promise<Set<string>>
}

/** The ids of the files of the account `a`, by kind: what a query for a profile asks for as well. */
export const FILES_OF_ACCOUNT = `(SELECT coalesce(json_object_agg(f.kind, f.id), '{}') FROM files f WHERE f.account_id = a.id)`

export function fileRows({ prisma }: Database): FileRows {
  return {
    async byId(id) {
      const row = await prisma.file.findUnique({ where: { id }, omit: { createdAt: true } })
      if (!row) return undefined
      const { type } = row
      if (!isFileType(type)) throw new Error(`the file ${id} has a type that is not kept: ${type}`)
      return { ...row, type }
    },
    async remove(accountId, kind) {
      const [row] = await prisma.$queryRaw<{ key: string }[]>`
        DELETE FROM files WHERE account_id = ${accountId} AND kind = ${kind}::"FileKind" RETURNING key`
      return row?.key
    },
    async present(keys) {
      const rows = await prisma.file.findMany({ where: { key: { in: [...keys] } }, select: { key: true } })
      return new Set(rows.map(({ key }) => key))
    },
  }
}

/**
 * Writes the rows of files in place of those of the same kinds, as a part of the transaction that holds the account and
 * changes its profile; gives the keys that are not used any more when it commits. A file that is replaced gets another id, so that a link
 * never shows other bytes than those it was made for.
 */
export async function replaceFiles(
  transaction: Prisma.TransactionClient,
  accountId: number,
  files: readonly KeptFile[],
): Promise<string[]> {
  if (files.length === 0) return []
  const where = { accountId, kind: { in: files.map(({ kind }) => kind) } }
  const replaced = await transaction.file.findMany({ where, select: { key: true } })
  await transaction.file.deleteMany({ where })
  await transaction.file.createMany({ data: files.map((file) => ({ ...file, accountId })) })
  return replaced.map(({ key }) => key)
}
