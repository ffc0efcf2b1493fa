// Generates values that a schema mostly accepts, as the basis of mutations.
import { listTypes, listVariants, type Schema } from './document.ts'
import { hostileText } from './hostile.ts'
import type { Random } from './random.ts'

/** Values that the service itself has given away, by the name of a field */
export type Known = (name: string) => unknown

export type Sampling = { random: Random; known: Known }

const OPTIONAL_SHARE = 0.5
const KNOWN_SHARE = 0.6

/** A value for a field of that name: one that the service knows, an example, a bound, or anything of the type. */
export function generateValue(schema: Schema, name: string, sampling: Sampling): unknown {
  const { random, known } = sampling
  const live = known(name)
  if (live !== undefined && random.chance(KNOWN_SHARE)) return live
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return random.pick(schema.enum)
  if (schema.examples && random.chance(0.7)) return random.pick(schema.examples)
  const variants = listVariants(schema)
  if (variants.length > 1) return generateValue(random.pick(variants), name, sampling)
  const [variant = schema] = variants
  const types = listTypes(variant)
  return GENERATORS[random.pick(types.length > 0 ? types : ['string'])]?.(variant, sampling)
}

const GENERATORS: Readonly<Record<string, (schema: Schema, sampling: Sampling) => unknown>> = {
  object: generateObject,
  array: generateList,
  integer: ({ minimum = -1, maximum = 100 }, { random }) =>
    random.pick([minimum, minimum - 1, maximum, maximum + 1, random.int(1, 5), random.int(1, 1000)]),
  number: ({ minimum = -1, maximum = 1 }, { random }) => random.pick([minimum, maximum, (random.next() - 0.5) * 90]),
  boolean: (_schema, { random }) => random.chance(0.5),
  null: () => null,
  string: generateText,
}

function generateObject(schema: Schema, sampling: Sampling): Record<string, unknown> {
  const { random } = sampling
  const { properties = {}, required = [], additionalProperties } = schema
  const chosen = Object.entries(properties).filter(([name]) => required.includes(name) || random.chance(OPTIONAL_SHARE))
  const members = chosen.map(([name, member]) => [name, generateValue(member, name, sampling)] as const)
  const more =
    typeof additionalProperties === 'object' ? [['101', generateValue(additionalProperties, '', sampling)]] : []
  return Object.fromEntries([...members, ...more]) as Record<string, unknown>
}

function generateList(schema: Schema, sampling: Sampling): unknown[] {
  const { random } = sampling
  const { items = {}, minItems = 0, maxItems = 3 } = schema
  const length = random.pick([minItems, minItems + 1, Math.min(maxItems, minItems + 3), maxItems + 1])
  return Array.from({ length: Math.min(length, 200) }, () => generateValue(items, '', sampling))
}

function generateText({ minLength = 0, maxLength = 40, format }: Schema, { random }: Sampling): string {
  if (format === 'uuid') return '0199a3c4-5b6d-4e7f-8a9b-0c1d2e3f4a5b'
  if (format === 'date-time') return new Date(random.int(0, 2 ** 31) * 1000).toISOString()
  if (format === 'idn-email') return `fuzz-${random.int(1, 1e9)}@example.org`
  const length = random.pick([minLength, minLength - 1, maxLength, maxLength + 1, 8])
  if (random.chance(0.2)) return hostileText(random)
  return random.pick(['a', '7', 'س']).repeat(Math.min(Math.max(length, 0), 3000))
}
