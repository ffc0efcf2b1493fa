// Builds requests from examples like a client.
import { randomUUID } from 'node:crypto'
import { image, PDF } from '../files/files.ts'
import type { Form, Sent } from '../service/sender.ts'
import type { Example } from './document.ts'

export async function requestOf(example: Example, token: string | undefined): Promise<Sent> {
  const { media, body, parameters } = example
  const { 'Accept-Language': language, ...header } = textsOf(parameters.header)
  return {
    path: textsOf(parameters.path),
    query: parameters.query,
    headers: 'Idempotency-Key' in header ? { ...header, 'Idempotency-Key': randomUUID() } : header, // for one body each
    ...(language !== undefined && { language }),
    ...(media?.endsWith('json') && { json: body, type: media }),
    ...(media === 'multipart/form-data' && { form: await formOf(example) }),
    token,
  }
}

/** Repeats the names of lists, writes maps with brackets, and replaces each file by a real one. */
async function formOf({ body = {}, files }: Example): Promise<Form> {
  const form: Form = {}
  for (const [at, [name, value]] of Object.entries(body).entries()) {
    const types = files[name]
    if (types) form[name] = await fileOf(types[at % types.length] ?? '')
    else if (Array.isArray(value)) form[name] = value.map(String)
    else if (typeof value === 'object' && value !== null)
      for (const [key, member] of Object.entries(value)) form[`${name}[${key}]`] = String(member)
    else form[name] = String(value)
  }
  return form
}

async function fileOf(type: string): Promise<Blob> {
  const [kind, format] = type.split('/')
  return new Blob([kind === 'image' ? await image(format as 'jpeg' | 'png' | 'webp') : PDF], { type })
}

function textsOf(values: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))
}
