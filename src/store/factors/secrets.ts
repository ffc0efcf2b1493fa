import { select, table } from '../../database/columns.ts'
import type { Database } from '../../database/index.ts'
import { execute, query, queryRows } from '../../database/query.ts'

/** The encrypted secrets of authenticator apps, for the rotation of their keys. */
export type FactorSecrets = {
  /** Iterates over the secrets of all accounts. */
  all(): AsyncIterable<FactorSecret>
  /** Replaces a secret, unless it has changed. Returns whether it was replaced. */
  replace(secret: FactorSecret, sealed: Uint8Array): Promise<boolean>
}

export type FactorSecret = Readonly<{ accountId: number; state: 'in use' | 'pending'; sealed: Uint8Array<ArrayBuffer> }>

type Row = Readonly<{
  accountId: number
  totpSecret: Uint8Array<ArrayBuffer> | null
  totpPending: Uint8Array<ArrayBuffer> | null
}>

const AT_ONCE = 500

const f = table('SecondFactors', 'f')

const NEXT = query(
  select<Row>({ accountId: f.accountId, totpSecret: f.totpSecret, totpPending: f.totpPending }),
  (list) => `SELECT ${list} FROM second_factors f WHERE f.account_id > $1 ORDER BY f.account_id LIMIT ${AT_ONCE}`,
)
const REPLACE = {
  'in use': 'UPDATE second_factors SET totp_secret = $3 WHERE account_id = $1 AND totp_secret = $2',
  pending: 'UPDATE second_factors SET totp_pending = $3 WHERE account_id = $1 AND totp_pending = $2',
} as const

export function factorSecrets({ pool }: Database): FactorSecrets {
  return {
    async *all() {
      for (let last = 0, rows: Row[] = []; ; last = rows.at(-1)?.accountId ?? last) {
        rows = await queryRows(pool, NEXT, last)
        if (rows.length === 0) return
        for (const { accountId, totpSecret, totpPending } of rows) {
          if (totpSecret) yield { accountId, state: 'in use', sealed: totpSecret }
          if (totpPending) yield { accountId, state: 'pending', sealed: totpPending }
        }
      }
    },
    replace: async ({ accountId, state, sealed: before }, sealed) =>
      (await execute(pool, REPLACE[state], accountId, before, sealed)) > 0,
  }
}
