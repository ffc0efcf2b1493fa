// Forms as values, and how clients send them.
import type { Form } from '../service/sender.ts'

/** A file with its real type */
export type FileValue = Readonly<{ type: string; bytes: Buffer }>

/** The values of a form by field; a missing field is absent. */
export type FormValues = Readonly<Record<string, unknown>>

export function isFileValue(value: unknown): value is FileValue {
  return typeof value === 'object' && value !== null && 'bytes' in value
}

/** Encodes values as clients do: lists as repeated fields, maps as JSON. */
export function encodeForm(values: FormValues): Form {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, encodeValue(value)]))
}

function encodeValue(value: unknown): Form[string] {
  if (isFileValue(value)) return new Blob([new Uint8Array(value.bytes)], { type: value.type })
  if (Array.isArray(value)) return value.length === 0 ? '' : value.map(encodeText)
  return encodeText(value)
}

function encodeText(value: unknown): string {
  if (value === null) return '' // clears a number
  return typeof value === 'string' ? value : JSON.stringify(value)
}

type Fields = Readonly<Record<string, { type?: string; 'x-clearable'?: boolean }>>

/** Returns what the service reads: an empty value clears a field that can be cleared, and counts as absent otherwise. */
export function asRead(values: FormValues, fields: Fields): FormValues {
  const entries = Object.entries(values).flatMap(([name, value]) => {
    const filled = Array.isArray(value) ? value.filter((item) => item !== '') : value
    const isEmpty = filled === '' || (Array.isArray(filled) && filled.length === 0)
    if (!isEmpty) return [[name, filled] as const]
    return fields[name]?.['x-clearable'] === true ? [[name, emptyValue(fields[name].type)] as const] : []
  })
  return Object.fromEntries(entries)
}

function emptyValue(type: string | undefined): unknown {
  if (type === 'array') return []
  if (type === 'object') return {}
  return type === 'string' ? '' : null
}
