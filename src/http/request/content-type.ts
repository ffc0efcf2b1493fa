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
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';')
  const encoding = headers['content-encoding'] ?? 'identity'
  const isTaken = accepted.includes(type.trim()) && encoding === 'identity' && parameters.every(isUtf8)
  if (!isTaken) throw new Failure('media_type_unsupported')
  if (type.trim() === FORM && !parameters.some(isBoundary)) throw new Failure('multipart_boundary_missing')
}

/** Ignores the media type of an optional body that is absent. Many clients send one anyway, and Fastify would reject it. */
export function ignoreAbsentBody(request: FastifyRequest, _reply: unknown, done: () => void): void {
  if (isBodyAbsent(request)) request.raw.headers['content-type'] = undefined
  done()
}

function isBodyAbsent({ headers }: FastifyRequest): boolean {
  return (headers['content-length'] ?? '0') === '0' && headers['transfer-encoding'] === undefined
}

function isUtf8(parameter: string): boolean {
  const [name = '', value = ''] = parameter.split('=')
  return name.trim() !== 'charset' || /^"?utf-?8"?$/.test(value.trim())
}

function isBoundary(parameter: string): boolean {
  const [name = '', value = ''] = parameter.split('=')
  return name.trim() === 'boundary' && /[^\s"]/.test(value)
}
