import type { FastifyReply } from 'fastify'
import type { Bytes } from '../contract.ts'

/** What does not change may stay with the browser of who asked, as long as a link to it works at the least. */
const STORABLE = 'private, max-age=300'

/** Sends bytes as they are: only what the operation says of them is believed, by us and by the browser. */
export function sendBytes(response: FastifyReply, answer: Bytes): FastifyReply {
  const { stream, type, bytes, disposition, filename, isStorable } = answer
  if (isStorable) response.header('cache-control', STORABLE)
  if (response.request.method === 'HEAD') stream.destroy() // or all of it would be read for nothing
  if (bytes !== undefined) response.header('content-length', bytes)
  return response.header('content-disposition', `${disposition}; filename="${filename}"`).type(type).send(stream)
}
