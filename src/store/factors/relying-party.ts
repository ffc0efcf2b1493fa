import { query, queryRow, table, type Driver } from '../../database/sql.ts'
import { down, wrong, type Finding } from '../../lib/startup-error.ts'

const p = table('Passkey', 'p')

/** All passkeys have the same relying party, as the service does not start with another one. */
const ANY = query(
  { relyingPartyId: p.relyingPartyId },
  (list) => `SELECT ${list} FROM passkeys p LIMIT 1`,
  'relying-party',
)

/** Compares the configured domain of passkeys with that of the stored ones, which browsers cannot use for another one. */
export async function checkRelyingParty(
  driver: Driver,
  configured: Readonly<{ id: string }> | undefined,
): Promise<Finding | undefined> {
  const stored = (await queryRow(driver, ANY))?.relyingPartyId
  if (stored === undefined || stored === configured?.id) return undefined
  return configured
    ? wrong(`WEBAUTHN_RP_ID is ${configured.id}, but accounts have passkeys of ${stored}. Set it to ${stored}.`)
    : down(`WEBAUTHN_RP_ID is not set, so accounts cannot use their passkeys. Set it to ${stored}.`)
}
