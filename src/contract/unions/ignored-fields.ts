import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isUnion, listTags, type Union } from './union.ts'

/** The generator expands `x-tawthiq-ignores` to it: the fields that are ignored in variants that do not have them */
export const IGNORED_FIELDS = 'x-tawthiq-ignored-fields'

type IgnoringUnion = Union & { [IGNORED_FIELDS]: readonly string[] }

/** The fields that are removed from a body, by the value of its tag */
type Rules = {
  tag: string
  ignored: ReadonlySet<string>
  fieldsByTag: ReadonlyMap<unknown, ReadonlySet<string>>
  /** The fields of all variants, for a body whose tag is invalid */
  allFields: ReadonlySet<string>
}

/**
 * Removes ignored fields from bodies before they are validated, so their values are neither checked nor stored. A client can
 * send one form for all kinds of accounts.
 */
export function ignoreFields(server: FastifyInstance): void {
  server.addHook('onRoute', (route) => {
    const rulesByMedia = buildRules(route.schema)
    if (rulesByMedia.size === 0) return
    const drop = async (request: FastifyRequest): Promise<void> => {
      const rules = rulesByMedia.get(request.mediaType ?? '')
      if (rules) request.body = withoutIgnored(request.body, rules)
    }
    route.preValidation = [route.preValidation ?? [], drop].flat()
  })
}

function buildRules(schema: unknown): Map<string, Rules> {
  // the shape that the glue gives `requestBody`
  const { body } = (schema ?? {}) as { body?: { content?: Record<string, { schema?: unknown }> } }
  const found = Object.entries(body?.content ?? {}).flatMap(([media, { schema: union }]) =>
    isUnion(union) && IGNORED_FIELDS in union ? [[media, buildUnionRules(union as IgnoringUnion)] as const] : [],
  )
  return new Map(found)
}

/** Returns a function that removes the fields that a schema ignores from a body. */
export function newIgnoredFields(schema: unknown): (body: object) => unknown {
  if (!isUnion(schema) || !(IGNORED_FIELDS in schema)) return (body) => body
  const rules = buildUnionRules(schema as IgnoringUnion)
  return (body) => withoutIgnored(body, rules)
}

function buildUnionRules(union: IgnoringUnion): Rules {
  const variants = union.oneOf.flatMap((variant) => {
    const names = new Set(Object.keys(variant.properties))
    return listTags(union, variant).map((tag) => [tag, names] as const)
  })
  return {
    tag: union.discriminator.propertyName,
    ignored: new Set(union[IGNORED_FIELDS]),
    fieldsByTag: new Map(variants),
    allFields: new Set(variants.flatMap(([, names]) => [...names])),
  }
}

function withoutIgnored(body: unknown, { tag, ignored, fieldsByTag: ownOf, allFields: own }: Rules): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const known = ownOf.get((body as Record<string, unknown>)[tag]) ?? own
  const entries = Object.entries(body)
  const kept = entries.filter(([name]) => known.has(name) || !ignored.has(name))
  return kept.length < entries.length ? Object.fromEntries(kept) : body
}
