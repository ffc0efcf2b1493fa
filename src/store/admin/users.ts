import type { AccountState, AccountStatus } from '../../domain/accounts/administration.ts'
import type { Clock } from '../../domain/clock.ts'
import type { FactorState } from '../../domain/factors/required-factor.ts'
import type { Profile } from '../../domain/profiles/profile.ts'
import type { Database } from '../../database/index.ts'
import { DUPLICATE_IDS } from './duplicates.ts'
import { column, outerTable, select, table, type Columns } from '../../database/columns.ts'
import { query, queryRow, queryRows } from '../../database/query.ts'
import { HAS_FACTOR } from '../factors/state.ts'
import { PROFILE } from '../profiles/columns.ts'
import { LIVES } from '../sessions/index.ts'
import { readUserPage, type UserPage } from './user-pages.ts'
import { FROM, type UserFilters } from './user-rows.ts'

export type Users = {
  /**
   * Returns the newest users that match, at most `limit`, and the cursor of the next page. A page can have fewer users
   * although another one follows: a page of a search compares a bounded number of accounts, and the next one continues from there.
   */
  list(filters: UserFilters, limit: number): Promise<UserPage>
  /** Returns a user with the complete profile. */
  byId(id: number): Promise<UserDetails | undefined>
  administrators(): Promise<Administrator[]>
}

/** For clients, `reviewVersion` is null and `duplicateIds` is empty. */
export type UserDetails = Profile & AccountState & { reviewVersion: number | null; duplicateIds: number[] }

type Administrator = FactorState & { id: number; email: string; status: AccountStatus }

const a = table('Account', 'a')
const l = outerTable('LawyerProfile', 'l')

export const ACCOUNT_STATE: Columns<Omit<AccountState, 'sessions'>> = {
  id: a.id,
  status: a.status,
  isAdmin: a.isAdmin,
  createdAt: a.createdAt,
  suspendedAt: a.suspendedAt,
  suspensionReason: a.suspensionReason,
}

/** The state of the account `a`. `$1` is the number of seconds that the service clock is ahead of the database. */
export const STATE: Columns<AccountState> = {
  ...ACCOUNT_STATE,
  sessions: column(`(SELECT count(*)::int FROM sessions WHERE account_id = a.id AND ${LIVES})`),
}

const BY_ID = query(
  select<UserDetails>({ ...PROFILE, ...STATE, reviewVersion: l.reviewVersion, duplicateIds: DUPLICATE_IDS }),
  (list) => `SELECT ${list} ${FROM} WHERE a.id = $2`,
)

const ADMINISTRATORS = query(
  select<Administrator>({ id: a.id, email: a.email, status: a.status, hasFactor: HAS_FACTOR }),
  (list) => `SELECT ${list} FROM accounts a WHERE a.is_admin ORDER BY a.id`,
)

export function users({ pool }: Database, clock: Clock): Users {
  return {
    list: (filters, limit) => readUserPage(pool, filters, limit),
    byId: (id) => queryRow(pool, BY_ID, clock.shiftMs() / 1000, id),
    administrators: () => queryRows(pool, ADMINISTRATORS),
  }
}
