import { parse } from 'content-type'
import type { FastifyRequest } from 'fastify'
import { Failure } from '../../domain/failure.ts'
import { FORM } from '../../contract/forms/form-rules.ts'

/**
 * Rejects a body whose media type the operation does not accept: Fastify would pass it on without validation.
 *
 * @param isOptional whether the body may be missing
 * @throws Failure 415 when the body is missing, or has another media type, a charset that is not UTF-8 or an encoding;
 * 400 `multipart_boundary_missing` for a form without a boundary
 */
export function checkContentType(request: FastifyRequest, accepted: readonly string[], isOptional: boolean): void {
  if (isOptional && isBodyAbsent(request)) return
  const { headers } = request
  const { type, parameters } = parse(headers['content-type'] ?? '')
  const { charset = 'utf-8', boundary = '' } = parameters
  const encoding = headers['content-encoding'] ?? 'identity'
  const isTaken = accepted.includes(type) && /^utf-?8$/i.test(charset) && encoding.toLowerCase() === 'identity'
  if (!isTaken) throw new Failure('media_type_unsupported', { hints: { accepted: accepted.join(', ') } })
  if (type === FORM && boundary.trim() === '') throw new Failure('multipart_boundary_missing')
}

/** Ignores the media type of an optional body that is absent. Many clients send one anyway, and Fastify would reject it. */
export function ignoreAbsentBody(request: FastifyRequest, _reply: unknown, done: () => void): void {
  if (isBodyAbsent(request)) request.raw.headers['content-type'] = undefined
  done()
}

function isBodyAbsent({ headers }: FastifyRequest): boolean {
  return (headers['content-length'] ?? '0') === '0' && headers['transfer-encoding'] === undefined
}
