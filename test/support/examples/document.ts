// The request examples of the published document.
import { readFileSync } from 'node:fs'
import type { OperationId } from '../../../src/contract/operation.ts'

export type Value = string | number

export type Example = Readonly<{
  id: OperationId
  method: string
  path: string
  isSecured: boolean
  /** Whether the operation can be called without a token too */
  isTokenOptional: boolean
  /** The media type of the body; undefined: there is no body */
  media: string | undefined
  body: Readonly<Record<string, unknown>> | undefined
  /** The media types of the fields that are files */
  files: Readonly<Record<string, readonly string[]>>
  /** The parameters that are sent, by place and name */
  parameters: Readonly<Record<Place, Readonly<Record<string, Value>>>>
  /** The name of the example in the document */
  name: string
  /** The examples of the document that the request contains, see `listExamples` */
  sends: readonly string[]
}>

type Place = 'path' | 'query' | 'header'
type Reference = { $ref: string }
type Examples = Record<string, { value: unknown }>
type Parameter = { in: Place; name: string; required?: boolean; examples?: Examples; origin: string }
type Media = { examples?: Examples; encoding?: Record<string, { contentType?: string }> }
type Operation = {
  operationId: OperationId
  security?: object[]
  parameters?: (Omit<Parameter, 'origin'> | Reference)[]
  requestBody?: { content: Record<string, Media> } | Reference
}
type Document = { paths: Record<string, Record<string, Operation>> }

const FILE = new URL('../../../../generated/openapi.json', import.meta.url)
const document = JSON.parse(readFileSync(FILE, 'utf8')) as Document

/** All operations in the order of the document, with the parts of their requests. */
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    path,
    method: method.toUpperCase(),
    operation,
    parameters: (operation.parameters ?? []).map((parameter) => ({
      ...resolve(parameter),
      origin: '$ref' in parameter ? parameter.$ref : operation.operationId,
    })),
    content: operation.requestBody ? resolve(operation.requestBody).content : {},
  })),
)

/**
 * Returns a request for each example of a body or parameter. Operations that change data are not repeated for each
 * parameter: the examples of a parameter take turns.
 */
export function requestExamples(): Example[] {
  let turn = 0
  return operations.flatMap(({ operation, method, path, parameters, content }) => {
    const { operationId: id, security } = operation
    const isTokenOptional = security?.some((each) => Object.keys(each).length === 0) ?? false
    const isSecured = security === undefined || security.length > 0
    const common = { id, method, path, isSecured, isTokenOptional }
    return bodiesOf(content).flatMap(({ bodyName, ...body }) =>
      parameterChoices(method, parameters, turn++).map(({ choiceName, chosen }) => ({
        ...common,
        ...body,
        parameters: placed(chosen),
        name: [bodyName, choiceName].filter(Boolean).join(' '),
        sends: [...(bodyName === '' ? [] : [`${id} ${bodyName}`]), ...chosen.map(({ key }) => key)],
      })),
    )
  })
}

/** Returns all examples of requests. An example of a shared parameter is returned once. */
export function listExamples(): string[] {
  const keys = operations.flatMap(({ operation, parameters, content }) => [
    ...parameters.flatMap((parameter) => chosenExamples(parameter).map(({ key }) => key)),
    ...bodiesOf(content).flatMap(({ bodyName }) => (bodyName === '' ? [] : [`${operation.operationId} ${bodyName}`])),
  ])
  return [...new Set(keys)]
}

/** Returns the bodies and parameters without an example. */
export function missingExamples(): string[] {
  return operations.flatMap(({ operation, parameters, content }) => [
    ...parameters.filter(({ examples }) => !examples).map(({ name }) => `${operation.operationId} ${name}`),
    ...Object.entries(content)
      .filter(([, { examples }]) => !examples)
      .map(([media]) => `${operation.operationId} ${media}`),
  ])
}

function bodiesOf(
  content: Record<string, Media>,
): (Pick<Example, 'media' | 'body' | 'files'> & { bodyName: string })[] {
  const bodies = Object.entries(content).flatMap(([media, { examples = {}, encoding = {} }]) =>
    Object.entries(examples).map(([name, { value }]) => ({
      media,
      body: value as Record<string, unknown>,
      files: filesOf(encoding),
      bodyName: `${media} ${name}`,
    })),
  )
  return bodies.length > 0 ? bodies : [{ media: undefined, body: undefined, files: {}, bodyName: '' }]
}

function filesOf(encoding: Record<string, { contentType?: string }>): Record<string, string[]> {
  const types = Object.entries(encoding).map(
    ([name, { contentType = '' }]) => [name, contentType.split(/, */)] as const,
  )
  return Object.fromEntries(types.filter(([, [first]]) => /^(image|application\/pdf)/.test(first ?? '')))
}

type Chosen = Parameter & { value: unknown; exampleName: string; key: string }
type Choice = { choiceName: string; chosen: Chosen[] }

function parameterChoices(method: string, parameters: readonly Parameter[], turn: number): Choice[] {
  const needed = parameters.filter(({ required }) => required)
  const optional = parameters.filter(({ required }) => !required)
  const all = [...needed.map((each) => inTurn(each, 0)), ...optional.map((each) => inTurn(each, turn))].flat()
  if (method !== 'GET') return [{ choiceName: '', chosen: all }]
  const each = parameters.flatMap((parameter) =>
    chosenExamples(parameter).map((chosen) => {
      const others = needed.filter((other) => other !== parameter).flatMap((other) => inTurn(other, 0))
      return { choiceName: `${parameter.name} ${chosen.exampleName}`, chosen: [...others, chosen] }
    }),
  )
  return [...each, { choiceName: 'with every parameter', chosen: all }]
}

function chosenExamples(parameter: Parameter): Chosen[] {
  const { examples = {}, origin, name } = parameter
  return Object.entries(examples).map(([exampleName, { value }]) => {
    return { ...parameter, value, exampleName, key: `${origin} ${name} ${exampleName}` }
  })
}

function inTurn(parameter: Parameter, turn: number): Chosen[] {
  const examples = chosenExamples(parameter)
  return examples.slice(turn % examples.length).slice(0, 1)
}

function placed(parameters: readonly Chosen[]): Example['parameters'] {
  const at = (place: Place): Record<string, Value> =>
    Object.fromEntries(parameters.filter((each) => each.in === place).map(({ name, value }) => [name, value as Value]))
  return { path: at('path'), query: at('query'), header: at('header') }
}

function resolve<Part extends object>(part: Part | Reference): Part {
  if (!('$ref' in part)) return part
  const names = part.$ref.split('/').slice(1)
  return names.reduce<unknown>((node, name) => (node as Record<string, unknown>)[name], document) as Part
}
