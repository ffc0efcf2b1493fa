import type { Data } from '../contract/operation.ts'
import type { DeletedPasskey, ListedPasskey } from '../domain/factors/passkey.ts'
import type { ListedFactors } from '../domain/factors/second-factor.ts'

/** Returns the second factors of an account as its owner sees them. */
export function serializeFactors(factors: ListedFactors): Data<'getFactors'> {
  return {
    passkeys: factors.passkeys.map(serializePasskey),
    totp_added_at: factors.totpConfirmedAt?.toISOString() ?? null,
    recovery_codes_left: factors.recoveryCodesLeft,
    reset_at: factors.resetAt?.toISOString() ?? null,
  }
}

export function serializePasskey(passkey: ListedPasskey): Data<'renamePasskey'> {
  return {
    id: passkey.id,
    name: passkey.name,
    added_at: passkey.createdAt.toISOString(),
    last_used_at: passkey.lastUsedAt?.toISOString() ?? null,
    is_backed_up: passkey.backedUp,
  }
}

export function serializeDeletedPasskey({ relyingPartyId, credentialId }: DeletedPasskey): Data<'removePasskey'> {
  return { rpId: relyingPartyId, credentialId: Buffer.from(credentialId).toString('base64url') }
}
