import { visit } from 'jsonc-parser'
import type { FastifyInstance } from 'fastify'
import { Failure } from '../domain/failure.ts'

/** The media type of a merge patch (RFC 7396) */
export const MERGE_PATCH = 'application/merge-patch+json'

const DEPTH_MAX = 20
const FORBIDDEN_NAMES = new Set(['__proto__', 'constructor', 'prototype'])

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Parses JSON bodies strictly: UTF-8 only, no duplicate names in an object, no names such as `__proto__`. */
export function readJson(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser(['application/json', MERGE_PATCH], { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, parseJson(body as Buffer))
    } catch (error) {
      done(new Failure('malformed_request', { cause: error }))
    }
  })
}

/** @throws when the bytes are not JSON, or JSON that two parsers could read differently */
export function parseJson(bytes: Uint8Array): unknown {
  const text = utf8.decode(bytes)
  const value: unknown = JSON.parse(text)
  rejectAmbiguity(text)
  return value
}

function rejectAmbiguity(text: string): void {
  const names: Set<string>[] = []
  let depth = 0
  const enter = (): void => {
    depth++
    if (depth > DEPTH_MAX) throw new SyntaxError('The JSON is nested too deeply.')
  }
  visit(text, {
    onObjectBegin() {
      enter()
      names.push(new Set())
    },
    onObjectProperty(name) {
      if (FORBIDDEN_NAMES.has(name)) throw new SyntaxError('The JSON contains a forbidden member name.')
      if (names.at(-1)?.has(name)) throw new SyntaxError('The JSON contains a member twice.')
      names.at(-1)?.add(name)
    },
    onObjectEnd() {
      depth--
      names.pop()
    },
    onArrayBegin: enter,
    onArrayEnd() {
      depth--
    },
  })
}
