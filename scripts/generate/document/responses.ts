// What the sources leave to the generator, because it is the same for every answer: the envelope around `data`, the
// headers, and the examples in both languages.
import { en } from '../../../src/messages/en.ts'
import { say, type Language, type MessageKey } from '../../../src/messages/index.ts'
import {
  filterMembers,
  isObject,
  listOperations,
  resolveSchema,
  type Document,
  type Example,
  type FieldCases,
  type Node,
  type Response,
  type SuccessMessage,
} from './openapi.ts'
import { WORDS } from './words.ts'

const JSON_TYPE = 'application/json'

export function writeOutResponses(document: Document, language: Language): void {
  const headers = document['x-tawthiq-common-headers'] ?? []
  const messages = successMessages(document)
  const shared = [document.components.responses, document['x-tawthiq-of-any-path'] ?? {}].flatMap(
    Object.values<Response>,
  )
  writeOutRefusedStatuses(document)
  for (const response of shared) if (response['x-tawthiq-error-codes']) writeOutRefusal(document, response, language)
  const own = listOperations(document).flatMap((operation) => {
    const isCacheable = operation['x-tawthiq-cache-control'] !== undefined
    if (isCacheable) operation.responses['304'] = { $ref: '#/components/responses/NotModified' }
    return Object.entries(operation.responses).flatMap(([key, response]) => {
      if ('$ref' in response) return []
      const status = Number(key)
      if (response['x-tawthiq-error-codes']) writeOutRefusal(document, response, language)
      const message = messages.get(nameOfMessage(response) ?? '')
      if (message) writeOutSuccess(document, response, { status, id: operation.operationId, message, language })
      if (isCacheable && status < 300) response.headers = { ...response.headers, ETag: header('ETag') }
      return [response]
    })
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
    messageIn: (language: Language) => messageOf(fields ? 'invalid_data' : name, language),
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

function messageOf(code: string, language: Language): string {
  if (!Object.hasOwn(en, code)) throw new Error(`src/messages/en.ts and ar.ts have no message ${code}`)
  return say(language, code as MessageKey)
}

function findStatus({ components }: Document, codes: string[]): number {
  const [status, ...others] = new Set(
    codes.map((code) => components.schemas['ErrorCode']?.['x-tawthiq-statuses']?.[code]),
  )
  if (status === undefined || others.length > 0)
    throw new Error(`these error codes do not have one status: ${codes.join(', ')}`)
  return status
}

/** Returns the messages of successes by name. Throws if one stands twice, or if one is named that no success has. */
export function successMessages(document: Document): Map<string, SuccessMessage> {
  const used = listOperations(document)
    .flatMap(({ responses }) => Object.values(responses))
    .flatMap((response) => ('$ref' in response ? [] : (response['x-tawthiq-message'] ?? [])))
  const messages = new Map<string, SuccessMessage>()
  for (const message of used) {
    if (typeof message === 'string') continue
    if (messages.has(message.name)) throw new Error(`the message ${message.name} stands twice: name it at one of them`)
    messages.set(message.name, message)
  }
  for (const name of used)
    if (typeof name === 'string' && !messages.has(name))
      throw new Error(`no success has the message ${name}: give its name, and its texts in en and ar`)
  return messages
}

export function nameOfMessage({ 'x-tawthiq-message': message }: Response): string | undefined {
  return typeof message === 'object' ? message.name : message
}

/** The component `<OperationId>Response`: one for each operation, so that generators make a named type of it. */
function writeOutSuccess(
  document: Document,
  response: Response,
  { status, id, message, language }: { status: number; id: string; message: SuccessMessage; language: Language },
): void {
  const { schemas } = document.components
  const media = response.content?.[JSON_TYPE]
  const { alwaysNull, alwaysTrue, httpStatus } = WORDS[language]
  const data = (media?.schema ?? { type: 'null', description: alwaysNull }) as { $ref?: string }
  const beside = response['x-tawthiq-top-level'] ?? []
  const members = schemas[data.$ref?.split('/').at(-1) ?? '']?.properties ?? {}
  const given = Object.entries(media?.examples ?? { '': { summary: '', value: null } })
  const examples = given.map(([name, { summary, value }]) => ({
    name: given.length > 1 ? name : 'ok',
    summary,
    status,
    messageIn: (language: Language) => message[language],
    dataIn: () => completeExample(document, data, value),
    beside,
  }))
  const name = `${id.charAt(0).toUpperCase()}${id.slice(1)}Response`
  const properties = {
    status: { type: 'boolean', enum: [true], description: alwaysTrue },
    code: { type: 'integer', format: 'int32', enum: [status], description: httpStatus },
    message: schema('Message'),
    data,
    ...pickMembers(members, beside),
  }
  schemas[name] = {
    type: 'object',
    description: response.description ?? '',
    required: Object.keys(properties),
    additionalProperties: false,
    properties,
  }
  response.content = { [JSON_TYPE]: { schema: schema(name), examples: allOf(examples) } }
}

function allOf(examples: Exemplified[]): Record<string, Example> {
  return Object.assign({}, ...examples.map(buildExamples)) as Record<string, Example>
}

function schema(name: string): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` }
}

function header(name: string): { $ref: string } {
  return { $ref: `#/components/headers/${name}` }
}

const LANGUAGES: Readonly<Record<Language, string>> = { ar: 'Arabic', en: 'English' }

type Exemplified = {
  /** The case that it shows: an error code, `ok`, or a name of the sources */
  name: string
  summary: string
  status: number
  messageIn: (language: Language) => string
  dataIn: (language: Language) => unknown
  /** Members of `data` that stand beside it too */
  beside?: string[]
}

/** Builds an example in each language, named `<case>_<language>`, with the message of the service. */
function buildExamples(exemplified: Exemplified): Record<string, Example> {
  const { name, summary, status, messageIn, dataIn, beside = [] } = exemplified
  const examples = (Object.keys(LANGUAGES) as Language[]).map((language) => {
    const data = dataIn(language)
    const envelope = { status: status < 400, code: status, message: messageIn(language), data }
    const value = { ...envelope, ...pickMembers(data as Record<string, unknown>, beside) }
    const title = summary ? `${summary}, in ${LANGUAGES[language]}` : LANGUAGES[language]
    return [`${name}_${language}`, { summary: title, value }] as const
  })
  return Object.fromEntries(examples)
}

function fieldErrors(fields: FieldCases, language: Language): object {
  const errors = Object.entries(fields).map(([field, failure]) => {
    const { code, ...values } = typeof failure === 'string' ? { code: failure } : failure
    return { field, code, message: say(language, code as MessageKey, values) }
  })
  return {
    errors: Object.fromEntries(errors.map(({ field, message }) => [field, [message]])),
    codes: Object.fromEntries(errors.map(({ field, code }) => [field, [code]])),
  }
}

function pickMembers(data: Readonly<Record<string, unknown>>, names: readonly string[]): object {
  return Object.fromEntries(names.map((name) => [name, data[name]]))
}

/**
 * Adds the required members that a value lacks, in the order of the schema. A variant of a union is chosen by the members
 * that the value has, such as `account_type`.
 *
 * @throws Error if a member has no example
 */
function completeExample(document: Document, given: unknown, value: unknown): unknown {
  const schema = resolveSchema(document, given as Node)
  if (!isObject(value) || Array.isArray(value)) return value
  const variants: unknown = schema['oneOf'] ?? schema['anyOf']
  if (Array.isArray(variants)) {
    const variant: unknown = variants.find((each) => accepts(resolveSchema(document, each as Node), value))
    return variant === undefined ? value : completeExample(document, variant, value)
  }
  const { properties, required = [] } = schema
  if (!isObject(properties)) return value
  const members = Object.entries(properties).flatMap(([name, property]) => {
    if (name in value) return [[name, completeExample(document, property, value[name])] as const]
    return (required as string[]).includes(name) ? [[name, exampleOf(document, name, property)] as const] : []
  })
  return { ...Object.fromEntries(members), ...filterMembers(value, (name) => !(name in properties)) }
}

/** Returns whether the enumerations of a schema contain the members of a value. */
function accepts({ properties }: Node, value: Node): boolean {
  if (!isObject(properties)) return false
  return Object.entries(value).every(([name, member]) => {
    const { enum: values } = (properties[name] ?? { enum: [] }) as { enum?: unknown[] }
    return values === undefined || values.includes(member)
  })
}

function exampleOf(document: Document, name: string, property: unknown): unknown {
  const { examples } = resolveSchema(document, property as Node)
  if (!Array.isArray(examples)) throw new Error(`${name} needs \`examples\` in its schema, or a value in each example`)
  return examples[0]
}
