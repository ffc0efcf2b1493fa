import { RATE_LIMITS } from '../../../generated/rate-limits.ts'
import type { Context } from '../../context.ts'
import type { Client, Body } from '../../contract/operation.ts'
import type { Credentials } from '../../domain/accounts/account.ts'
import type { PasskeyProof } from '../../domain/factors/passkey.ts'
import { Failure } from '../../domain/failure.ts'
import type { Counter } from '../../domain/limits.ts'
import { wideNetworkCounters } from '../password/verify-password.ts'

type Passkeys = NonNullable<Context['passkeys']>
type Purpose = Parameters<Passkeys['requestOptions']>[0]

/** @throws Failure 503 `passkeys_unavailable` if the operator has not configured passkeys */
export function requirePasskeys({ passkeys }: Context): Passkeys {
  if (!passkeys) throw new Failure('passkeys_unavailable')
  return passkeys
}

/** Whose passkey a request names, and what it proves; no proof if it is wrong. Undefined if no account has the passkey. */
type VerifiedPasskey = Readonly<{ account: Credentials; proof: PasskeyProof | undefined }>

/** Verifies an assertion. It is used up only by the session that it proves. */
export async function verifyPasskey(
  credential: Body<'loginWithPasskey'>['credential'],
  purpose: Purpose,
  context: Context,
): Promise<VerifiedPasskey | undefined> {
  const passkeys = requirePasskeys(context)
  const found = await context.store.factors.findPasskey(new Uint8Array(Buffer.from(credential.id, 'base64url')))
  if (!found || (purpose !== 'login' && purpose.accountId !== found.account.id)) return undefined
  return { account: found.account, proof: await passkeys.verifyAssertion(credential, found, purpose) }
}

/** Returns the counters of a wrong passkey without an access token. It counts for no account, as it guesses nothing. */
export function passkeyLoginCounters(client: Client): Counter[] {
  return [{ policy: RATE_LIMITS['login-address'], key: client.network }, ...wideNetworkCounters(client)]
}
