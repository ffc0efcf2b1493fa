import type { Context } from '../../context.ts'
import type { Call, Operation } from '../../contract/operation.ts'
import { Failure } from '../../domain/failure.ts'
import { FILE_TYPES, isAudited, isConfidential, isPublic, mayRead } from '../../domain/files/file.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import { requireFactor } from '../../domain/factors/required-factor.ts'
import { recentAuthentication, requireRecent } from '../../domain/sessions/recent-authentication.ts'

export const getFile: Operation<'getFile'> = async (call, context) => {
  const { path, reply } = call
  const { store, files } = context
  const isByLink = isLinked(call, context)
  const [reader, file] = await Promise.all([findReader(call, isByLink, context), store.files.byId(path.file_id)])
  if (!file || !mayRead(file, reader, isByLink)) throw new Failure('file_unknown')
  if (reader && reader.id !== file.accountId && !isPublic(file, isByLink)) {
    requireFactor(context.administratorsNeedFactor, reader)
    requireRecent(recentAuthentication(context), reader)
  }

  if (reader && isAudited(file, reader)) {
    const actor = reader.id === file.accountId ? {} : { actorId: reader.id }
    const about = { accountId: file.accountId, ...actor, ...toAuditContext(call.client, file.kind) }
    await store.audit.record({ event: 'document_read', ...about })
  }
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

type FileCall = Call<'getFile'>
type Reader = Awaited<ReturnType<Context['store']['bearerAccounts']['proven']>>

/** Returns whether a request has a valid link. @throws Failure 401 `token_missing` if it has neither a link nor a token */
function isLinked({ path, query, bearer }: FileCall, { fileLinks }: Context): boolean {
  const { expires, signature, session } = query
  if (expires !== undefined && signature !== undefined)
    return fileLinks.isValid(path.file_id, { expires, signature, session })
  if (!bearer) throw new Failure('token_missing')
  return false
}

/** Returns the account of the token, or else of the session that the link is bound to. */
async function findReader(
  { query, bearer }: FileCall,
  isByLink: boolean,
  { store }: Context,
): Promise<Reader | undefined> {
  if (bearer) return store.bearerAccounts.proven(bearer)
  return isByLink && query.session !== undefined ? store.bearerAccounts.ofSession(query.session) : undefined
}
