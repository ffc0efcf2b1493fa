import type { Document } from './document/openapi.ts'
import { FIELD_LOOKUPS } from './form-labels.ts'

/** Returns the lookup of a field with its URL, after comparing it with the operation that returns it. */
export function lookupOf(document: Document, field: string): { 'x-lookup'?: object } {
  const lookup = FIELD_LOOKUPS[field]
  if (!lookup) return {}
  const url = `/api/v1/lookups/${lookup.set}`
  const parameters = document.paths[url]?.get?.parameters
  if (!parameters) throw new Error(`the lookup of ${field} is not an operation: ${url}`)
  const names = parameters.map((parameter) => nameOf(document, parameter))
  if (lookup.query !== undefined && !names.includes(lookup.query))
    throw new Error(`${url} has no parameter ${lookup.query}, which the lookup of ${field} needs`)
  return { 'x-lookup': { ...lookup, url } }
}

function nameOf({ components }: Document, parameter: unknown): unknown {
  const { $ref, name } = parameter as { $ref?: string; name?: string }
  if ($ref === undefined) return name
  return (components.parameters[$ref.split('/').at(-1) ?? ''] as { name?: string } | undefined)?.name
}
