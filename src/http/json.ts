import { visit } from 'jsonc-parser'
import type { FastifyInstance } from 'fastify'
import { Failure } from '../domain/failure.ts'

const DEPTH_MAX = 20
const FORBIDDEN_NAMES = new Set(['__proto__', 'constructor', 'prototype'])

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Reads JSON bodies strictly: UTF-8 only, no name twice in one object, nothing that reaches for a prototype. */
export function readJson(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, parseJson(body as Buffer))
    } catch (error) {
      done(new Failure('malformed_request', { cause: error }))
    }
  })
}

/** @throws when the bytes are not JSON, or JSON that two readers could read differently */
export function parseJson(bytes: Uint8Array): unknown {
  const text = utf8.decode(bytes)
  const value: unknown = JSON.parse(text)
  refuseAmbiguity(text)
  return value
}

function refuseAmbiguity(text: string): void {
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
      if (FORBIDDEN_NAMES.has(name)) throw new SyntaxError('The JSON has a name that is not allowed.')
      if (names.at(-1)?.has(name)) throw new SyntaxError('The JSON has a name twice.')
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
