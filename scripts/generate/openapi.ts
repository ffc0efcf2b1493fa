// The parts of an OpenAPI document that the generator touches.

export const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const

export type Method = (typeof METHODS)[number]

export type Document = {
  security: Security[]
  paths: Record<string, PathItem>
  components: {
    headers: Record<string, unknown>
    schemas: Record<string, Schema>
    responses: Record<string, Response>
  }
}

export type PathItem = { parameters?: unknown[] } & Partial<Record<Method, Operation>>

export type Operation = {
  operationId: string
  security?: Security[]
  parameters?: unknown[]
  requestBody?: { content: Record<string, unknown> }
  responses: Record<string, Response | Reference>
  /** What the successful answer says of caching; `no-store` without it */
  'x-cache-control'?: string
}

export type Response = {
  headers?: Record<string, unknown>
}

export type Schema = {
  enum?: string[]
  'x-enum-descriptions'?: Record<string, string>
  'x-statuses'?: Record<string, number>
}

export type Security = Record<string, string[]>

export type Reference = {
  $ref: string
}

export function isObject(node: unknown): node is Record<string, unknown> {
  return typeof node === 'object' && node !== null
}
