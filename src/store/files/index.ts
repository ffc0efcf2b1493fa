import type { Bearer } from '../../domain/accounts/account.ts'
import type { Clock } from '../../domain/clock.ts'
import { isFileType, type FileKind, type StoredFile } from '../../domain/files/file.ts'
import type { AuditContext } from '../../domain/audit/audit-context.ts'
import { column } from '../../database/columns.ts'
import type { Database } from '../../database/index.ts'
import type { Bind } from '../../database/composed.ts'
import { lockAccountForUpdate } from '../accounts/lock-account.ts'
import type { InChange } from '../changes.ts'
import { fileParts } from './parts.ts'

export type FileRows = {
  byId(id: string): Promise<StoredFile | undefined>
  /**
   * Deletes the row of a file and records it. Returns the key of the file; undefined if there was none.
   *
   * @throws Failure 401 `token_revoked`
   */
  remove(bearer: Bearer, kind: FileKind, auditContext: AuditContext): Promise<string | undefined>
}

export function fileRows({ prisma }: Database, { clock, inChange }: { clock: Clock; inChange: InChange }): FileRows {
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
      return inChange(async ({ transaction, write }) => {
        await lockAccountForUpdate(transaction, bearer, clock.shiftMs() / 1000)
        const isStored = (bind: Bind): string =>
          `EXISTS (SELECT FROM files WHERE account_id = ${bind(accountId)} AND kind = ${bind(kind)}::"FileKind")`
        const written = await write(accountId, {
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
