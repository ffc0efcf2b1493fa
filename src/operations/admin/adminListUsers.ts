import type { Data, Operation } from '../../contract/operation.ts'
import { classifySearch, parseUserSearch, type UserRow } from '../../domain/accounts/administration.ts'
import { nationalNumber } from '../../domain/phones/phone.ts'
import { isComplete } from '../../domain/profiles/profile.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import { filtersText, resultsText, queuedRead } from '../../services/administration/reads.ts'
import { encodeCursor, PAGE_LENGTH, decodeCursor } from '../../serializers/page.ts'

export const adminListUsers: Operation<'adminListUsers'> = async (call, context) => {
  const { query, bearer, client, reply } = call
  const { store } = context
  const { q, account_type, status, review_status, limit = PAGE_LENGTH, cursor } = query

  const search = q === undefined ? undefined : parseUserSearch(q)
  const before = cursor === undefined ? undefined : decodeCursor(cursor, 1)[0]

  const filters = { search, accountType: account_type, status, reviewStatus: review_status, before }
  const { users, next } = await queuedRead(call, context, () => store.users.list(filters, limit))
  const kind = search ? classifySearch(search) : undefined // its text is personal data
  const asked = filtersText({ q: kind, account_type, status, review_status, below: before, limit })
  const ids = users.map(({ id }) => id)
  const found = resultsText(asked, 'users', ids)
  await store.audit.record({ event: 'users_listed', actorId: bearer.accountId, ...toAuditContext(client, found) })

  return reply({ items: users.map(toSummary), next_cursor: next === undefined ? null : encodeCursor(next) })
}

function toSummary(user: UserRow): Data<'adminListUsers'>['items'][number] {
  const { phone, phoneCode, accountType, gender, nationalId } = user
  return {
    id: user.id,
    name: user.name,
    email: user.email,
    phone: nationalNumber({ e164: phone, callingCode: phoneCode }),
    phone_code: phoneCode,
    account_type: accountType,
    status: user.status,
    is_admin: user.isAdmin,
    phone_verified: user.phoneVerified,
    profile_complete: isComplete({ accountType, gender, lawyer: { nationalId } }),
    review_status: accountType === 'lawyer' ? (user.reviewStatus ?? 'pending') : null,
    created_at: user.createdAt.toISOString(),
  }
}
