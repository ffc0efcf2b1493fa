import { listVariants, type FuzzedOperation, type Schema } from './document.ts'
import { BOUNDARY, brokenForm, encode, mutateParts, toParts, type Part } from './forms.ts'
import { brokenJson, hostileValue } from './hostile.ts'
import { mutate } from './mutate.ts'
import { generateValue, type Sampling } from './values.ts'

/** `json` and `parts` are there where the bytes mean something that a schema can judge. */
export type Body = Readonly<{
  type: string | undefined
  bytes: Buffer | undefined
  json?: unknown
  parts?: readonly Part[]
  /** Whether no schema could accept it */
  isBroken: boolean
}>

type Declared = FuzzedOperation['bodies'][number]

const FORM = 'multipart/form-data'
const JSON_TYPE = 'application/json'

const WRONG_MEDIA_SHARE = 0.06
const BROKEN_SHARE = 0.12
const UNCHANGED_SHARE = 0.3
const EXAMPLE_SHARE = 0.5
const NEW_IDENTITY_SHARE = 0.8

const OTHER_TYPES = [
  ...['text/plain', 'application/x-www-form-urlencoded'],
  // JSON with a character set, in a list, or of another kind
  ...['application/json; charset=utf-16', 'application/json; charset=latin1', 'APPLICATION/JSON;charset=UTF-8'],
  ...['application/json, text/plain', 'application/problem+json', 'application/xml'],
  // forms without a boundary, or with a wrong one
  ...['multipart/form-data', 'multipart/form-data; boundary=', 'multipart/form-data; boundary="'],
  ...[`multipart/form-data; boundary=${'b'.repeat(300)}`, `multipart/mixed; boundary=${BOUNDARY}`],
  // no media types
  ...['/', ';', 'x'.repeat(1000)],
]

export function generateBody({ bodies }: FuzzedOperation, sampling: Sampling): Body {
  const { random } = sampling
  if (bodies.length === 0) {
    if (random.chance(0.9)) return { type: undefined, bytes: undefined, isBroken: false }
    const unwanted = Buffer.from(JSON.stringify(hostileValue(random)))
    return { type: random.pick([JSON_TYPE, ...OTHER_TYPES]), bytes: unwanted, isBroken: false }
  }
  const declared = random.pick(bodies)
  const body = declared.media === FORM ? formBody(declared, sampling) : jsonBody(declared, sampling)
  if (!random.chance(WRONG_MEDIA_SHARE)) return body
  return { type: random.chance(0.15) ? undefined : random.pick(OTHER_TYPES), bytes: body.bytes, isBroken: false }
}

function jsonBody(declared: Declared, sampling: Sampling): Body {
  const { random } = sampling
  const names = listNames(declared.schema)
  let json: unknown = generateSample(declared, sampling)
  while (!random.chance(UNCHANGED_SHARE)) json = mutate(json, names, random)
  const text = JSON.stringify(json)
  if (!random.chance(BROKEN_SHARE))
    return { type: JSON_TYPE, bytes: Buffer.from(text), json: JSON.parse(text) as unknown, isBroken: false }
  const bytes = brokenJson(text, random)
  return { type: JSON_TYPE, bytes, isBroken: !isCleanObject(bytes) }
}

const AMBIGUOUS = /^\{"(__proto__|constructor)"|^\{("[^"]*"):null,\2:/

/** Some attempts to break JSON leave it whole. */
function isCleanObject(bytes: Buffer): boolean {
  const text = bytes.toString().replace(/^\ufeff/, '') // which readers may skip
  if (AMBIGUOUS.test(text)) return false
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

function formBody(declared: Declared, sampling: Sampling): Body {
  const { random } = sampling
  const names = listNames(declared.schema)
  const object = generateSample(declared, sampling)
  const variants = listVariants(declared.schema)
  const files = names.filter((name) => variants.some(({ properties }) => properties?.[name]?.format === 'binary'))
  let parts = toParts(object, files, random)
  while (!random.chance(UNCHANGED_SHARE)) parts = mutateParts(parts, names, random)
  const type = `${FORM}; boundary=${BOUNDARY}`
  if (random.chance(BROKEN_SHARE)) return { type, bytes: brokenForm(parts, random), isBroken: false }
  return { type, bytes: encode(parts), parts, isBroken: false }
}

/** An object that the schema accepts, most of the time. */
function generateSample({ schema, examples }: Declared, sampling: Sampling): Record<string, unknown> {
  const { random, known } = sampling
  const useExample = examples.length > 0 && random.chance(EXAMPLE_SHARE)
  const sample = useExample ? random.pick(examples) : generateValue(schema, '', sampling)
  if (typeof sample !== 'object' || sample === null) return {}
  const entries = Object.entries(sample).map(
    ([name, value]: [string, unknown]) => [name, known(name) ?? value] as const,
  )
  const whole = Object.fromEntries(random.chance(0.7) ? entries : Object.entries(sample)) as Record<string, unknown>
  if (!('email' in whole && 'phone' in whole && random.chance(NEW_IDENTITY_SHARE))) return whole
  const number = random.int(0, 99_999_999)
  const email = `fuzz-${number}-${random.int(0, 1e9)}@example.org`
  // an unused number, of a country whose numbers need no code
  return { ...whole, email, phone_code: '20', phone: `010${String(number).padStart(8, '0')}` }
}

function listNames(schema: Schema): string[] {
  return [...new Set(listVariants(schema).flatMap(({ properties = {} }) => Object.keys(properties)))]
}
