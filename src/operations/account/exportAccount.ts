import { RATE_LIMITS } from '../../../generated/rate-limits.ts'
import type { Context } from '../../context.ts'
import type { Call, Operation } from '../../contract/operation.ts'
import type { ExportedAccount } from '../../domain/accounts/account-export.ts'
import { isConfidential, type FileKind } from '../../domain/files/file.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import { serializeAccountExport, nameInArchive } from '../../serializers/account-export.ts'
import { composeMails, type RequestInfo } from '../../services/notifications/mail.ts'

const REFUSALS = { rate_limited: 'export_limited' } as const

export const exportAccount: Operation<'exportAccount'> = async (call, context) => {
  const { bearer, client, rateLimiter, reply } = call
  const { store, zipArchive, log } = context
  const account = await store.bearerAccounts.account(bearer) // first, so that an ended session does not consume the limit
  const key = String(account.id)
  await rateLimiter
    .consume({ policy: RATE_LIMITS['account-export'], key })
    .catch((error: unknown) =>
      store.audit.recordRefusal(error, REFUSALS, key, { ...toAuditContext(client), accountId: account.id }),
    )
  const copy = await store.exports.read(bearer)

  const { requestId } = client
  const stream = await zipArchive(listEntries(copy, call, context), (error) =>
    log.warn({ requestId, err: error }, 'account export aborted'),
  )
  try {
    await announceExport(copy, call, context)
    if (stream.errored) throw stream.errored
  } catch (error) {
    stream.destroy()
    throw error
  }

  return reply({
    stream,
    type: 'application/zip',
    bytes: undefined,
    disposition: 'attachment',
    filename: `tawthiq-account-${copy.id}.zip`,
    isStorable: false,
  })
}

type ZipEntries = Parameters<Context['zipArchive']>[0]

/** Yields the files, each opened when the archive reaches it, and then the data, which lists the files that are missing. */
async function* listEntries(copy: ExportedAccount, { bearer }: Call<'exportAccount'>, context: Context): ZipEntries {
  const { files, clock } = context
  const exportedAt = new Date(clock.nowMs())
  const missing = new Set<FileKind>()
  for (const kept of copy.storedFiles) {
    const file = await files.open(kept.key)
    if (file) yield { name: nameInArchive(kept), at: kept.uploadedAt, file, bytes: kept.bytes }
    else missing.add(kept.kind)
  }
  const content = serializeAccountExport({ account: copy, bearer, exportedAt, missing }, context)
  yield { name: 'account.json', at: exportedAt, text: `${JSON.stringify(content, null, 2)}\n` }
}

/** Records the export, naming the confidential files in it, and notifies the owner. */
async function announceExport(
  { id, email, storedFiles }: ExportedAccount,
  request: RequestInfo,
  context: Context,
): Promise<void> {
  const confidential = storedFiles.flatMap(({ kind }) => (isConfidential(kind) ? kind : [])).join(' ') || null
  await context.store.audit.record(
    { event: 'account_exported', accountId: id, ...toAuditContext(request.client, confidential) },
    composeMails([{ accountId: id, to: email, about: 'export' }], request, context),
  )
}
