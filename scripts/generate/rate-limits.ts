// The rate limits of openapi/rate-limits.yaml: the tables in the descriptions of operations, the policies of the code, and
// the items of `GET /api/v1/meta/limits`.
import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import type { Language } from '../../src/messages/index.ts'
import { fillIn, type Limits } from './document/limits.ts'
import { isToken, listOperations, listRoutes, mapMembers, takesToken, type Document } from './document/openapi.ts'
import { SECONDS, WORDS, type Unit } from './document/words.ts'
import { markdownTable } from './markdown.ts'
import { literal } from './types.ts'

/** People who make an honest request while a stranger has used up a limit */
const ACTORS = {
  same_network: 'Another person in the network of the stranger',
  elsewhere: 'Another person in another network',
  owner_known: 'The owner in a known network: that of the stranger if the limit counts networks',
  owner_unknown: 'The owner in an unknown network',
  new_user: 'A person without an account, in the network of the stranger',
  challenge: 'The same with a solved challenge',
} as const

export type Actor = keyof typeof ACTORS

type Effect = Readonly<{ en: string; per: readonly string[]; rejects: readonly Actor[]; harm: string }>

type Window = { minutes: number } | { hours: number } | { days: number }

type Shown = Readonly<
  Record<Language, string> & {
    operations: string[]
    also?: string[]
    /** Whether operations with an access token count towards it */
    authenticated?: true
    counts: 'requests' | 'failures'
    per: string[]
    error?: string
    hidden?: true
  }
>

type Counter = Readonly<{ limit: number; window: Window; fails_closed?: true }>
type Delays = Readonly<{ delays: number[] }>
type Silent = Counter & { silent: true }

export type RateLimits = Readonly<{
  counters: Record<string, Effect & ((Shown & Counter) | Silent)>
  codes: Record<string, Effect & Shown & (Counter | Delays)>
}>

const PLACEHOLDER = '{{rate_limits}}'

export async function readRateLimits(limits: Limits, folder = 'openapi'): Promise<RateLimits> {
  return fillIn(parse(await readFile(`${folder}/rate-limits.yaml`, 'utf8')), limits) as RateLimits
}

/** Replaces the placeholder in the description of each operation by the table of its limits, and lists all limits for tools. */
export function writeOutRateLimits(document: Document, rateLimits: RateLimits, language: Language): void {
  const shown = listShown(rateLimits)
  document['x-tawthiq-rate-limits'] = mapMembers(shown, toAmounts)
  for (const { method, operation } of listRoutes(document)) {
    const { operationId, description = '' } = operation
    const own = Object.values(shown).filter(({ operations }) => operations.includes(operationId))
    if (own.length > 0 !== description.includes(PLACEHOLDER))
      throw new Error(`${operationId} needs ${PLACEHOLDER} and a limit in openapi/rate-limits.yaml, or none of them`)
    const isPublic = operation.security?.every((each) => !isToken(each)) ?? false
    const isFree = method === 'get' && isPublic && !('429' in operation.responses)
    const stated = isFree ? description.replace(/$/m, `\n${WORDS[language].notLimited}`) : description
    operation.description = stated.replace(PLACEHOLDER, () => renderTable(own, language))
  }
}

/** Renders limits as a table. Limits of the same requests have one row. */
function renderTable(limits: readonly (Shown & (Counter | Delays))[], language: Language): string {
  const hasErrors = limits.some(({ error }) => error !== undefined)
  const rows = new Map<string, { error: string; values: string[] }>()
  for (const limit of limits) {
    const { error = 'rate_limited' } = limit
    const key = `${limit[language]} ${error}`
    const row = rows.get(key) ?? { error, values: [] }
    rows.set(key, { ...row, values: [...row.values, renderValue(limit, language)] })
  }
  const cells = [...rows].map(([key, { error, values }]) => {
    const subject = key.slice(0, -error.length - 1)
    return [subject, values.join(language === 'ar' ? '، ' : ', '), ...(hasErrors ? [`\`${error}\``] : [])]
  })
  const head = WORDS[language].limitsHead.slice(0, hasErrors ? 3 : 2)
  const lines = [`| ${head.join(' | ')} |`, `|${'---|'.repeat(head.length)}`]
  return [...lines, ...cells.map((row) => `| ${row.join(' | ')} |`)].join('\n')
}

