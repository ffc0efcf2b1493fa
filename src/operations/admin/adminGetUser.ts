import type { Operation } from '../../contract/operation.ts'
import { Failure } from '../../domain/failure.ts'
import { nationalIdCheck } from '../../domain/profiles/national-id.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import { queuedRead } from '../../services/administration/reads.ts'
import { serializeAccountState, serializeUser } from '../../serializers/user.ts'

export const adminGetUser: Operation<'adminGetUser'> = async (call, context) => {
  const { path, bearer, client, reply } = call
  const { store, fileLinks } = context
  const user = await queuedRead(call, context, () => store.users.byId(path.user_id))
  if (!user) throw new Failure('user_unknown')

  await store.audit.record({
    event: 'user_read',
    accountId: user.id,
    actorId: bearer.accountId,
    ...toAuditContext(client),
  })

  return reply({
    user: serializeUser(user, bearer, fileLinks),
    account: serializeAccountState(user),
    review_version: user.reviewVersion,
    national_id_check: user.accountType === 'lawyer' ? nationalIdCheck(user.lawyer) : null,
    duplicate_of: user.duplicateIds,
  })
}
