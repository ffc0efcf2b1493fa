import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { FormSchema } from './form-schema.ts'
import { formValues } from './form-values.ts'

type Texts = Record<string, string | string[]>

/**
 * Reads the parameters of paths and queries as forms are read: numbers by the schema, and no other notation of them.
 * Routes without parameters are left alone.
 */
export function readQueries(server: FastifyInstance): void {
  server.addHook('onRoute', (route) => {
    const { querystring, params } = (route.schema ?? {}) as { querystring?: FormSchema; params?: FormSchema }
    if (!querystring && !params) return
    const read = async (request: FastifyRequest): Promise<void> => {
      if (querystring) request.query = valuesOf(querystring, request.query as Texts)
      if (params) request.params = valuesOf(params, request.params as Texts)
    }
    route.preValidation = [route.preValidation ?? [], read].flat()
  })
}

function valuesOf(schema: FormSchema, texts: Texts): object {
  const parts = Object.entries(texts).flatMap(([name, values]) => [values].flat().map((value) => ({ name, value })))
  return formValues(schema, parts)
}
