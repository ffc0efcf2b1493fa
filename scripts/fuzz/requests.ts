// A request to an operation of the document, with a body, parameters and headers that may be wrong.
import { generateBody, type Body } from './bodies.ts'
import { fuzzedOperations, type FuzzedOperation, type Parameter } from './document.ts'
import { HEADERS, hostileText } from './hostile.ts'
import { generateValue, type Known, type Sampling } from './values.ts'
import type { Random } from './random.ts'

export const PERSONA_NAMES = ['anonymous', 'client', 'lawyer', 'administrator'] as const
export type PersonaName = (typeof PERSONA_NAMES)[number]

export type GivenParameter = Readonly<{ parameter: Parameter; value: string }> | Readonly<{ unknown: string }>

type Recipe = Readonly<{
  operation: FuzzedOperation
  who: PersonaName
  body: Body
  parameters: readonly GivenParameter[]
  headers: Readonly<Record<string, string>>
}>

export type FuzzedRequest = Pick<Recipe, 'operation' | 'who' | 'headers'> &
  Readonly<{
    method: string
    /** With the query */
    path: string
    body: Buffer | undefined
    /** The generated values, for judging the response */
    intended: Body & { parameters: readonly GivenParameter[] }
  }>

const HOSTILE_SHARE = 0.15
const OPTIONAL_SHARE = 0.3
const UNKNOWN_SHARE = 0.05

export function newRecipe(random: Random, known: Known): Recipe {
  const operation = random.pick(fuzzedOperations)
  const administrators = operation.path.startsWith('/api/v1/admin/')
    ? (['administrator', 'administrator'] as const)
    : []
  const who = random.pick<PersonaName>([...PERSONA_NAMES, ...administrators])
  const sampling = { random, known }
  return {
    operation,
    who,
    body: generateBody(operation, sampling),
    parameters: generateParameters(operation, sampling),
    headers: Object.fromEntries(
      Object.entries(HEADERS)
        .filter(() => random.chance(0.03))
        .map(([name, values]) => [name, random.pick(values)]),
    ),
  }
}

/** Builds the request of a recipe, with the access token `token`, from the client address `address`. */
export function buildRequest(recipe: Recipe, token: string | undefined, address: string): FuzzedRequest {
  const { operation, who, body, parameters, headers } = recipe
  const query = new URLSearchParams()
  let path = operation.path
  for (const given of parameters) {
    if ('unknown' in given) query.append(given.unknown, '1')
    else if (given.parameter.in === 'query') query.append(given.parameter.name, given.value.toWellFormed())
    else if (given.parameter.in === 'path')
      path = path.replace(`{${given.parameter.name}}`, encodeURIComponent(given.value.toWellFormed()))
  }
  const search = query.size > 0 ? `?${query.toString()}` : ''
  return {
    operation,
    who,
    method: operation.method,
    path: `${path}${search}`,
    headers: {
      'x-forwarded-for': address,
      ...(body.type !== undefined && { 'content-type': body.type }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: body.bytes,
    intended: { ...body, parameters },
  }
}

function generateParameters({ parameters }: FuzzedOperation, sampling: Sampling): GivenParameter[] {
  const { random } = sampling
  const given = parameters
    .filter((parameter) => parameter.in !== 'header')
    .filter(({ required }) => required === true || random.chance(OPTIONAL_SHARE))
    .flatMap((parameter) => {
      const one = { parameter, value: parameterValue(parameter, sampling) }
      const isTwice = parameter.in === 'query' && random.chance(UNKNOWN_SHARE)
      return isTwice ? [one, { parameter, value: parameterValue(parameter, sampling) }] : [one]
    })
  return random.chance(UNKNOWN_SHARE) ? [...given, { unknown: hostileText(random).toWellFormed() }] : given
}

function parameterValue({ name, schema, examples, ...rest }: Parameter, sampling: Sampling): string {
  const { random } = sampling
  const notEmpty = (text: string): string => (text === '' && rest.in === 'path' ? '0' : text)
  if (random.chance(HOSTILE_SHARE)) return notEmpty(hostileText(random))
  const example = examples && random.chance(0.3) ? random.pick(Object.values(examples)).value : undefined
  const value = example ?? generateValue(schema, name, sampling)
  return notEmpty(typeof value === 'string' ? value : JSON.stringify(value))
}
