import type { FastifyInstance, preValidationHookHandler } from 'fastify'
import type { FormSchema } from '../../contract/forms/form-schema.ts'
import { parseForm } from '../../contract/forms/form-values.ts'
import { Failure, type Hints } from '../../domain/failure.ts'

/** Those of a URL with bytes other than ASCII, or with escapes that are no UTF-8 */
export const URL_HINTS: Hints = { escape: '%D8%B3' }

/** The router also takes what follows `#`, which no valid target has, for a query. */
export const QUERY_START = /[?#]/

type Texts = Record<string, string | string[]>

/**
 * Parses the parameters of paths and queries like the fields of forms, by their schemas. Routes without parameters are not
 * changed.
 */
export function parseParameters(server: FastifyInstance): void {
  server.addHook('onRoute', (route) => {
    const { querystring, params } = (route.schema ?? {}) as { querystring?: FormSchema; params?: FormSchema }
    if (!querystring && !params) return
    const read: preValidationHookHandler = (request, _reply, done) => {
      if (querystring && QUERY_START.test(request.url)) {
        refuseInvalidEscapes(request.url)
        request.query = parseValues(querystring, request.query as Texts)
      }
      if (params) request.params = parseValues(params, request.params as Texts)
      done()
    }
    route.preValidation = [route.preValidation ?? [], read].flat()
  })
}

/**
 * Rejects escapes that are no UTF-8, as in paths. The parser of queries would return them as text: a search in another
 * encoding would find nothing, without an error.
 *
 * @throws Failure 400 `malformed_request`
 */
function refuseInvalidEscapes(url: string): void {
  const query = url.slice(url.search(QUERY_START) + 1)
  if (!query.includes('%')) return
  try {
    decodeURIComponent(query)
  } catch (error) {
    throw new Failure('malformed_request', { hints: URL_HINTS, cause: error })
  }
}

function parseValues(schema: FormSchema, texts: Texts): object {
  const parts = Object.entries(texts).flatMap(([name, values]) => [values].flat().map((value) => ({ name, value })))
  return parseForm(schema, parts)
}
