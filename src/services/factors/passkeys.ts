import { RATE_LIMITS } from '../../../generated/rate-limits.ts'
import type { Context } from '../../context.ts'
import type { AnyCall, Body, Client } from '../../contract/operation.ts'
import type { Bearer, Credentials } from '../../domain/accounts/account.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import type { PasskeyProof } from '../../domain/factors/passkey.ts'
import { Failure, invalidData } from '../../domain/failure.ts'
import { ofAccountAndNetwork, type Counter } from '../../domain/rate-limiter.ts'
import { loginCounters, networkCounters } from '../password/guess-counters.ts'
import { REAUTHENTICATION_EVENTS } from '../sessions/reauthentication-events.ts'

type Passkeys = NonNullable<Context['passkeys']>
type Credential = Body<'loginWithPasskey'>['credential']
type Purpose = Parameters<Passkeys['requestOptions']>[0]

/** @throws Failure 503 `passkeys_unavailable` if the operator has not configured passkeys */
export function requirePasskeys({ passkeys }: Context): Passkeys {
  if (!passkeys) throw new Failure('passkeys_unavailable')
  return passkeys
}

type FoundPasskey = Awaited<ReturnType<Context['store']['factors']['findPasskey']>>

/** @throws Failure 503 `passkeys_unavailable` */
export function findPasskey({ id }: Credential, { network }: Client, context: Context): Promise<FoundPasskey> {
  requirePasskeys(context)
  return context.store.factors.findPasskey(new Uint8Array(Buffer.from(id, 'base64url')), network)
}

/** Returns the proof of an assertion; undefined if it is wrong. It is used up only by the session that it proves. */
export async function verifyPasskey(
  found: FoundPasskey,
  credential: Credential,
  purpose: Purpose,
  context: Context,
): Promise<PasskeyProof | undefined> {
  const passkeys = requirePasskeys(context)
  if (!found || (purpose !== 'login' && purpose.accountId !== found.account.id)) return undefined
  return passkeys.verifyAssertion(credential, found, purpose)
}

type OwnPasskey = Readonly<{
  /** Whose passkey it is, with the password hash of the time of its verification */
  account: Credentials
  proof: PasskeyProof
  /** Records a passkey that was used in the meantime like a wrong one, and rejects it. */
  refuse: () => Promise<never>
}>

/**
 * Verifies an assertion of the account behind a token. A wrong one is recorded, and counts like a wrong password.
 *
 * @throws Failure 422 on `credential`, 429 `rate_limited`, 503 `passkeys_unavailable`
 */
export async function verifyOwnPasskey(
  credential: Credential,
  { bearer, client, rateLimiter }: AnyCall & { bearer: Bearer },
  context: Context,
): Promise<OwnPasskey> {
  const { store } = context
  const { accountId, sessionId } = bearer
  const key = ofAccountAndNetwork(bearer, client)
  const about = { ...toAuditContext(client), accountId }
  const found = await findPasskey(credential, client, context)
  const proof = await rateLimiter
    .countFailures(
      [{ policy: RATE_LIMITS['known-password'], key }],
      () => verifyPasskey(found, credential, { action: 'reauthenticate', accountId, sessionId }, context),
      (given) => !given,
    )
    .catch((error: unknown) =>
      store.audit.recordRefusal(error, { rate_limited: REAUTHENTICATION_EVENTS.limited }, key, about),
    )
  const refuse = async (): Promise<never> => {
    await store.audit.record({ event: 'passkey_failed', ...about })
    throw invalidData({ credential: ['passkey_wrong'] })
  }
  return found && proof ? { account: found.account, proof, refuse } : refuse()
}

/** Returns the counters of a wrong passkey without an access token. It counts for an account in a known network only. */
export function passkeyLoginCounters(found: FoundPasskey, client: Client): Counter[] {
  const account = found?.account
  return account?.isKnownNetwork ? loginCounters(account.email, account, client) : networkCounters(client, account)
}
