import type { FastifyInstance, FastifyRequest } from 'fastify'
import { addParser, parseJson } from '../../contract/json.ts'
import type { SignedRequest } from '../../domain/signed-request.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })
const bodies = new WeakMap<FastifyRequest, Buffer>()

/** Parses JSON and URL-encoded bodies for the routes of this scope, whose operations also need the bytes. */
export function readSignedBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  const parsers = { 'application/json': parseJson, 'application/x-www-form-urlencoded': parseUrlEncoded }
  for (const [type, parse] of Object.entries(parsers)) {
    addParser(scope, type, (bytes, request) => {
      bodies.set(request, bytes)
      return parse(bytes)
    })
  }
}

/** Returns what the sender of a request may have signed. */
export function signedRequest(request: FastifyRequest): SignedRequest {
  return {
    bytes: bodies.get(request) ?? Buffer.alloc(0),
    url: request.originalUrl,
    header(name) {
      const value = request.headers[name]
      return typeof value === 'string' ? value : undefined
    },
  }
}

/** Returns the fields of a form. A repeated name is a list. */
function parseUrlEncoded(bytes: Uint8Array): unknown {
  const fields = new Map<string, string | string[]>()
  for (const [name, value] of new URLSearchParams(utf8.decode(bytes))) {
    if (name === '__proto__') throw new SyntaxError('The form contains a forbidden name.')
    const before = fields.get(name)
    fields.set(name, before === undefined ? value : [before, value].flat())
  }
  return Object.fromEntries(fields)
}
