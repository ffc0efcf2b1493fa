import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isUnion, tagsOf, type Union } from './union.ts'

/** What the generator writes out for `x-tawthiq-ignores`: the fields that are ignored where a variant does not have them */
export const IGNORED_FIELDS = 'x-tawthiq-ignored-fields'

type IgnoringUnion = Union & { [IGNORED_FIELDS]: readonly string[] }

/** Which fields a body loses, by the value of its tag */
type Rules = {
  tag: string
  ignored: ReadonlySet<string>
  ownOf: ReadonlyMap<unknown, ReadonlySet<string>>
  /** Those of all variants, for a body whose tag is wrong */
  own: ReadonlySet<string>
}

/**
 * Removes the fields that the document ignores from bodies before they are validated, so that nobody looks at their
 * values and nothing of them is stored. A form that serves all kinds of accounts may be sent as it is.
 */
export function ignoreFields(server: FastifyInstance): void {
  server.addHook('onRoute', (route) => {
    const rulesByMedia = rulesOf(route.schema)
    if (rulesByMedia.size === 0) return
    const drop = async (request: FastifyRequest): Promise<void> => {
      const rules = rulesByMedia.get(request.mediaType ?? '')
      if (rules) request.body = withoutIgnored(request.body, rules)
    }
    route.preValidation = [route.preValidation ?? [], drop].flat()
  })
}

function rulesOf(schema: unknown): Map<string, Rules> {
  // what the glue makes of `requestBody`
  const { body } = (schema ?? {}) as { body?: { content?: Record<string, { schema?: unknown }> } }
  const found = Object.entries(body?.content ?? {}).flatMap(([media, { schema: union }]) =>
    isUnion(union) && IGNORED_FIELDS in union ? [[media, rulesOfUnion(union as IgnoringUnion)] as const] : [],
  )
  return new Map(found)
}

function rulesOfUnion(union: IgnoringUnion): Rules {
  const variants = union.oneOf.flatMap((variant) => {
    const names = new Set(Object.keys(variant.properties))
    return tagsOf(union, variant).map((tag) => [tag, names] as const)
  })
  return {
    tag: union.discriminator.propertyName,
    ignored: new Set(union[IGNORED_FIELDS]),
    ownOf: new Map(variants),
    own: new Set(variants.flatMap(([, names]) => [...names])),
  }
}

function withoutIgnored(body: unknown, { tag, ignored, ownOf, own }: Rules): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const known = ownOf.get((body as Record<string, unknown>)[tag]) ?? own
  const entries = Object.entries(body)
  const kept = entries.filter(([name]) => known.has(name) || !ignored.has(name))
  return kept.length < entries.length ? Object.fromEntries(kept) : body
}
