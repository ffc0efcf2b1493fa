// The parts of an OpenAPI document that the generator touches. extensions.ts says what the extensions mean.

export const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const

export type Method = (typeof METHODS)[number]

export type Document = {
  tags: { name: string; description: string }[]
  security: Security[]
  'x-tawthiq-common-headers'?: string[]
  'x-tawthiq-of-every-operation'?: string[]
  'x-tawthiq-of-any-path'?: Record<string, Response>
  'x-tawthiq-rate-limits'?: Record<string, object>
  paths: Record<string, { parameters?: unknown[] } & Partial<Record<Method, Operation>>>
  'x-tawthiq-of-every-webhook'?: { parameters: string[] }
  webhooks: Record<string, { post: { parameters?: Reference[]; requestBody?: object } }>
  components: {
    headers: Record<string, unknown>
    parameters: Record<string, unknown>
    schemas: Record<string, Schema>
    responses: Record<string, Response>
  }
}

export type Operation = {
  operationId: string
  tags?: string[]
  summary: string
  description?: string
  deprecated?: boolean
  'x-tawthiq-deprecated-since'?: string
  'x-tawthiq-sunset'?: string
  security?: Security[]
  parameters?: unknown[]
  requestBody?: { required?: boolean; content: Record<string, unknown> }
  responses: Record<string, Response | Reference>
  'x-codeSamples'?: { lang: string; label: string; source: string }[]
  'x-tawthiq-cache-control'?: string
  'x-tawthiq-defer-validation'?: boolean
  'x-tawthiq-requires-recent-authentication'?: { seconds: number; when?: string[] }
  'x-tawthiq-patches'?: string
  'x-tawthiq-signed'?: boolean
  'x-tawthiq-requires-administrator'?: boolean
}

export type Response = {
  description?: string
  headers?: Record<string, unknown>
  content?: Record<string, Media>
  'x-tawthiq-error-codes'?: string[]
  'x-tawthiq-field-codes'?: Record<string, FieldCases>
  /** Of a success: its sentence, or the name of one that another success has. `content` is that of `data`. */
  'x-tawthiq-message'?: SuccessMessage | string
  'x-tawthiq-stream'?: boolean
  'x-tawthiq-top-level'?: string[]
}

export type SuccessMessage = { name: string; en: string; ar: string }

/** The code of each field, with the values of its message if it has any */
export type FieldCases = Record<string, string | ({ code: string } & Record<string, string | number>)>

export type Media = { schema: unknown; examples?: Record<string, Example> }

export type Example = { summary: string; value: unknown }

export type Schema = {
  type?: string
  description?: string
  required?: string[]
  additionalProperties?: boolean
  enum?: string[]
  properties?: Record<string, unknown>
  propertyNames?: { pattern: string }
  'x-tawthiq-inline'?: true
  'x-tawthiq-extends'?: string[]
  oneOf?: Reference[]
  anyOf?: Reference[]
  'x-tawthiq-patch-of'?: string
  discriminator?: { mapping?: Record<string, string> }
  'x-tawthiq-ignores'?: string[]
  'x-tawthiq-ignored-fields'?: string[]
  'x-enumDescriptions'?: Record<string, string>
  'x-tawthiq-statuses'?: Record<string, number>
}

export type Security = Record<string, string[]>

export type Reference = { $ref: string }

/** Whether a request needs an access token, or may have one. The signatures of providers are not access tokens. */
export function takesToken({ security: shared }: Pick<Document, 'security'>, operation: Operation): boolean {
  return (operation.security ?? shared).some(isToken)
}

export function isToken(security: Security): boolean {
  return Object.hasOwn(security, 'bearerAuth')
}

export type Route = { path: string; method: Method; operation: Operation }

export function listRoutes({ paths }: Pick<Document, 'paths'>): Route[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => (item[method] ? [{ path, method, operation: item[method] }] : [])),
  )
}

export function listOperations(document: Document): Operation[] {
  return listRoutes(document).map(({ operation }) => operation)
}

export function responseAt(document: Document, response: Response | Reference): Response {
  if (!('$ref' in response)) return response
  const name = response.$ref.split('/').at(-1) ?? ''
  const found = document.components.responses[name]
  if (!found) throw new Error(`the document has no response ${name}`)
  return found
}

export type Node = Readonly<Record<string, unknown>>

export const SCHEMAS = '#/components/schemas/'

/** Returns the schema of a name, or of a reference to it. */
export function findSchema<Of = Schema>(name: string, schemas: Readonly<Record<string, Of>>): Of {
  const schema = schemas[name.replace(SCHEMAS, '')]
  if (!schema) throw new Error(`the document has no schema ${name}`)
  return schema
}

/** A schema itself, with what stands beside a reference to it. */
export function resolveSchema({ components }: Document, node: Node): Record<string, unknown> {
  const { $ref, ...beside } = node
  return typeof $ref === 'string' ? { ...components.schemas[$ref.slice(SCHEMAS.length)], ...beside } : node
}

export type Parameter = {
  name: string
  place: string
  isRequired: boolean
  example: unknown
  schema: Node
  description: string
}

export function parametersOf(document: Document, { parameters = [] }: Operation): Parameter[] {
  return parameters.filter(isObject).map((node) => {
    const { $ref } = node
    const own = typeof $ref === 'string' ? document.components.parameters[$ref.split('/').at(-1) ?? ''] : node
    if (!isObject(own)) throw new Error(`the document has no parameter ${String($ref)}`)
    const { name, in: place, required, description = '' } = own
    const schema = isObject(own['schema']) ? own['schema'] : {}
    const [told] = Object.values((own['examples'] ?? {}) as Record<string, { value: unknown }>)
    const { examples = [] } = resolveSchema(document, schema) as { examples?: unknown[] }
    const [example = ''] = [told?.value ?? examples[0] ?? ''].flat()
    return {
      name: String(name),
      place: String(place),
      isRequired: required === true,
      example,
      schema,
      description: String(description),
    }
  })
}

/** Returns the types of a schema beside null. */
export function typesOf({ type = [] }: { type?: unknown }): string[] {
  return ([type].flat() as string[]).filter((each) => each !== 'null')
}

export function isObject(node: unknown): node is Record<string, unknown> {
  return typeof node === 'object' && node !== null
}

export function mapMembers<From, To>(
  node: Readonly<Record<string, From>>,
  change: (value: From, key: string) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, change(value, key)]))
}

export function filterMembers<Value>(
  node: Readonly<Record<string, Value>>,
  isKept: (key: string, value: Value) => boolean,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(node).filter(([key, value]) => isKept(key, value)))
}

export function withoutMembers(node: unknown, isDropped: (key: string, value: unknown) => boolean): unknown {
  if (Array.isArray(node)) return node.map((item) => withoutMembers(item, isDropped))
  if (!isObject(node)) return node
  const kept = filterMembers(node, (key, value) => !isDropped(key, value))
  return mapMembers(kept, (value) => withoutMembers(value, isDropped))
}
