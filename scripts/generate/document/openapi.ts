// The parts of an OpenAPI document that the generator touches.

export const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const

export type Method = (typeof METHODS)[number]

export type Document = {
  tags: { name: string; description: string }[]
  security: Security[]
  /** The names of the headers that every answer has, and of the parameters that every operation has */
  'x-tawthiq-of-every-response'?: string[]
  'x-tawthiq-of-every-operation'?: string[]
  /** The responses that the server can send for any path, by status */
  'x-tawthiq-of-any-path'?: Record<string, Response>
  /** The published rate limits, by name */
  'x-tawthiq-rate-limits'?: Record<string, object>
  paths: Record<string, PathItem>
  /** What every webhook has; its parameters by name */
  'x-tawthiq-of-every-webhook'?: { parameters: string[] }
  webhooks: Record<string, { post: Webhook }>
  components: {
    headers: Record<string, unknown>
    parameters: Record<string, unknown>
    schemas: Record<string, Schema>
    responses: Record<string, Response>
  }
}

export type PathItem = { parameters?: unknown[] } & Partial<Record<Method, Operation>>

export type Webhook = { parameters?: Reference[]; requestBody?: object }

export type Operation = {
  operationId: string
  tags?: string[]
  summary: string
  description?: string
  deprecated?: boolean
  /** The date since which the operation is deprecated, and the date after which it can be removed */
  'x-tawthiq-deprecated-since'?: string
  'x-tawthiq-sunset'?: string
  security?: Security[]
  parameters?: unknown[]
  requestBody?: { required?: boolean; content: Record<string, unknown> }
  responses: Record<string, Response | Reference>
  /** What the reference shows for programmers */
  'x-codeSamples'?: { lang: string; label: string; source: string }[]
  /** What the successful answer says of caching; `no-store` without it */
  'x-tawthiq-cache-control'?: string
  /** Whether the operation judges what it can of a body that is wrong, to name all wrong fields at once */
  'x-tawthiq-defer-validation'?: boolean
  /** The operation needs the password to be proven on the session within `seconds`; with `when`, only if one of these fields changes. */
  'x-tawthiq-requires-recent-authentication'?: { seconds: number; when?: string[] }
  /** The operation whose form the body is a merge patch of */
  'x-tawthiq-patches'?: string
  /** Whether the operation verifies a signature of the request itself */
  'x-tawthiq-signed'?: boolean
  /** Whether only administrators may call it: everybody else gets 403, whatever else is wrong with the request */
  'x-tawthiq-requires-administrator'?: boolean
}

export type Response = {
  description?: string
  headers?: Record<string, unknown>
  content?: Record<string, Media>
  /** Of a refusal: the words of `Error-Code` that it may have */
  'x-tawthiq-error-codes'?: string[]
  /** Of a 422: the field codes of its examples, by case and field */
  'x-tawthiq-field-codes'?: Record<string, FieldCases>
  /** Of a success: the key of its sentence. `content` is that of `data`. */
  'x-tawthiq-message'?: string
  /** Of a success: its content is bytes, and not in the envelope */
  'x-tawthiq-stream'?: boolean
  /** Of a success: members of `data` that stand beside it too */
  'x-tawthiq-top-level'?: string[]
}

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
  /** Of a source: it is written out where it is referred to, and not published. */
  'x-tawthiq-inline'?: true
  /** Of a source: the names of schemas whose properties it begins with */
  'x-tawthiq-extends'?: string[]
  oneOf?: Reference[]
  anyOf?: Reference[]
  /** Of a source: the name of the form that the schema is a merge patch of */
  'x-tawthiq-patch-of'?: string
  discriminator?: { mapping?: Record<string, string> }
  /** Of a source: the names of unions whose fields are ignored where the variant at hand does not have them */
  'x-tawthiq-ignores'?: string[]
  /** What the generator makes of it: the names of the fields */
  'x-tawthiq-ignored-fields'?: string[]
  'x-enumDescriptions'?: Record<string, string>
  'x-tawthiq-statuses'?: Record<string, number>
}

export type Security = Record<string, string[]>

export type Reference = {
  $ref: string
}

/** Whether a request needs an access token, or may have one. The signatures of providers are not access tokens. */
export function takesToken({ security: shared }: Pick<Document, 'security'>, operation: Operation): boolean {
  return (operation.security ?? shared).some(isToken)
}

/** Whether a way of authentication is that of access tokens */
export function isToken(security: Security): boolean {
  return Object.hasOwn(security, 'bearerAuth')
}

/** An operation with its place in the document */
export type Route = { path: string; method: Method; operation: Operation }

export function listRoutes({ paths }: Pick<Document, 'paths'>): Route[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => (item[method] ? [{ path, method, operation: item[method] }] : [])),
  )
}

export function listOperations(document: Document): Operation[] {
  return listRoutes(document).map(({ operation }) => operation)
}

/** A response itself, where it is not one of the components. */
export function ownResponses({ responses }: Operation): [status: number, response: Response][] {
  return Object.entries(responses).flatMap(([status, response]) =>
    '$ref' in response ? [] : [[Number(status), response] as [number, Response]],
  )
}

/** The response that an operation has for a status, wherever it is written. */
export function responseAt(document: Document, response: Response | Reference): Response {
  if (!('$ref' in response)) return response
  const name = response.$ref.split('/').at(-1) ?? ''
  const found = document.components.responses[name]
  if (!found) throw new Error(`the document has no response ${name}`)
  return found
}

const SCHEMAS = '#/components/schemas/'

/** A schema itself, with what stands beside a reference to it. */
export function resolveSchema(
  { components }: Document,
  node: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const { $ref, ...beside } = node
  return typeof $ref === 'string' ? { ...components.schemas[$ref.slice(SCHEMAS.length)], ...beside } : node
}

export function isObject(node: unknown): node is Record<string, unknown> {
  return typeof node === 'object' && node !== null
}
