import { toFormData } from '../form-data.ts'
import type { OperationId } from '../contract.ts'
import type { CallOptions, Language } from '../options.ts'
import { operationOf } from '../table.ts'
import type { Outgoing } from './transport.ts'

/** The arguments of a call */
export type Input = {
  id: OperationId
  body: unknown
  options: CallOptions & { path?: object | undefined; query?: object | undefined }
}

/** Builds a request. Every attempt needs a new one, because a body can be sent only once. */
export function buildRequest(
  origin: string,
  { id, body, options }: Input,
  { token, language }: { token: string | undefined; language: Language | undefined },
): Omit<Outgoing, 'signal'> {
  const { method, path, takes, returns } = operationOf(id)
  const isJson = takes('j')
  return {
    url: origin.replace(/\/+$/, '') + fillPath(path, options.path) + toQuery(options.query),
    method,
    headers: {
      ...(isJson && { 'content-type': 'application/json' }), // a form gets its boundary from the platform
      ...(language && { 'accept-language': language }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...options.headers,
    },
    isFile: returns('F'),
    body: isJson ? JSON.stringify(body) : takes('f') ? toFormData(Object(body) as object) : undefined,
  }
}

function fillPath(template: string, values: object = {}): string {
  const parameters = values as Record<string, string | number>
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''))
}

function toQuery(values: object = {}): string {
  const given = Object.entries(values as Record<string, unknown>).filter(
    ([, value]) => value !== undefined && value !== null,
  )
  // without URLSearchParams, which React Native lacks in part
  const query = given.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&')
  return query && `?${query}`
}
