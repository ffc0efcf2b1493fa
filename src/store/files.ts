import type { Prisma } from '../../generated/prisma/client.ts'
import type { Bearer } from '../domain/account.ts'
import { isFileType, type FileKind, type KeptFile, type StoredFile } from '../domain/file.ts'
import type { AuditEvent, Trace } from '../domain/trace.ts'
import type { Log } from '../log.ts'
import { audited } from './audit.ts'
import type { Database } from './database.ts'
import { holdAccount } from './own-account.ts'
import { profileNews } from './profile-news.ts'
import type { Tell } from './tell.ts'

export type FileRows = {
  byId(id: string): Promise<StoredFile | undefined>
  /**
   * Deletes the row of a file and records that; gives the key that it had, if there was one.
   *
   * @throws Failure 401 `token_revoked`
   */
  remove(bearer: Bearer, kind: FileKind, trace: Trace): Promise<string | undefined>
}

/** The ids of the files of the account `a`, by kind: what a query for a profile asks for as well. */
export const FILES_OF_ACCOUNT = `(SELECT coalesce(json_object_agg(f.kind, f.id), '{}') FROM files f WHERE f.account_id = a.id)`

export function fileRows(database: Database, { log, tell }: { log: Log; tell: Tell }): FileRows {
  const { prisma } = database
  const inTransaction = audited(database, log)
  return {
    async byId(id) {
      const row = await prisma.file.findUnique({ where: { id }, omit: { createdAt: true } })
      if (!row) return undefined
      const { type } = row
      if (!isFileType(type)) throw new Error(`the file ${id} has a type that is not kept: ${type}`)
      return { ...row, type }
    },
    async remove(bearer, kind, trace) {
      const { accountId } = bearer
      const eventsOf = (key: string | undefined): AuditEvent[] =>
        key === undefined ? [] : [{ event: 'file_deleted', accountId, ...trace }]
      return inTransaction(eventsOf, async (transaction) => {
        await holdAccount(transaction, bearer)
        const [row] = await transaction.$queryRaw<{ key: string }[]>`
          DELETE FROM files WHERE account_id = ${accountId} AND kind = ${kind}::"FileKind" RETURNING key`
        if (row) await tell(transaction, await profileNews(transaction, accountId))
        return row?.key
      })
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
