import type { FastifyReply } from 'fastify'
import type { Bytes } from '../../contract/operation.ts'

/** Browsers may cache files that never change, for the shortest lifetime of a link. */
const STORABLE = 'private, max-age=300'

/** Sends bytes with the type that the operation states; browsers must not guess another one. */
export function sendStream(response: FastifyReply, content: Bytes): FastifyReply {
  const { stream, type, bytes, disposition, filename, isStorable } = content
  if (isStorable) response.header('cache-control', STORABLE)
  if (response.request.method === 'HEAD') stream.destroy() // Node would read all of it and send nothing
  if (bytes !== undefined) response.header('content-length', bytes)
  return response.header('content-disposition', `${disposition}; filename="${filename}"`).type(type).send(stream)
}
