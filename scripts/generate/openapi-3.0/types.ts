// The parts of an OpenAPI document that the derivation of OpenAPI 3.0 touches.

export type Schema = {
  $ref?: string
  type?: string | string[]
  format?: string
  description?: string
  nullable?: boolean
  enum?: unknown[]
  required?: string[]
  properties?: Record<string, Schema>
  items?: Schema
  oneOf?: Schema[]
  anyOf?: Schema[]
  allOf?: Schema[]
  discriminator?: unknown
  example?: unknown
  examples?: unknown[]
  [keyword: string]: unknown
}

export type Media = {
  schema: Schema
  examples?: Record<string, { value: unknown }>
}

export type Body = { content: Record<string, Media> }

export type Operation = {
  tags: string[]
  requestBody?: Body
  responses: Record<string, Response>
  [member: string]: unknown
}

export type Header = { description?: string; schema: Schema }

export type Response = { headers?: Record<string, Header | { $ref: string }> }

export type Document = {
  openapi: string
  info: { description: string; [member: string]: unknown }
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Schema>
    responses: Record<string, Response>
    [kind: string]: Record<string, unknown>
  }
  [member: string]: unknown
}
