import type { Bearer } from '../../domain/accounts/account.ts'
import { isFileType, type FileKind, type StoredFile } from '../../domain/files/file.ts'
import type { AuditContext } from '../../domain/audit/audit-context.ts'
import { lockAndAuthorizeAccount } from '../accounts/lock-account.ts'
import type { StoreParts } from '../changes.ts'

export type FileRows = {
  byId(id: string): Promise<StoredFile | undefined>
  /**
   * Deletes the row of a file and records it. Returns the key of the file; undefined if there was none.
   *
   * @throws Failure 401 `token_revoked`
   */
  remove(bearer: Bearer, kind: FileKind, auditContext: AuditContext): Promise<string | undefined>
}

export function fileRows({ prisma, inModelChange }: StoreParts): FileRows {
  return {
    async byId(id) {
      const row = await prisma.file.findUnique({ where: { id }, omit: { createdAt: true } })
      if (!row) return undefined
      const { type } = row
      if (!isFileType(type)) throw new Error(`the file ${id} has an unsupported type: ${type}`)
      return { ...row, type }
    },
    remove: (bearer, kind, auditContext) =>
      inModelChange(async (change) => {
        const { accountId } = bearer
        await lockAndAuthorizeAccount(change, bearer)
        const { file } = change.tx
        const stored = await file.findUnique({
          where: { accountId_kind: { accountId, kind } },
          select: { id: true, key: true },
        })
        if (!stored) return undefined
        await file.deleteMany({ where: { id: stored.id } })
        await change.record(accountId, {
          auditEvents: [{ event: 'file_deleted', accountId, ...auditContext }],
          isUpdate: true,
        })
        return stored.key
      }),
  }
}
