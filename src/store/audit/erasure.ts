import { execute, type Driver } from '../../database/sql.ts'
import { maskEmail, maskPhone } from '../../domain/text.ts'

export type ErasedAccount = Readonly<{ id: number; email: string; phone: string; pendingEmail: string | null }>

/** Lets the trigger of the table accept the statements below, until the end of the transaction. */
const ALLOW = `SELECT set_config('tawthiq.audit', 'erasure', true)`

/**
 * Erases events without an account, for example a code that was requested before the registration. They are matched by
 * the masked identifier. Another person can have the same one, so an address is only removed if the account used it.
 */
const WITHOUT_ACCOUNT = `
  WITH masked AS (
    SELECT * FROM unnest($1::int[], $2::text[]) AS m(account_id, subject)
    UNION SELECT account_id, identifier FROM audit_events, regexp_split_to_table(subject, ' ') identifier
      WHERE account_id = ANY ($1::int[]) AND actor_id IS NULL AND strpos(identifier, '***') > 0),
  used AS (
    SELECT account_id, address FROM sessions WHERE account_id = ANY ($1::int[])
    UNION SELECT account_id, address FROM audit_events WHERE account_id = ANY ($1::int[]) AND actor_id IS NULL)
  UPDATE audit_events e SET subject = NULL, reason = NULL, address = CASE
    WHEN NOT EXISTS (
      SELECT FROM masked m JOIN used u USING (account_id) WHERE m.subject = e.subject AND u.address = e.address)
    THEN e.address END
  WHERE e.account_id IS NULL AND e.actor_id IS NULL AND e.subject IN (SELECT subject FROM masked)`

const OF_ACCOUNT = `
  UPDATE audit_events SET subject = NULL, address = NULL, reason = NULL WHERE account_id = ANY ($1::int[])`

/** Removes the client address, and masked identifiers and networks, from the account's actions as an administrator. */
const BY_ACCOUNT = `
  UPDATE audit_events SET address = NULL, subject = CASE WHEN strpos(subject, '*') = 0 THEN subject END
  WHERE actor_id = ANY ($1::int[]) AND (address IS NOT NULL OR strpos(subject, '*') > 0)`

/** Removes the filters of lists that administrators have read about the account and a network, which may be its own. */
const LISTS_OF_ACCOUNT = `
  UPDATE audit_events SET subject = NULL
  WHERE event = 'audit_listed' AND strpos(subject, '*') > 0
    AND substring(subject FROM '(?:^| )account_id=([0-9]+)') = ANY ($1::int[]::text[])`

/**
 * Removes personal data of deleted accounts from the audit trail: addresses, masked identifiers and reasons. The events
 * and the account ids are not deleted.
 */
export async function eraseFromTrail(transaction: Driver, accounts: readonly ErasedAccount[]): Promise<void> {
  const ids = accounts.map(({ id }) => id)
  const masked = accounts.flatMap(({ id, email, phone, pendingEmail }) =>
    [maskEmail(email), maskPhone(phone), ...(pendingEmail === null ? [] : [maskEmail(pendingEmail)])].map(
      (subject) => [id, subject] as const,
    ),
  )
  const [owners, subjects] = [masked.map(([id]) => id), masked.map(([, subject]) => subject)]
  await execute(transaction, ALLOW)
  await execute(transaction, WITHOUT_ACCOUNT, owners, subjects)
  await execute(transaction, OF_ACCOUNT, ids)
  await execute(transaction, BY_ACCOUNT, ids)
  await execute(transaction, LISTS_OF_ACCOUNT, ids)
}
