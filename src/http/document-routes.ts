import fastify, { type RouteOptions } from 'fastify'
import glue from 'fastify-openapi-glue'
import type { Document } from '../contract/document.ts'
import type { OperationId } from '../contract/operation.ts'

type DocumentRoute = Pick<RouteOptions, 'method' | 'url' | 'schema'>

/** Headers that are not validated, because no value of them is an error: see request/language.ts and reply/version-etag.ts */
const LENIENT = new Set(['AcceptLanguage', 'IfMatch', 'IfNoneMatch'].map((name) => `#/components/parameters/${name}`))

/**
 * Returns what the glue makes of each operation of the document. It checks the whole document each time that it is
 * registered, so that it is registered once, on a server that is not started, for the servers and scopes that share the
 * routes.
 */
export async function readRoutes(document: Document): Promise<ReadonlyMap<OperationId, DocumentRoute>> {
  const routes = new Map<OperationId, DocumentRoute>()
  const server = fastify({ exposeHeadRoutes: false })
  server.addHook('onRoute', ({ method, url, schema, config }) => {
    if (config?.operationId) routes.set(config.operationId, { method, url, ...(schema && { schema }) })
  })
  // the glue adds method, URL and schema
  const operationResolver = (id: string): RouteOptions =>
    ({ config: { operationId: id as OperationId } }) as RouteOptions
  await server.register(glue, { specification: validated(document), operationResolver })
  return routes
}

/** A copy, which the glue dereferences in place. */
function validated(document: Document): Document {
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const operations = Object.entries(item).map(([method, operation]) => {
      const parameters = operation.parameters?.filter(({ $ref = '' }) => !LENIENT.has($ref))
      return [method, { ...operation, parameters }] as const
    })
    return [path, Object.fromEntries(operations)] as const
  })
  return structuredClone({ ...document, paths: Object.fromEntries(paths) })
}
