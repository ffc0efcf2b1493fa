import type { Operation } from '../contract.ts'
import { Failure } from '../domain/failure.ts'
import { nationalIdCheck } from '../domain/national-id.ts'
import { traceOf } from '../domain/trace.ts'
import { stateOf } from './shared/account-state.ts'
import { userOf } from './shared/user.ts'

export const adminGetUser: Operation<'adminGetUser'> = async (call, context) => {
  const { path, bearer, client, reply } = call
  const { store, fileLinks } = context
  const user = await store.users.byId(path.user_id)
  if (!user) throw new Failure('user_unknown')

  await store.audit.record({ event: 'user_read', accountId: user.id, actorId: bearer.accountId, ...traceOf(client) })

  return reply({
    user: userOf(user, fileLinks),
    account: stateOf(user),
    review_version: user.reviewVersion,
    national_id_check: user.accountType === 'lawyer' ? nationalIdCheck(user.lawyer) : null,
    duplicate_of: user.duplicateOf,
  })
}
