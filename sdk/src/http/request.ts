import { toFormData } from '../form-data.ts'
import { OPERATIONS } from '../generated/operations.ts'
import type { OperationId } from '../contract.ts'
import type { CallOptions, Language } from '../options.ts'
import type { Outgoing } from './transport.ts'

/** An entry of the table of operations */
export type Operation = {
  method: string
  path: string
  body?: 'json' | 'form'
  token?: true
  tokens?: true
  idempotent?: true
}

/** The arguments of a call */
export type Input = {
  id: OperationId
  body: unknown
  options: CallOptions & { path?: object | undefined; query?: object | undefined }
}

export function operationOf(id: OperationId): Operation {
  return OPERATIONS[id]
}

/** Builds a request. Every attempt needs a new one, because a body can be sent only once. */
export function buildRequest(
  origin: string,
  { id, body, options }: Input,
  { token, language }: { token: string | undefined; language: Language | undefined },
): Omit<Outgoing, 'signal'> {
  const { method, path, body: kind } = operationOf(id)
  return {
    url: origin.replace(/\/+$/, '') + fillPath(path, options.path) + toQuery(options.query),
    method,
    headers: {
      ...(kind === 'json' && { 'content-type': 'application/json' }), // a form gets its boundary from the platform
      ...(language && { 'accept-language': language }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...options.headers,
    },
    body: kind === 'json' ? JSON.stringify(body) : kind === 'form' ? toForm(body) : undefined,
  }
}

function toForm(body: unknown): FormData {
  return body instanceof FormData ? body : toFormData(Object(body) as object)
}

function fillPath(template: string, values: object = {}): string {
  const parameters = values as Record<string, string | number>
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''))
}

function toQuery(values: object = {}): string {
  const given = Object.entries(values as Record<string, unknown>).filter(
    ([, value]) => value !== undefined && value !== null,
  )
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return query && `?${query}`
}
