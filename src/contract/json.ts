import { visit, type JSONVisitor } from 'jsonc-parser'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LIMITS } from '../../generated/limits.ts'
import { Failure } from '../domain/failure.ts'

/** The media type of a merge patch (RFC 7396) */
const MERGE_PATCH = 'application/merge-patch+json'

const DEPTH_MAX = 20
const FORBIDDEN_NAMES = new Set(['__proto__', 'constructor', 'prototype'])

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Parses JSON bodies strictly: UTF-8 only, no duplicate names in an object, no names such as `__proto__`. */
export function readJson(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  addParser(server, ['application/json', MERGE_PATCH], parseJson)
}

/** Adds a parser of bodies, whose errors other than a Failure mean that the body is malformed. */
export function addParser(
  server: FastifyInstance,
  types: string | string[],
  parse: (bytes: Buffer, request: FastifyRequest) => unknown,
): void {
  server.addContentTypeParser(types, { parseAs: 'buffer' }, (request, body, done) => {
    try {
      done(null, parse(body as Buffer, request))
    } catch (error) {
      done(error instanceof Failure ? error : new Failure('malformed_request', { cause: error }))
    }
  })
}

/**
 * @throws Failure 413 `body_too_large` if an object has too many members, each of which would be validated and reported, and
 * 400 `malformed_request` for JSON
 * that is invalid, or that two parsers could read differently
 */
export function parseJson(bytes: Uint8Array): unknown {
  const text = utf8.decode(bytes)
  rejectAmbiguity(text) // first, because building a large object takes longer than scanning the start of its text
  return JSON.parse(text)
}

/** @throws Failure 400 `malformed_request` with the place */
function rejectAmbiguity(text: string): void {
  /** The names in each object that has begun; none in an array */
  const begun: Set<string>[] = []
  const reject = (startLine: number, startCharacter: number): never => {
    throw new Failure('malformed_request', { hints: { line: startLine + 1, column: startCharacter + 1 } })
  }
  const enter = (_offset: number, _length: number, line: number, character: number): void => {
    if (begun.push(new Set()) > DEPTH_MAX) reject(line, character)
  }
  const leave = (): void => void begun.pop()
  const visitor: JSONVisitor = {
    onError: (_code, _offset, _length, line, character) => reject(line, character),
    onObjectBegin: enter,
    onObjectProperty(name, _offset, _length, line, character) {
      const known = begun.at(-1)
      if (FORBIDDEN_NAMES.has(name) || known?.has(name)) reject(line, character)
      if (known?.size === LIMITS.body.json_members) throw new Failure('body_too_large')
      known?.add(name)
    },
    onObjectEnd: leave,
    onArrayBegin: enter,
    onArrayEnd: leave,
  }
  visit(text, visitor, { disallowComments: true })
}
