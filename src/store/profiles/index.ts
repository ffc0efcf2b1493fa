import type { Bearer } from '../../domain/accounts/account.ts'
import { logAuditEvents } from '../audit/index.ts'
import { column, query, queryOnlyRow } from '../../database/sql.ts'
import { throwIfTaken } from '../../database/unique-conflicts.ts'
import { HAS_FORMER_EMAIL } from '../recovery/identifiers.ts'
import { RESTORES } from '../undo/lock.ts'
import { updateDirectly, updateUnderLock, type Update, type Parts, type Updated } from './update-profile.ts'
import type { StoreParts } from '../changes.ts'

export type Profiles = {
  /**
   * Returns which identifiers belong to another account. A number belongs to the account that has verified it, and a former address
   * to the one that can get it back: in the waiting period of its present one, or by undoing the change.
   */
  taken(wanted: { email: string | undefined; phone: string | undefined }, accountId?: number): Promise<Taken>
  /**
   * Applies a change and records it, all or nothing. Returns the keys of the replaced files, and the changes of the
   * e-mail address and the phone number.
   *
   * @throws Failure 401 `token_revoked` if the session was revoked or the account is suspended, 403
   * `reauthentication_required`, 412 `outdated`, 422 on `email`, `phone` or `otp` if a concurrent request was faster
   */
  update(bearer: Bearer, change: Update, records: Pick<Parts, 'toAuditEvents' | 'toMails'>): Promise<Updated>
}

export type Taken = { email: boolean; phone: boolean }

/** Subqueries, because the condition of one with OR can read the whole table. */
const TAKEN = query<Taken>(
  {
    email: column(`EXISTS (SELECT FROM accounts WHERE email = $1)
      OR EXISTS (SELECT FROM accounts a WHERE a.former_email = $1 AND ${HAS_FORMER_EMAIL} AND a.id IS DISTINCT FROM $3)
      OR EXISTS (SELECT FROM email_tokens e WHERE e.email = $1 AND e.account_id IS DISTINCT FROM $3 AND ${RESTORES})`),
    phone: column('EXISTS (SELECT FROM accounts WHERE phone = $2 AND phone_verified_at IS NOT NULL)'),
  },
  (list) => `SELECT ${list}`,
  'taken',
)

export function profiles({ pool, log, outbox, inChange }: StoreParts): Profiles {
  return {
    async taken({ email, phone }, accountId) {
      if (email === undefined && phone === undefined) return { email: false, phone: false }
      return queryOnlyRow(pool, TAKEN, email, phone, accountId ?? null)
    },
    async update(bearer, change, records) {
      const parts = { outbox, ...records }
      const updated =
        (await updateDirectly(pool, bearer, change, parts)) ??
        (await updateUnderLock(inChange, bearer, change, parts).catch(throwIfTaken))
      logAuditEvents(updated.auditEvents, log)
      outbox.onCommit('events')
      if (updated.mails.length > 0) outbox.onCommit('mails')
      return updated
    },
  }
}
