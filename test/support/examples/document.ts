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
}>

type Place = 'path' | 'query' | 'header'
type Reference = { $ref: string }
type Examples = Record<string, { value: unknown }>
type Parameter = { in: Place; name: string; required?: boolean; examples?: Examples }
type Media = { examples?: Examples; encoding?: Record<string, { contentType?: string }> }
type Operation = {
  operationId: OperationId
  security?: object[]
  parameters?: (Parameter | Reference)[]
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
    parameters: (operation.parameters ?? []).map(resolve),
    content: operation.requestBody ? resolve(operation.requestBody).content : {},
  })),
)

/**
 * Returns a request for each example of a body or parameter. Required parameters have their first example. Operations
 * that change data are not repeated for their other parameters.
 */
export function requestExamples(): Example[] {
  return operations.flatMap(({ operation, method, path, parameters, content }) => {
    const { operationId: id, security } = operation
    const isTokenOptional = security?.some((each) => Object.keys(each).length === 0) ?? false
    const isSecured = security === undefined || security.length > 0
    const common = { id, method, path, isSecured, isTokenOptional }
    const choices = parameterChoices(method, parameters)
    const bodies = bodiesOf(content)
    return bodies.flatMap(({ bodyName, ...body }) =>
      choices.map(({ choiceName, chosen }) => ({
        ...common,
        ...body,
        parameters: chosen,
        name: [bodyName, choiceName].filter(Boolean).join(' '),
      })),
    )
  })
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

type Choice = { choiceName: string; chosen: Example['parameters'] }

function parameterChoices(method: string, parameters: readonly Parameter[]): Choice[] {
  const needed = parameters.filter(({ required }) => required)
  const optional = parameters.filter(({ required }) => !required)
  if (method !== 'GET') return [{ choiceName: '', chosen: chosenOf(needed.map(firstOf)) }]
  const each = parameters.flatMap((parameter) =>
    Object.entries(parameter.examples ?? {}).map(([name, { value }]) => {
      const others = needed.filter((other) => other !== parameter).map(firstOf)
      return { choiceName: `${parameter.name} ${name}`, chosen: chosenOf([...others, { ...parameter, value }]) }
    }),
  )
  const all = { choiceName: 'with every parameter', chosen: chosenOf([...needed, ...optional].map(firstOf)) }
  return [...each, all]
}

function firstOf(parameter: Parameter): Parameter & { value: unknown } {
  return { ...parameter, value: Object.values(parameter.examples ?? {})[0]?.value }
}

function chosenOf(parameters: readonly (Parameter & { value: unknown })[]): Example['parameters'] {
  const at = (place: Place): Record<string, Value> =>
    Object.fromEntries(parameters.filter((each) => each.in === place).map(({ name, value }) => [name, value as Value]))
  return { path: at('path'), query: at('query'), header: at('header') }
}

function resolve<Part extends object>(part: Part | Reference): Part {
  if (!('$ref' in part)) return part
  const names = part.$ref.split('/').slice(1)
  return names.reduce<unknown>((node, name) => (node as Record<string, unknown>)[name], document) as Part
}
