import { bundle, createConfig } from '@redocly/openapi-core'
import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import { writeOutAnswers } from './answers.ts'
import { writeOutIgnoredFields } from './ignored-fields.ts'
import { isObject, METHODS, type Document } from './openapi.ts'
import { writeOutRecentAuthentication } from './recent-authentication.ts'
import { writeOutSharedSchemas } from './shared-schemas.ts'
import { writeOutWebhooks } from './webhooks.ts'

/**
 * The published document: openapi/ in one piece, with `{{limits}}` filled in and everything written out that the
 * sources leave to the generator.
 */
export async function readDocument(): Promise<{ document: Document; limits: Limits }> {
  const ref = 'openapi/openapi.yaml'
  const limits = parse(await readFile('openapi/limits.yaml', 'utf8')) as Limits
  const config = await createConfig({})
  const { bundle: bundled, problems } = await bundle({ ref, config, componentRenamingConflicts: 'error' })
  const errors = problems.filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'))

  const document = fillIn(structuredClone(bundled.parsed), limits) as Document
  writeOutSharedSchemas(document)
  writeOutIgnoredFields(document)
  writeOutRecentAuthentication(document)
  writeOutAnswers(document)
  writeOutWebhooks(document)
  mergePathParameters(document)
  delete document['x-of-every-answer']
  delete document['x-of-every-operation']
  delete document['x-of-every-webhook']
  return { document, limits }
}

export type Limits = {
  readonly [name: string]: Limits | number | readonly number[]
}

/** A text that is nothing but one `{{limit}}` becomes the number. */
function fillIn(node: unknown, limits: Limits): unknown {
  if (typeof node === 'string') {
    const whole = /^\{\{([\w.]+)\}\}$/.exec(node)?.[1]
    if (whole !== undefined) return limitAt(whole, limits)
    return node.replaceAll(/\{\{([\w.]+)\}\}/g, (_, path: string) => String(limitAt(path, limits)))
  }
  if (Array.isArray(node)) return node.map((item) => fillIn(item, limits))
  if (!isObject(node)) return node
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, fillIn(value, limits)]))
}

function limitAt(path: string, limits: Limits): number {
  const value = path.split('.').reduce<unknown>((node, key) => (isObject(node) ? node[key] : undefined), limits)
  if (typeof value !== 'number') throw new Error(`openapi/limits.yaml has no number at ${path}`)
  return value
}

/** fastify-openapi-glue does not see parameters of a path. */
function mergePathParameters(document: Document): void {
  const common = document['x-of-every-operation'] ?? []
  const ofEvery = common.map((name) => ({ $ref: `#/components/parameters/${name}` }))
  for (const item of Object.values(document.paths)) {
    const shared = item.parameters ?? []
    delete item.parameters
    for (const method of METHODS) {
      const operation = item[method]
      if (operation) operation.parameters = [...shared, ...(operation.parameters ?? []), ...ofEvery]
    }
  }
}
