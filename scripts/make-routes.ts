// Writes the method, URL and schemas of each operation, so that a start neither validates nor resolves the document.
import fastify, { type RouteOptions } from 'fastify'
import glue from 'fastify-openapi-glue'
import { writeFileSync } from 'node:fs'
import { serialize } from 'node:v8'
import { readDocument, type Document, type Parameter } from '../src/contract/document.ts'
import type { OperationId } from '../src/contract/operation.ts'
import { ROUTES, type DocumentRoute } from '../src/http/document-routes.ts'

/** Headers that are not validated, because no value of them is an error: see request/language.ts and reply/version-etag.ts */
const LENIENT = new Set(['AcceptLanguage', 'IfMatch', 'IfNoneMatch'].map((name) => `#/components/parameters/${name}`))

writeFileSync(ROUTES, serialize(shareEqual(await makeRoutes(readDocument()))))

/** Returns what the glue makes of each operation. It is registered on a server that is not started. */
async function makeRoutes(document: Document): Promise<Map<OperationId, DocumentRoute>> {
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
      const parameters = operation.parameters?.filter(({ $ref = '' }) => !LENIENT.has($ref)).map(withExamples)
      return [method, { ...operation, parameters }] as const
    })
    return [path, Object.fromEntries(operations)] as const
  })
  const parameters = Object.entries(document.components.parameters).map(([name, each]) => [name, withExamples(each)])
  const components = {
    ...document.components,
    parameters: Object.fromEntries(parameters) as Document['components']['parameters'],
  }
  return structuredClone({ ...document, paths: Object.fromEntries(paths), components })
}

/** Messages give the examples of schemas, and those of a parameter stand beside its schema. */
function withExamples({ examples, ...parameter }: Parameter): Parameter {
  if (!examples) return parameter
  const values = Object.values(examples).map(({ value }) => value)
  return { ...parameter, schema: { ...parameter.schema, examples: values } }
}

/** Makes equal values the same object. Serialization preserves that, and each schema is then compiled once. */
function shareEqual(routes: Map<OperationId, DocumentRoute>): Map<OperationId, DocumentRoute> {
  const known = new Map<string, unknown>()
  const share = (_key: string, value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    const text = JSON.stringify(value)
    if (!known.has(text)) known.set(text, value)
    return known.get(text)
  }
  return new Map([...routes].map(([id, route]) => [id, JSON.parse(JSON.stringify(route), share) as DocumentRoute]))
}
