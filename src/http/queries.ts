import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { FormSchema } from './form-schema.ts'
import { formValues } from './form-values.ts'

/**
 * Reads what stands behind the question mark as forms are read: numbers by the schema, and no other notation of them.
 * Routes without parameters there are left alone.
 */
export function readQueries(server: FastifyInstance): void {
  server.addHook('onRoute', (route) => {
    const { querystring } = (route.schema ?? {}) as { querystring?: FormSchema }
    if (!querystring) return
    route.preValidation = [route.preValidation ?? [], readQuery(querystring)].flat()
  })
}

function readQuery(schema: FormSchema) {
  return async (request: FastifyRequest): Promise<void> => {
    const given = Object.entries(request.query as Record<string, string | string[]>)
    const parts = given.flatMap(([name, values]) => [values].flat().map((value) => ({ name, value })))
    request.query = formValues(schema, parts)
  }
}
