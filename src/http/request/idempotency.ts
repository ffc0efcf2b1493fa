import type { FastifyReply, FastifyRequest } from 'fastify'
import { canonicalJson, type IdempotentRequest } from '../../contract/idempotent-request.ts'
import type { OperationId } from '../../contract/operation.ts'

/**
 * Returns the `Idempotency-Key` of a request; undefined if it has none. A request with invalid fields has no effect, so its
 * key is not read.
 */
export function readIdempotency(
  { headers, params, body, validationError }: FastifyRequest,
  reply: FastifyReply,
  operation: OperationId,
): IdempotentRequest | undefined {
  const value = headers['idempotency-key']
  if (typeof value !== 'string' || validationError) return undefined
  return {
    key: value.replaceAll('"', ''), // quotation marks of a structured field (RFC 9651, 3.3.3)
    operation,
    content: canonicalJson([params, body]),
    markReplayed: () => void reply.header('idempotency-replayed', 'true'),
  }
}
