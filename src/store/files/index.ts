import type { Prisma } from '../../../generated/prisma/client.ts'
import type { Bearer } from '../../domain/accounts/account.ts'
import { isFileType, type FileKind, type FileObject, type StoredFile } from '../../domain/files/file.ts'
import type { AuditEvent, AuditContext } from '../../domain/audit/audit-context.ts'
import type { Log } from '../../lib/log.ts'
import { audited } from '../audit/index.ts'
import { select, table } from '../../database/columns.ts'
import type { Database } from '../../database/index.ts'
import { query, queryRow } from '../../database/query.ts'
import { lockAccountForUpdate } from '../accounts/lock-account.ts'
import { profileUpdatedEvent } from '../profiles/events.ts'
import type { EnqueueEvents } from '../events/outbox.ts'

export type FileRows = {
  byId(id: string): Promise<StoredFile | undefined>
  /**
   * Deletes the row of a file and records it. Returns the key of the file; undefined if there was none.
   *
   * @throws Failure 401 `token_revoked`
   */
  remove(bearer: Bearer, kind: FileKind, auditContext: AuditContext): Promise<string | undefined>
}

const f = table('File', 'f')

const DELETE = query(
  select<{ key: string }>({ key: f.key }),
  (list) => `DELETE FROM files f WHERE f.account_id = $1 AND f.kind = $2::"FileKind" RETURNING ${list}`,
)

export function fileRows(
  database: Database,
  { log, enqueueEvents }: { log: Log; enqueueEvents: EnqueueEvents },
): FileRows {
  const { prisma } = database
  const inTransaction = audited(database, log)
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
      const toAuditEvents = (key: string | undefined): AuditEvent[] =>
        key === undefined ? [] : [{ event: 'file_deleted', accountId, ...auditContext }]
      return inTransaction(toAuditEvents, async (transaction) => {
        await lockAccountForUpdate(transaction, bearer)
        const row = await queryRow(transaction, DELETE, accountId, kind)
        if (row) await enqueueEvents(transaction, await profileUpdatedEvent(transaction, accountId))
        return row?.key
      })
    },
  }
}

/**
 * Replaces the rows of files of the same kinds and deletes those of removed kinds, in the transaction that has locked the
 * account and changes its profile.
 * Each file gets a new id, so that a link never returns other content than it was created for.
 *
 * @returns the keys that are unused after the commit
 */
export async function replaceFiles(
  transaction: Prisma.TransactionClient,
  accountId: number,
  files: readonly FileObject[],
  removed: readonly FileKind[] = [],
): Promise<string[]> {
  const kinds = [...files.map(({ kind }) => kind), ...removed]
  if (kinds.length === 0) return []
  const where = { accountId, kind: { in: kinds } }
  const replaced = await transaction.file.findMany({ where, select: { key: true } })
  await transaction.file.deleteMany({ where })
  if (files.length > 0) await transaction.file.createMany({ data: files.map((file) => ({ ...file, accountId })) })
  return replaced.map(({ key }) => key)
}
