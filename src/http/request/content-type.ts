import type { FastifyRequest } from 'fastify'
import { Failure } from '../../domain/failure.ts'
import { FORM } from '../../contract/forms/form-rules.ts'

/**
 * Rejects a body whose media type the operation does not accept: Fastify would pass it on without validation.
 *
 * @throws Failure 415 when the body is missing, or has another media type, a charset that is not UTF-8 or an encoding;
 * 400 `multipart_boundary_missing` for a form without a boundary
 */
export function checkContentType(request: FastifyRequest, accepted: readonly string[]): void {
  const { headers } = request
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';')
  const encoding = headers['content-encoding'] ?? 'identity'
  const isTaken = accepted.includes(type.trim()) && encoding === 'identity' && parameters.every(isUtf8)
  if (!isTaken) throw new Failure('media_type_unsupported')
  if (type.trim() === FORM && !parameters.some(isBoundary)) throw new Failure('multipart_boundary_missing')
}

function isUtf8(parameter: string): boolean {
  const [name = '', value = ''] = parameter.split('=')
  return name.trim() !== 'charset' || /^"?utf-?8"?$/.test(value.trim())
}

function isBoundary(parameter: string): boolean {
  const [name = '', value = ''] = parameter.split('=')
  return name.trim() === 'boundary' && /[^\s"]/.test(value)
}