function renderValue(limit: Counter | Delays, language: Language): string {
  if ('delays' in limit) return WORDS[language].delays(limit.delays)
  const [[units, count] = ['', 0]] = Object.entries(limit.window)
  return WORDS[language].quota(limit.limit, count, units.slice(0, -1) as Unit)
}

/** Renders the policies that the code counts by, and the lists of `GET /api/v1/meta/limits` in both languages. */
export function renderRateLimits(document: Document, rateLimits: RateLimits): string {
  const policies = mapMembers(rateLimits.counters, (limit, name) => ({
    name,
    points: limit.limit,
    seconds: toSeconds(limit.window),
    ...(limit.fails_closed && { failsClosed: true }),
    ...('hidden' in limit && { isHidden: true }),
  }))
  const toList = (language: Language): object => ({ items: toItems(document, rateLimits, language), next_cursor: null })
  const type = "Record<'ar' | 'en', components['schemas']['RateLimitList']>"
  return `import type { components } from './types.ts'

export const RATE_LIMITS = ${literal(policies)} as const

export const RATE_LIMIT_LISTS: ${type} = ${literal({ ar: toList('ar'), en: toList('en') })}
`
}

/** Renders who is served while a stranger has used up a limit, for docs/security.md. */
export function renderEffects({ counters, codes }: RateLimits): string {
  const actors = Object.entries(ACTORS)
  const rows = Object.entries({ ...counters, ...codes }).map(([name, { en, per, rejects, harm }]) => {
    const served = actors.map(([actor]) => (rejects.includes(actor as Actor) ? '' : 'yes'))
    return [`\`${name}\``, en, per.join(', '), ...served, harm]
  })
  const letters = actors.map((_, at) => String.fromCharCode(65 + at))
  const people = actors.map(([, text], at) => [letters[at] ?? '', text])
  const head = ['Limit', 'Counts', 'Per', ...letters, 'A stranger can at most']
  return `${markdownTable(['', 'Who'], people)}\n\n${markdownTable(head, rows)}`
}

function toItems(document: Document, rateLimits: RateLimits, language: Language): object[] {
  const all = listOperations(document)
  return Object.entries(listShown(rateLimits)).map(([name, limit]) => {
    const known = new Set([...limit.operations, ...(limit.also ?? [])])
    const operations = all.filter(
      (operation) => known.has(operation.operationId) || (limit.authenticated && takesToken(document, operation)),
    )
    const unknown = [...known].filter((id) => !all.some(({ operationId }) => operationId === id))
    if (unknown.length > 0) throw new Error(`openapi/rate-limits.yaml names unknown operations: ${unknown.join(', ')}`)
    return {
      name,
      description: limit[language],
      operations: operations.map(({ operationId }) => operationId),
      counts: limit.counts,
      per: limit.per,
      ...toAmounts(limit),
      error_code: limit.error ?? 'rate_limited',
      reported: name in rateLimits.counters && !limit.hidden,
    }
  })
}

function toAmounts(limit: Counter | Delays): object {
  if (!('delays' in limit)) return { limit: limit.limit, window_seconds: toSeconds(limit.window) }
  return { limit: 1, window_seconds: limit.delays[0], delays_seconds: limit.delays }
}

function listShown({ counters, codes }: RateLimits): Record<string, Shown & (Counter | Delays)> {
  const shown = Object.entries(counters).flatMap(([name, limit]) => ('silent' in limit ? [] : [[name, limit] as const]))
  const twice = shown.filter(([name]) => name in codes).map(([name]) => name)
  if (twice.length > 0) throw new Error(`limits that are both a counter and of codes: ${twice.join(', ')}`)
  return { ...Object.fromEntries(shown), ...codes }
}

function toSeconds(window: Window): number {
  return Object.entries(window).reduce((sum, [unit, count]) => sum + SECONDS[unit.slice(0, -1) as Unit] * count, 0)
}
