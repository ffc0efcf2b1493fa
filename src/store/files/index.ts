import type { Bearer } from '../../domain/accounts/account.ts'
import { isFileType, type FileKind, type StoredFile } from '../../domain/files/file.ts'
import type { AuditContext } from '../../domain/audit/audit-context.ts'
import type { Log } from '../../lib/log.ts'
import { logAuditEvents } from '../audit/index.ts'
import { auditInsert } from '../audit/insert.ts'
import { select, table } from '../../database/columns.ts'
import type { Database } from '../../database/index.ts'
import { runCommand, withParts } from '../../database/composed.ts'
import { query, queryRow } from '../../database/query.ts'
import { inTransaction } from '../../database/transaction.ts'
import { lockAccountForUpdate } from '../accounts/lock-account.ts'
import { eventInsertFrom, type EventOptions } from '../events/outbox.ts'
import { toProfileUpdated, UPDATED_ACCOUNT, type UpdatedAccount } from '../profiles/events.ts'

export { replaceFiles } from './replace-files.ts'

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
  select<{ key: string } & UpdatedAccount>({ key: f.key, ...UPDATED_ACCOUNT }),
  (list) => `
    DELETE FROM files f USING accounts a LEFT JOIN lawyer_profiles l ON l.account_id = a.id
    WHERE a.id = $1 AND f.account_id = a.id AND f.kind = $2::"FileKind" RETURNING ${list}`,
  'delete-file',
)

export function fileRows(
  { prisma, pool }: Database,
  { log, eventOptions }: { log: Log; eventOptions: EventOptions },
): FileRows {
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
      const event = { event: 'file_deleted', accountId, ...auditContext } as const
      const key = await inTransaction(pool, async (transaction) => {
        await lockAccountForUpdate(transaction, bearer)
        const row = await queryRow(transaction, DELETE, accountId, kind)
        if (!row) return undefined
        const domainEvents = [toProfileUpdated(accountId, row)]
        await runCommand(transaction, (bind) => {
          const audited = { name: 'audited', sql: auditInsert([event], bind) }
          return `${withParts([audited])} ${eventInsertFrom('(VALUES (1)) AS one', bind, { domainEvents, eventOptions })}`
        })
        return row.key
      })
      if (key !== undefined) logAuditEvents([event], log)
      return key
    },
  }
}
