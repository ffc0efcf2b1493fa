import type { SecondFactors } from '../../../generated/prisma/client.ts'
import { select, table } from '../../database/columns.ts'
import { execute, query, queryRows } from '../../database/query.ts'
import type { StoreParts } from '../changes.ts'

/** The encrypted secrets of authenticator apps, for the rotation of their keys. */
export type FactorSecrets = {
  /** Returns the secrets of the next accounts after an id, in the order of the ids; empty after the last one. */
  secretsAfter(accountId: number): Promise<FactorSecret[]>
  /** Replaces a secret, unless it has changed. Returns whether it was replaced. */
  replaceSecret(secret: FactorSecret, sealed: Uint8Array): Promise<boolean>
}

export type FactorSecret = Readonly<{ accountId: number; state: 'in use' | 'pending'; sealed: Uint8Array<ArrayBuffer> }>

type Row = Pick<SecondFactors, 'accountId' | 'totpSecret' | 'totpPending'>

const AT_ONCE = 500

const f = table('SecondFactors', 'f')

const NEXT = query(
  select<Row>({ accountId: f.accountId, totpSecret: f.totpSecret, totpPending: f.totpPending }),
  (list) => `
    SELECT ${list} FROM second_factors f
    WHERE f.account_id > $1 AND (f.totp_secret IS NOT NULL OR f.totp_pending IS NOT NULL)
    ORDER BY f.account_id LIMIT ${AT_ONCE}`,
)
const REPLACE = {
  'in use': 'UPDATE second_factors SET totp_secret = $3 WHERE account_id = $1 AND totp_secret = $2',
  pending: 'UPDATE second_factors SET totp_pending = $3 WHERE account_id = $1 AND totp_pending = $2',
} as const

export function factorSecrets({ pool }: StoreParts): FactorSecrets {
  return {
    secretsAfter: async (last) => (await queryRows(pool, NEXT, last)).flatMap(toSecrets),
    replaceSecret: async ({ accountId, state, sealed: before }, sealed) =>
      (await execute(pool, REPLACE[state], accountId, before, sealed)) > 0,
  }
}

function toSecrets({ accountId, totpSecret, totpPending }: Row): FactorSecret[] {
  return [
    ...(totpSecret ? [{ accountId, state: 'in use', sealed: totpSecret } as const] : []),
    ...(totpPending ? [{ accountId, state: 'pending', sealed: totpPending } as const] : []),
  ]
}
