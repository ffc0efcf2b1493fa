import type { Data, Operation } from '../contract.ts'
import { kindOfSearch, userSearch, type UserRow } from '../domain/administration.ts'
import { nationalNumber } from '../domain/phone.ts'
import { isComplete } from '../domain/profile.ts'
import { traceOf } from '../domain/trace.ts'
import { filtersText, resultsText } from './shared/list-record.ts'
import { cursorOf, PAGE_LENGTH, readCursor } from './shared/page.ts'

export const adminListUsers: Operation<'adminListUsers'> = async (call, { store }) => {
  const { query, bearer, client, reply } = call
  const { q, account_type, status, review_status, limit = PAGE_LENGTH, cursor } = query

  const search = q === undefined ? undefined : userSearch(q)
  const before = cursor === undefined ? undefined : readCursor(cursor, 1)[0]

  const filters = { search, accountType: account_type, status, reviewStatus: review_status, before }
  const { users, next } = await store.users.list(filters, limit)
  const kind = search ? kindOfSearch(search) : undefined // its text is personal
  const asked = filtersText({ q: kind, account_type, status, review_status, below: before, limit })
  const found = resultsText(
    asked,
    'users',
    users.map(({ id }) => id),
  )
  await store.audit.record({ event: 'users_listed', actorId: bearer.accountId, ...traceOf(client, found) })

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
