import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { FormSchema } from '../../contract/forms/form-schema.ts'
import { parseForm } from '../../contract/forms/form-values.ts'

type Texts = Record<string, string | string[]>

/**
 * Parses the parameters of paths and queries like the fields of forms, by their schemas. Routes without parameters are not
 * changed.
 */
export function parseParameters(server: FastifyInstance): void {
  server.addHook('onRoute', (route) => {
    const { querystring, params } = (route.schema ?? {}) as { querystring?: FormSchema; params?: FormSchema }
    if (!querystring && !params) return
    const read = async (request: FastifyRequest): Promise<void> => {
      if (querystring) request.query = parseValues(querystring, request.query as Texts)
      if (params) request.params = parseValues(params, request.params as Texts)
    }
    route.preValidation = [route.preValidation ?? [], read].flat()
  })
}

function parseValues(schema: FormSchema, texts: Texts): object {
  const parts = Object.entries(texts).flatMap(([name, values]) => [values].flat().map((value) => ({ name, value })))
  return parseForm(schema, parts)
}
