// What the sources leave to the generator, because it is the same for every answer: the envelope around `data`, the
// headers, and the examples in both languages.
import type { Language, MessageKey } from '../../../src/messages/index.ts'
import { buildExamples, completeExample, fieldErrors, pickMembers, type Exemplified } from './examples.ts'
import { listOperations, ownResponses, type Document, type Example, type Response, type Schema } from './openapi.ts'
import { WORDS } from './words.ts'

const JSON_TYPE = 'application/json'

/** The name of the example of a success that has only one case */
const OK = 'ok'

export function writeOutResponses(document: Document, language: Language): void {
  const headers = document['x-tawthiq-common-headers'] ?? []
  const shared = [document.components.responses, document['x-tawthiq-of-any-path'] ?? {}].flatMap(
    Object.values<Response>,
  )
  writeOutRefusedStatuses(document)
  for (const response of shared) if (response['x-tawthiq-error-codes']) writeOutRefusal(document, response, language)
  const own = listOperations(document).flatMap((operation) => {
    const isCacheable = operation['x-tawthiq-cache-control'] !== undefined
    if (isCacheable) operation.responses['304'] = { $ref: '#/components/responses/NotModified' }
    const responses = ownResponses(operation)
    for (const [status, response] of responses) {
      if (response['x-tawthiq-error-codes']) writeOutRefusal(document, response, language)
      if (response['x-tawthiq-message'])
        writeOutSuccess(document, response, { status, id: operation.operationId, language })
      if (isCacheable && status < 300) response.headers = { ...response.headers, ETag: header('ETag') }
    }
    return responses.map(([, response]) => response)
  })
  for (const response of [...shared, ...own]) {
    response.headers = { ...response.headers, ...Object.fromEntries(headers.map((name) => [name, header(name)])) }
  }
}

/** A refusal without fields has any status but that with fields, so that programs can tell the two apart by it. */
function writeOutRefusedStatuses({ components: { schemas } }: Document): void {
  const statuses = new Set(Object.values(schemas['ErrorCode']?.['x-tawthiq-statuses'] ?? {}))
  const code = schemas['ErrorResponse']?.properties?.['code']
  Object.assign(code ?? {}, { enum: [...statuses].filter((status) => status !== 422).sort((a, b) => a - b) })
}

function writeOutRefusal(document: Document, response: Response, language: Language): void {
  const { 'x-tawthiq-error-codes': codes = [], 'x-tawthiq-field-codes': fieldCodes, headers } = response
  const status = findStatus(document, codes)
  const cases = fieldCodes ? Object.entries(fieldCodes) : codes.map((code) => [code, undefined] as const)
  const examples = cases.map(([name, fields]) => ({
    name,
    summary: name,
    status,
    message: (fields ? 'invalid_data' : name) as MessageKey,
    dataIn: (language: 'ar' | 'en') => (fields ? fieldErrors(fields, language) : null),
  }))
  response.headers = {
    'Error-Code': {
      description: WORDS[language].errorCode,
      required: true,
      schema: { ...schema('ErrorCode'), enum: codes, examples: codes.slice(0, 1) },
    },
    Link: header('Link'),
    ...((status === 429 || status === 503) && { 'Retry-After': header('Retry-After') }),
    ...(status === 401 && { 'WWW-Authenticate': header('WWW-Authenticate') }),
    ...headers,
  }
  response.content = {
    [JSON_TYPE]: {
      schema: schema(status === 422 ? 'ValidationErrorResponse' : 'ErrorResponse'),
      examples: allOf(examples),
    },
  }
}

function findStatus({ components }: Document, codes: string[]): number {
  const [status, ...others] = new Set(
    codes.map((code) => components.schemas['ErrorCode']?.['x-tawthiq-statuses']?.[code]),
  )
  if (status === undefined || others.length > 0)
    throw new Error(`these error codes do not have one status: ${codes.join(', ')}`)
  return status
}

/** The component `<OperationId>Response`: one for each operation, so that generators make a named type of it. */
function writeOutSuccess(
  document: Document,
  response: Response,
  { status, id, language }: { status: number; id: string; language: Language },
): void {
  const { schemas } = document.components
  const media = response.content?.[JSON_TYPE]
  const data = (media?.schema ?? { type: 'null', description: WORDS[language].alwaysNull }) as Schema & {
    $ref?: string
  }
  const beside = response['x-tawthiq-top-level'] ?? []
  const members = schemas[data.$ref?.split('/').at(-1) ?? '']?.properties ?? {}
  const given = Object.entries(media?.examples ?? { '': { summary: '', value: null } })
  const examples = given.map(([name, { summary, value }]) => ({
    name: given.length > 1 ? name : OK,
    summary,
    status,
    message: response['x-tawthiq-message'] as MessageKey,
    dataIn: () => completeExample(document, data, value),
    beside,
  }))
  const name = `${id.charAt(0).toUpperCase()}${id.slice(1)}Response`
  schemas[name] = envelope(
    { description: response.description ?? '', status, language },
    { data, ...pickMembers(members, beside) },
  )
  response.content = { [JSON_TYPE]: { schema: schema(name), examples: allOf(examples) } }
}

function allOf(examples: Exemplified[]): Record<string, Example> {
  return Object.assign({}, ...examples.map(buildExamples)) as Record<string, Example>
}

function envelope(
  { description, status, language }: { description: string; status: number; language: Language },
  members: Record<string, unknown>,
): Schema {
  const { alwaysTrue, httpStatus } = WORDS[language]
  const code = { type: 'integer', format: 'int32', enum: [status] }
  const properties = {
    status: { type: 'boolean', enum: [true], description: alwaysTrue },
    code: { ...code, description: httpStatus },
    message: schema('Message'),
    ...members,
  }
  return { type: 'object', description, required: Object.keys(properties), additionalProperties: false, properties }
}

function schema(name: string): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` }
}

function header(name: string): { $ref: string } {
  return { $ref: `#/components/headers/${name}` }
}
