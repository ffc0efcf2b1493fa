import type { Context } from '../../context.ts'
import type { Call, Operation } from '../../contract/operation.ts'
import type { Bearer } from '../../domain/accounts/account.ts'
import { Failure } from '../../domain/failure.ts'
import { FILE_TYPES, isConfidential, type StoredFile } from '../../domain/files/file.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'

export const getFile: Operation<'getFile'> = async ({ path, query, bearer, client, reply }, context) => {
  const { store, files, fileLinks } = context
  const { expires, signature } = query
  const isLink = expires !== undefined && signature !== undefined
  if (!bearer && !isLink) throw new Failure('token_missing')
  const reader = bearer && (await findReader(bearer, context))
  const file = await store.files.byId(path.file_id)
  const byLink = isLink && fileLinks.isValid(path.file_id, { expires, signature })
  if (!file || !mayRead(file, reader, byLink)) throw new Failure('file_unknown')

  if (reader && isAudited(file, reader)) await recordRead(file, reader, client, context)
  const stream = await files.open(file.key)
  if (!stream) throw new Failure('file_unknown')

  const { kind, type, bytes } = file
  return reply({
    stream,
    type,
    bytes,
    disposition: type === 'application/pdf' ? 'attachment' : 'inline',
    filename: `${kind}.${FILE_TYPES[type]}`,
    isStorable: !isConfidential(kind),
  })
}

type Reader = { id: number; isAdmin: boolean }

function findReader(bearer: Bearer, { store }: Context): Promise<Reader> {
  return store.accessState.account(bearer)
}

function mayRead({ accountId, kind }: StoredFile, reader: Reader | null, byLink: boolean): boolean {
  const isTheirs = reader?.id === accountId || reader?.isAdmin === true
  return isTheirs || (byLink && !isConfidential(kind))
}

/** Reads of confidential files are audited, and reads by administrators. */
function isAudited({ accountId, kind }: StoredFile, { id }: Reader): boolean {
  return isConfidential(kind) || id !== accountId
}

async function recordRead(
  { accountId, kind }: StoredFile,
  { id }: Reader,
  client: Call<'getFile'>['client'],
  { store }: Context,
): Promise<void> {
  const actor = id === accountId ? {} : { actorId: id }
  await store.audit.record({ event: 'document_read', accountId, ...actor, ...toAuditContext(client, kind) })
}
