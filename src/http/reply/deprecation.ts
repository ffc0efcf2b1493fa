import type { FastifyReply, FastifyRequest } from 'fastify'

type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/**
 * Returns the hook that adds `Deprecation` and `Sunset` to every response of an operation, including errors. Operations
 * that are not deprecated have no hook.
 */
export function deprecationHooks(headers: Readonly<Record<string, string>>): Hook[] {
  if (Object.keys(headers).length === 0) return []
  return [async (_request, reply) => void reply.headers(headers)]
}
