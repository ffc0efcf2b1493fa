import { bundle, createConfig } from '@redocly/openapi-core'
import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import { isObject, METHODS, type Document, type Operation } from './openapi.ts'

/**
 * The published document: openapi/ in one piece, with `{{limits}}` filled in and everything written out that the
 * sources leave to the generator.
 */
export async function readDocument(): Promise<{ document: Document; limits: Limits }> {
  const ref = 'openapi/openapi.yaml'
  const root = parse(await readFile(ref, 'utf8')) as Document
  const limits = parse(await readFile('openapi/limits.yaml', 'utf8')) as Limits
  const config = await createConfig({})
  const { bundle: bundled, problems } = await bundle({ ref, config, componentRenamingConflicts: 'error' })
  const errors = problems.filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'))

  const document = fillIn(structuredClone(bundled.parsed), limits) as Document
  addHeaders(document, Object.keys(root.components.headers))
  mergePathParameters(document)
  return { document, limits }
}

export type Limits = {
  readonly [name: string]: Limits | number | readonly number[]
}

function fillIn(node: unknown, limits: Limits): unknown {
  if (typeof node === 'string') return node.replaceAll(/\{\{([\w.]+)\}\}/g, (_, path: string) => limitAt(path, limits))
  if (Array.isArray(node)) return node.map((item) => fillIn(item, limits))
  if (!isObject(node)) return node
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, fillIn(value, limits)]))
}

function limitAt(path: string, limits: Limits): string {
  const value = path.split('.').reduce<unknown>((node, key) => (isObject(node) ? node[key] : undefined), limits)
  if (typeof value !== 'number') throw new Error(`openapi/limits.yaml has no number at ${path}`)
  return String(value)
}

/** Every response has the headers that openapi.yaml itself names. */
function addHeaders(document: Document, names: string[]): void {
  const headers = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
  const shared = Object.values(document.components.responses)
  const own = operationsOf(document).flatMap(({ responses }) => Object.values(responses))
  for (const response of [...shared, ...own]) {
    if (!('$ref' in response)) response.headers = { ...response.headers, ...headers }
  }
}

/** fastify-openapi-glue does not see parameters of a path. */
function mergePathParameters(document: Document): void {
  for (const item of Object.values(document.paths)) {
    const shared = item.parameters ?? []
    delete item.parameters
    if (shared.length === 0) continue
    for (const method of METHODS) {
      const operation = item[method]
      if (operation) operation.parameters = [...shared, ...(operation.parameters ?? [])]
    }
  }
}

function operationsOf(document: Document): Operation[] {
  return Object.values(document.paths).flatMap((item) => METHODS.flatMap((method) => item[method] ?? []))
}
