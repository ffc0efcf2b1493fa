import { Prisma } from '../../../generated/prisma/client.ts'
import type { AccountStatus, UserRow, UserSearch } from '../../domain/accounts/administration.ts'
import type { AccountType } from '../../domain/accounts/account.ts'
import type { ReviewStatus } from '../../domain/profiles/profile.ts'
import { column, columnsIn, isNotNull, outerTable, select, table, type Columns } from '../../database/columns.ts'
import { jsonRows, jsonTime } from '../../database/json-columns.ts'
import { ACCOUNT } from '../profiles/columns.ts'

export type UserFilters = Readonly<{
  search: UserSearch | undefined
  accountType: AccountType | undefined
  status: AccountStatus | undefined
  reviewStatus: ReviewStatus | undefined
  /** Only users with lower ids */
  before: number | undefined
}>

const a = table('Account', 'a')
const p = table('Profile', 'p')
const l = outerTable('LawyerProfile', 'l')

/** The data of a lawyer is stored, but not shown, after the account has changed to a client. */
export const FROM = `FROM accounts a JOIN profiles p ON p.account_id = a.id
  LEFT JOIN lawyer_profiles l ON l.account_id = a.id AND a.account_type = 'lawyer'`

const ROW: Columns<UserRow> = {
  ...ACCOUNT,
  name: p.name,
  phone: a.phone,
  phoneCode: a.phoneCode,
  phoneVerified: isNotNull(a.phoneVerifiedAt),
  status: a.status,
  createdAt: a.createdAt,
  gender: p.gender,
  nationalId: l.nationalId,
  reviewStatus: l.reviewStatus,
}
/** The select list and the tables of a user */
export const USER = Prisma.raw(`${select(ROW).list} ${FROM}`)

/** The users of a page and one more, if there is one. Accounts below the id `searchedFrom` were not searched. */
export type Found = { users: UserRow[]; searchedFrom: number }

export const FOUND = select<Found>({
  users: jsonRows<UserRow>(
    columnsIn('found', { ...ROW, createdAt: jsonTime(ROW.createdAt) }),
    'FROM found ORDER BY id DESC',
  ),
  searchedFrom: column('(SELECT id::int FROM searched_from)'),
})

export const PAGE = Prisma.raw(FOUND.list)

/** Returns the conditions of the filters. */
export function conditions({ accountType, status, reviewStatus, before }: UserFilters): Prisma.Sql {
  const { sql } = Prisma
  const all = [
    below('a.id', before),
    ...(accountType === undefined ? [] : [sql`a.account_type = ${accountType}::"AccountType"`]),
    ...(status === undefined ? [] : [sql`a.status = ${status}::"AccountStatus"`]),
    ...(reviewStatus === undefined ? [] : [sql`l.review_status = ${reviewStatus}::"ReviewStatus"`]),
  ]
  return Prisma.join(all, ' AND ')
}

export function below(id: string, before: number | undefined): Prisma.Sql {
  return before === undefined ? Prisma.sql`TRUE` : Prisma.sql`${Prisma.raw(id)} < ${before}::bigint`
}
