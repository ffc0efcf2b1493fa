import type { FastifyRequest } from 'fastify'
import { Failure } from '../domain/failure.ts'

/**
 * Refuses a body whose media type the operation does not take: Fastify would hand it over unvalidated.
 *
 * @throws Failure 415 when the body is missing, or has another media type, a charset that is not UTF-8 or an encoding
 */
export function checkMedia(request: FastifyRequest, accepted: readonly string[]): void {
  const { headers } = request
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';')
  const encoding = headers['content-encoding'] ?? 'identity'
  const isTaken = accepted.includes(type.trim()) && encoding === 'identity' && parameters.every(isUtf8)
  if (!isTaken) throw new Failure('media_type_unsupported')
}

function isUtf8(parameter: string): boolean {
  const [name = '', value = ''] = parameter.split('=')
  return name.trim() !== 'charset' || /^"?utf-?8"?$/.test(value.trim())
}
