import type { Context } from '../../context.ts'
import type { Client } from '../../contract.ts'
import { invalidData } from '../../domain/failure.ts'
import { REFUSED_TOKENS, type Slate } from '../../domain/limit.ts'
import { traceOf, type EventName } from '../../domain/trace.ts'

/**
 * Refuses a token of an e-mail that is no good, which counts like a refused access token.
 *
 * @throws Failure 422 on `token`, or 429 `rate_limited`
 */
export async function refuseEmailToken(
  event: EventName,
  { client, slate }: { client: Client; slate: Slate },
  { store, limits }: Context,
): Promise<never> {
  await limits.take({ policy: REFUSED_TOKENS, key: client.network }, slate)
  await store.audit.record({ event, ...traceOf(client) })
  throw invalidData({ token: ['email_token_wrong'] })
}
