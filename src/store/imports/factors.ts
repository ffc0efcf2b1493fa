// The second factors of imported accounts. A batch without any runs none of these statements.
import { column, query, queryOnlyRow, queryRows, table, type Driver } from '../../database/sql.ts'
import type { ImportedAccount, ImportedFactors, ImportedPasskey } from '../../domain/import.ts'
import type { Finding } from '../../lib/startup-error.ts'
import { checkRelyingParty } from '../factors/relying-party.ts'
import { IS_ENABLED } from '../factors/state.ts'
import { Outdated } from './transaction.ts'
import type { Added } from './sql.ts'

/** By the place of an account in its batch: the positions of its passkeys that another account has */
export type KnownPasskeys = ReadonlyMap<number, readonly number[]>

const p = table('Passkey', 'p')

const KNOWN = query(
  { credentialId: p.credentialId },
  (list) => `SELECT ${list} FROM passkeys p WHERE p.credential_id = ANY($1::bytea[])`,
)

/**
 * Adds the second factors of added accounts, and returns the number of added passkeys. `$1` contains the accounts as JSON, and
 * `$2` the passkeys. They have no recovery codes, which only their owners may see.
 */
const ADD_FACTORS = query<{ passkeys: number }>(
  { passkeys: column('count(*)::int') },
  (list) => `
    WITH apps AS (
      INSERT INTO second_factors (account_id, totp_secret, totp_confirmed_at, totp_established_at, recovery_codes)
      SELECT account_id, decode(secret, 'base64'), CASE WHEN secret IS NOT NULL THEN now() END, now(), '{}'
      FROM jsonb_to_recordset($1::jsonb) AS one (account_id int, secret text)
    ), added AS (
      INSERT INTO passkeys (account_id, credential_id, user_handle, public_key, counter, transports, relying_party_id, aaguid,
        name, backup_eligible, backed_up, created_at, established_at)
      SELECT account_id, decode(credential_id, 'base64'), decode(user_handle, 'base64'), decode(public_key, 'base64'),
        counter, transports, relying_party_id, aaguid, name, backup_eligible, backed_up, coalesce(created_at, now()), now()
      FROM jsonb_to_recordset($2::jsonb) AS one (account_id int, credential_id text, user_handle text, public_key text,
        counter bigint, transports text[], relying_party_id text, aaguid uuid, name text, backup_eligible boolean,
        backed_up boolean, created_at timestamptz)
      ON CONFLICT (credential_id) DO NOTHING RETURNING 1
    )
    SELECT ${list} FROM added`,
)

/** Whether the database accepts second factors */
export type FactorSupport = Readonly<{
  /** Whether the operator has enabled them */
  isEnabled: boolean
  /** The problem of the configured domain of passkeys, if there is one */
  relyingParty: Finding | undefined
}>

const SUPPORT = query<{ isEnabled: boolean }>({ isEnabled: column(IS_ENABLED) }, (list) => `SELECT ${list}`)

export async function readFactorSupport(
  driver: Driver,
  relyingParty: Readonly<{ id: string }> | undefined,
): Promise<FactorSupport> {
  const { isEnabled } = await queryOnlyRow(driver, SUPPORT)
  return { isEnabled, relyingParty: await checkRelyingParty(driver, relyingParty) }
}

/**
 * Returns the passkeys of a batch that another account has, in the database or earlier in the batch. An earlier account counts
 * even if it is not added because of its e-mail address or phone number: one of the two rows is wrong in any case.
 */
export async function findKnownPasskeys(driver: Driver, accounts: readonly ImportedAccount[]): Promise<KnownPasskeys> {
  const known = new Map<number, readonly number[]>()
  const credentialIds = accounts.flatMap(({ factors }) => factors?.passkeys.map((each) => each.credentialId) ?? [])
  if (credentialIds.length === 0) return known
  const seen = new Set((await queryRows(driver, KNOWN, credentialIds)).map(({ credentialId }) => encode(credentialId)))
  for (const [place, { factors }] of accounts.entries()) {
    const own = factors?.passkeys.map(({ credentialId }) => encode(credentialId)) ?? []
    const positions = [...own.keys()].filter((position) => seen.has(own[position] ?? ''))
    if (positions.length > 0) known.set(place, positions)
    else for (const id of own) seen.add(id)
  }
  return known
}

/**
 * Adds the second factors of the accounts of a batch that were added.
 *
 * @throws Outdated if another account has got one of the passkeys in the meantime
 */
export async function addFactors(
  driver: Driver,
  accounts: readonly ImportedAccount[],
  added: readonly Added[],
): Promise<void> {
  const owners = added.flatMap(({ place, id }) => {
    const factors = accounts[place]?.factors
    return factors ? [{ id, factors }] : []
  })
  if (owners.length === 0) return
  const passkeys = owners.flatMap(({ id, factors }) => factors.passkeys.map((passkey) => toPasskeyRow(id, passkey)))
  const apps = owners.map(({ id, factors }) => toAppRow(id, factors))
  const stored = await queryOnlyRow(driver, ADD_FACTORS, JSON.stringify(apps), JSON.stringify(passkeys))
  if (stored.passkeys !== passkeys.length) throw new Outdated('another account has a passkey of an imported one now')
}

function toAppRow(accountId: number, { sealTotp }: ImportedFactors): object {
  return { account_id: accountId, secret: sealTotp ? encode(sealTotp(accountId)) : null }
}

function toPasskeyRow(accountId: number, passkey: ImportedPasskey): object {
  return {
    account_id: accountId,
    credential_id: encode(passkey.credentialId),
    user_handle: encode(passkey.userHandle),
    public_key: encode(passkey.publicKey),
    counter: passkey.counter,
    transports: passkey.transports,
    relying_party_id: passkey.relyingPartyId,
    aaguid: passkey.aaguid,
    name: passkey.name,
    backup_eligible: passkey.backupEligible,
    backed_up: passkey.backedUp,
    created_at: passkey.createdAt,
  }
}

function encode(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}
