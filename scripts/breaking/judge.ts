import { filterMembers, mapMembers } from '../generate/document/openapi.ts'
import { changedNames } from './client-names.ts'
import { narrowedFileTypes, removedFields } from './closed-objects.ts'
import { changedConditions } from './conditions.ts'
import { listChanges, type Change } from './diff.ts'
import { narrowedExtensions } from './extensions.ts'
import { asNode, isNode, nodeAt, unescapeName, type Node } from './json.ts'
import type { Break, Documents } from './operations.ts'
import { removedErrorCodes, removedValues } from './removed-codes.ts'

/** Clients must ignore values that they do not know, as they must ignore members. */
const TOLERATED = ['enum-values-added']
/** Clients must accept longer texts and lists. A request that accepts them breaks no client either. */
const UPPER_LIMITS = ['maxLength', 'maxItems', 'maxProperties', 'maximum']
/** conditions.ts judges the conditions of requests. */
const IN_CONDITION = /\/requestBody\/.*(?<!\/properties)\/(if|then|else|not|dependentSchemas|dependentRequired)(\/|$)/

/** What the diff does not judge, or judges by its form */
const RULES: readonly ((documents: Documents) => Break[])[] = [
  changedConditions,
  removedFields,
  removedErrorCodes,
  removedValues,
  narrowedExtensions,
  narrowedFileTypes,
  changedNames,
]

export type Judgement = Readonly<{ breaks: Break[]; changes: Change[] }>

/** Compares a document with the released one. `today` decides whether the sunset of a removed operation has passed. */
export async function judge({ released, current }: Documents, today: Date): Promise<Judgement> {
  const documents = { released: withoutDueRemovals({ released, current }, today), current }
  const changes = await listChanges(documents)
  const found = [
    ...changes.filter((change) => !isTolerated(current, change)).flatMap(breaksIn),
    ...RULES.flatMap((rule) => rule(documents)),
  ]
  const breaks = [...new Map(found.map((each) => [`${each.rule} ${each.location}`, each])).values()]
  return { breaks: breaks.sort((a, b) => a.location.localeCompare(b.location, 'en')), changes }
}

function isTolerated(current: Node, { path, kind, property = '', base, revision }: Change): boolean {
  if (IN_CONDITION.test(path)) return true
  if (kind === 'modified') return UPPER_LIMITS.includes(property) && !(Number(revision?.value) < Number(base?.value))
  return kind === 'added' && isVariant(current, revision?.pointer ?? '')
}

/** Clients tell the variants of a union by its discriminator, whose values can be added like those of an enumeration. */
function isVariant(current: Node, pointer: string): boolean {
  const union = /^(.*)\/(?:oneOf|anyOf)\/[0-9]+$/.exec(pointer)?.[1]
  return union !== undefined && isNode(nodeAt(current, union)['discriminator'])
}

function breaksIn({ path, verdicts }: Change): Break[] {
  return verdicts
    .filter(({ ruleId, impact }) => impact === 'major' && !TOLERATED.includes(ruleId))
    .map(({ ruleId, message, location }) => ({ rule: ruleId, location: location.pointer, message, use: useOf(path) }))
}

/** Describes where clients meet a part: `response 200 of GET /api/v1/auth/sessions`. */
function useOf(path: string): string {
  const [, root = '', name = '', method = '', part = '', detail = ''] = path.split('/').map(unescapeName)
  if (root === 'webhooks') return `webhook ${name}`
  if (root !== 'paths') return path
  const operation = `${method.toUpperCase()} ${name}`.trim()
  if (part === 'responses') return `response ${detail} of ${operation}`
  if (part === 'requestBody') return `request of ${operation}`
  return operation
}

/** Returns the released document without the removed operations whose sunset has passed. */
export function withoutDueRemovals({ released, current }: Documents, today: Date): Node {
  const paths = mapMembers(asNode(released['paths']), (item, path) => {
    const present = asNode(asNode(current['paths'])[path])
    return filterMembers(asNode(item), (method, operation) => isNode(present[method]) || !isPast(operation, today))
  })
  return { ...released, paths: filterMembers(paths, (_, item) => Object.keys(item).length > 0) }
}

function isPast(operation: unknown, today: Date): boolean {
  const { deprecated, 'x-tawthiq-sunset': sunset } = asNode(operation)
  return deprecated === true && typeof sunset === 'string' && new Date(sunset) < today
}
