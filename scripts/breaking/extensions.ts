// What the extensions of the document promise to clients: a table of rules, and the rate limits.
import { SECOND_FACTOR } from '../generate/document/words.ts'
import { isNode, type Node, type Part } from './json.ts'
import { sharedOperations, type Break, type Documents, type Pair } from './operations.ts'
import { requestSchemas } from './schemas.ts'

type Rule = Readonly<{
  /** The names of the extension, past and present */
  names: RegExp
  rule: string
  /** Whether the change of the value breaks clients. A missing extension is undefined. */
  isBreaking(before: unknown, after: unknown): boolean
  message(before: unknown, after: unknown): string
}>

const RATE_LIMITS = 'x-tawthiq-rate-limits'

const SCHEMA_RULES: readonly Rule[] = [
  {
    names: /^x-.*megabytes/,
    rule: 'file-limit-lowered',
    isBreaking: isLowered,
    message: (before, after) =>
      `The maximum size of the file changed from ${megabytes(before)} to ${megabytes(after)}.`,
  },
  {
    names: /^x-tawthiq-visible$/,
    rule: 'text-must-be-visible',
    isBreaking: isAdded,
    message: () => 'A text without visible characters is no longer accepted.',
  },
  {
    names: /^x-tawthiq-clearable$/,
    rule: 'field-not-clearable',
    isBreaking: (before, after) => isAdded(after, before),
    message: () => 'An empty value no longer clears the field.',
  },
]

const OPERATION_RULES: readonly Rule[] = [
  {
    names: /^x-tawthiq-requires-administrator$/,
    rule: 'administrator-required',
    isBreaking: isAdded,
    message: () => 'The operation is for administrators only now.',
  },
  {
    names: /^x-tawthiq-requires-recent-authentication$/,
    rule: 'recent-authentication-required',
    isBreaking: (before, after) => isLowered(secondsOf(before), secondsOf(after)),
    message: (before, after) =>
      `The period of recent authentication changed from ${seconds(before)} to ${seconds(after)}.`,
  },
]

/** Returns the extensions of requests and operations that now accept less. */
export function narrowedExtensions(documents: Documents): Break[] {
  return [
    ...requestSchemas(documents).flatMap((schema) => applyTo(schema, SCHEMA_RULES)),
    ...sharedOperations(documents).flatMap((operation) => applyTo(operation, OPERATION_RULES)),
    ...loweredRateLimits(documents),
  ]
}

function applyTo({ released, current }: Pair, rules: readonly Rule[]): Break[] {
  return rules.flatMap(({ names, rule, isBreaking, message }) => {
    const valueIn = ({ node }: Part): unknown => Object.entries(node).find(([name]) => names.test(name))?.[1]
    const [before, after] = [valueIn(released), valueIn(current)]
    return isBreaking(before, after) ? [{ rule, location: current.pointer, message: message(before, after) }] : []
  })
}

function isLowered(before: unknown, after: unknown): boolean {
  return Number(after ?? Infinity) < Number(before ?? Infinity)
}

function isAdded(before: unknown, after: unknown): boolean {
  return after === true && before !== true
}

function megabytes(limit: unknown): string {
  return typeof limit === 'number' ? `${limit} MB` : 'no limit'
}

/** A rule for accounts with a second factor adds nothing for others, and a client that cannot prove one has no such account. */
function secondsOf(rule: unknown): unknown {
  const isForAll = isNode(rule) && String(rule['when']) !== SECOND_FACTOR
  return isForAll ? rule['seconds'] : undefined
}

function seconds(rule: unknown): string {
  return isNode(rule) ? `${Number(rule['seconds'])} s` : 'no limit'
}

/** Returns the rate limits that accept fewer requests than before. Releases before 0.3.0 do not list their limits. */
function loweredRateLimits({ released, current }: Documents): Break[] {
  const [before, after] = [released[RATE_LIMITS], current[RATE_LIMITS]]
  if (!isNode(before) || !isNode(after)) return []
  return Object.entries(after).flatMap(([name, limit]) => {
    const known = before[name]
    const location = `#/${RATE_LIMITS}/${name}`
    if (!isNode(known) || !isNode(limit))
      return [{ rule: 'rate-limit-added', location, message: `The rate limit \`${name}\` is new.` }]
    if (!isLower(known, limit)) return []
    const message = `The rate limit \`${name}\` changed from ${describe(known)} to ${describe(limit)}.`
    return [{ rule: 'rate-limit-lowered', location, message }]
  })
}

/** A longer window with the same limit accepts fewer requests, and so does a longer delay. */
function isLower(before: Node, after: Node): boolean {
  const rate = ({ limit, window_seconds: seconds }: Node): number => Number(limit) / Number(seconds)
  const known = delaysOf(before)
  const isDelayed = delaysOf(after).some((delay, at) => delay > (known[at] ?? known.at(-1) ?? 0))
  return Number(after['limit']) < Number(before['limit']) || rate(after) < rate(before) || isDelayed
}

function delaysOf({ delays_seconds: delays }: Node): number[] {
  return Array.isArray(delays) ? delays.map(Number) : []
}

function describe({ limit, window_seconds: seconds, delays_seconds: delays }: Node): string {
  if (Array.isArray(delays)) return `delays of ${delays.join(', ')} s`
  return `${String(limit)} in ${String(seconds)} s`
}
