import type { Break } from './break.ts'
import { changedConditions } from './conditions.ts'
import { listChanges, type Change } from './diff.ts'
import { removedErrorCodes } from './error-codes.ts'
import { loweredFileLimits } from './file-limits.ts'
import { unescapeName } from './json.ts'
import type { Documents } from './operations.ts'
import { withoutDueRemovals } from './sunset.ts'

/** Clients must ignore values that they do not know, as they must ignore members. */
const TOLERATED = ['enum-values-added']
/** conditions.ts judges the conditions of requests. */
const IN_CONDITION = /\/requestBody\/.*(?<!\/properties)\/(if|then|else|not|dependentSchemas|dependentRequired)(\/|$)/

export type Judgement = Readonly<{ breaks: Break[]; changes: Change[] }>

/**
 * Compares a document with the released one.
 *
 * @param today the date that decides whether the sunset of a removed operation has passed
 */
export async function judge({ released, current }: Documents, today: Date): Promise<Judgement> {
  const documents = { released: withoutDueRemovals({ released, current }, today), current }
  const changes = await listChanges(documents)
  const breaks = [
    ...changes.flatMap(breaksIn),
    ...changedConditions(documents),
    ...removedErrorCodes(documents),
    ...loweredFileLimits(documents),
  ]
  return { breaks: breaks.sort((a, b) => a.location.localeCompare(b.location, 'en')), changes }
}

function breaksIn({ path, verdicts }: Change): Break[] {
  if (IN_CONDITION.test(path)) return []
  return verdicts
    .filter(({ ruleId, impact }) => impact === 'major' && !TOLERATED.includes(ruleId))
    .map(({ ruleId, message, location }) => ({ rule: ruleId, location: location.pointer, message, use: useOf(path) }))
}

/** Describes where clients meet a part: `response 200 of GET /api/v1/auth/sessions`. */
function useOf(path: string): string {
  const [, root = '', name = '', method = '', part = '', detail = ''] = path.split('/').map(unescapeName)
  if (root === 'webhooks') return `webhook ${name}`
  if (root !== 'paths') return path
  const operation = [method.toUpperCase(), name].filter(Boolean).join(' ')
  if (part === 'responses') return `response ${detail} of ${operation}`
  if (part === 'requestBody') return `request of ${operation}`
  return operation
}
