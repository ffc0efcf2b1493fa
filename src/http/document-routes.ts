import type { RouteOptions } from 'fastify'
import { readFileSync } from 'node:fs'
import { deserialize } from 'node:v8'
import type { OperationId } from '../contract/operation.ts'

export type DocumentRoute = Pick<RouteOptions, 'method' | 'url' | 'schema'>

/** Written by the build. Equal schemas are the same object. */
export const ROUTES = new URL('../../routes.bin', import.meta.url)

let routes: ReadonlyMap<OperationId, DocumentRoute> | undefined

/** Returns the method, URL and schemas of each operation of the document. All servers of a process share them. */
export function readRoutes(): ReadonlyMap<OperationId, DocumentRoute> {
  routes ??= deserialize(readFileSync(ROUTES)) as Map<OperationId, DocumentRoute>
  return routes
}
