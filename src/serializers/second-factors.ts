import type { Data } from '../contract/operation.ts'
import type { DeletedPasskey, ListedPasskey } from '../domain/factors/passkey.ts'
import type { ListedFactors } from '../domain/factors/second-factor.ts'

/** Returns the second factors of an account as its owner sees them. */
export function serializeFactors({
  passkeys,
  totpConfirmedAt,
  recoveryCodesLeft,
  resetAt,
}: ListedFactors): Data<'getFactors'> {
  return {
    passkeys: passkeys.map(serializePasskey),
    totp_added_at: totpConfirmedAt?.toISOString() ?? null,
    recovery_codes_left: recoveryCodesLeft,
    reset_at: resetAt?.toISOString() ?? null,
  }
}

export function serializePasskey(passkey: ListedPasskey): Data<'renamePasskey'> {
  const { id, name, createdAt, lastUsedAt, backedUp } = passkey
  return {
    id,
    name,
    added_at: createdAt.toISOString(),
    last_used_at: lastUsedAt?.toISOString() ?? null,
    is_backed_up: backedUp,
  }
}

export function serializeDeletedPasskey({ relyingPartyId, credentialId }: DeletedPasskey): Data<'deletePasskey'> {
  return { rpId: relyingPartyId, credentialId: Buffer.from(credentialId).toString('base64url') }
}
