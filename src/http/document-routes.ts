import type { RouteOptions } from 'fastify'
import { readFileSync } from 'node:fs'
import { deserialize } from 'node:v8'
import { bindings } from '../../generated/operations.ts'
import { FORM } from '../contract/forms/form-rules.ts'
import { bodyContent } from '../contract/forms/form-schema.ts'
import { patchesOf, type ApplyPatch } from '../contract/merge-patch.ts'
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

/**
 * Returns how an operation applies patches, and the part of its route that differs: the result of a patch is validated
 * instead of its body, which must only be an object. Undefined for all other operations.
 */
export function readPatch(id: OperationId): { apply: ApplyPatch; route: Pick<RouteOptions, 'schema'> } | undefined {
  const { patches, media } = bindings[id]
  if (patches === null) return undefined
  const all = readRoutes()
  const form = bodyContent(all.get(patches)?.schema)[FORM]?.schema
  if (!form) throw new Error(`${id} patches ${patches}, which has no form`)
  const content = Object.fromEntries(media.map((type) => [type, { schema: { type: 'object' } }]))
  return { apply: patchesOf(form), route: { schema: { ...all.get(id)?.schema, body: { content } } } }
}
