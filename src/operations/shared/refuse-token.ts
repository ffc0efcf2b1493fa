import type { Context } from '../../context.ts'
import type { Client } from '../../contract.ts'
import { invalidData, type FieldFailures } from '../../domain/failure.ts'
import { REFUSED_TOKENS, type Slate } from '../../domain/limit.ts'
import { traceOf, type EventName } from '../../domain/trace.ts'

/**
 * Rejects a token that was sent by e-mail and is not valid. It counts like a refused access token.
 *
 * @param failures what is wrong with the token, and with other fields of the request
 * @throws Failure 422, or 429 `rate_limited`
 */
export async function refuseToken(
  event: EventName,
  failures: FieldFailures,
  { client, slate }: { client: Client; slate: Slate },
  { store, limits }: Context,
): Promise<never> {
  await limits.take({ policy: REFUSED_TOKENS, key: client.network }, slate)
  await store.audit.record({ event, ...traceOf(client) })
  throw invalidData(failures)
}
