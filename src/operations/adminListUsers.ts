import type { Data, Operation } from '../contract.ts'
import { userSearch, type UserRow } from '../domain/administration.ts'
import { nationalNumber } from '../domain/phone.ts'
import { isComplete } from '../domain/profile.ts'
import { administratorOf } from './shared/administrator.ts'
import { cursorOf, PAGE_LENGTH, readCursor } from './shared/page.ts'

export const adminListUsers: Operation<'adminListUsers'> = async (call, { store }) => {
  const { query, reply } = call
  const { q, account_type, status, review_status, limit = PAGE_LENGTH, cursor } = query
  await administratorOf(call, { store })

  const { users, next } = await store.users.list(
    {
      search: q === undefined ? undefined : userSearch(q),
      accountType: account_type,
      status,
      reviewStatus: review_status,
      before: cursor === undefined ? undefined : readCursor(cursor, 1)[0],
    },
    limit,
  )

  return reply({ users: users.map(summaryOf), next_cursor: next === undefined ? null : cursorOf(next) })
}

function summaryOf(user: UserRow): Data<'adminListUsers'>['users'][number] {
  const { phone, phoneCode, nationalId } = user
  return {
    id: user.id,
    name: user.name,
    email: user.email,
    phone: nationalNumber({ e164: phone, callingCode: phoneCode }),
    phone_code: phoneCode,
    account_type: user.accountType,
    status: user.status,
    is_admin: user.isAdmin,
    phone_verified: user.phoneVerified,
    profile_complete: isComplete({ ...user, lawyer: { nationalId } }),
    review_status: user.accountType === 'lawyer' ? (user.reviewStatus ?? 'pending') : null,
    created_at: user.createdAt.toISOString(),
  }
}
