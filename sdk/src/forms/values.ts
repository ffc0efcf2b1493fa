import type { Schemas } from '../contract.ts'
import { isUpload } from '../upload.ts'

/** A form as the service publishes it */
export type FormSchema = Schemas['ProfileForm']

/** The values of a form, by field. Numbers may be the texts of inputs. */
export type FormValues = Readonly<Record<string, unknown>>

type Rule = { type?: string; items?: { type?: string }; additionalProperties?: { type?: string } }

const EMPTY: Record<string, unknown> = { array: [], object: {}, string: '' }
const NUMBER = { integer: /^-?\d{1,15}$/, number: /^-?\d{1,15}(\.\d{1,30})?(e[+-]?\d{1,2})?$/i }

/**
 * Returns values as the service reads them: texts of numbers become numbers. An empty value clears a field that can be cleared,
 * and is absent otherwise.
 */
export function readValues({ properties }: FormSchema, values: FormValues): Record<string, unknown> {
  const read = Object.entries(values).flatMap(([name, value]) => {
    const field = properties[name]
    const filled = readValue(value, field ?? {})
    if (filled !== undefined) return [[name, filled] as const]
    const isCleared = value !== undefined && field?.['x-clearable'] === true
    return isCleared ? [[name, EMPTY[field.type] ?? null] as const] : []
  })
  return Object.fromEntries(read)
}

function readValue(value: unknown, { type, items, additionalProperties }: Rule): unknown {
  if (isMissing(value)) return undefined
  if (type === 'array') {
    const filled = [value].flat().filter((item) => !isMissing(item))
    return filled.length > 0 ? filled.map((item) => readScalar(item, items?.type)) : undefined
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isUpload(value))
    return readScalar(value, type)
  const members = Object.entries(value).filter(([, member]) => (member ?? undefined) !== undefined)
  const read = members.map(([key, member]) => [key, readScalar(member, additionalProperties?.type)])
  return members.length > 0 ? Object.fromEntries(read) : undefined
}

function isMissing(value: unknown): boolean {
  return [value ?? ''].flat().every((item) => item === '')
}

function readScalar(value: unknown, type: string | undefined): unknown {
  if (typeof value !== 'string') return value
  if (type !== 'integer' && type !== 'number') return value.replaceAll('\r\n', '\n')
  const text = latinDigits(value.trim()).replace('٫', '.') // the Arabic decimal separator
  return NUMBER[type].test(text) ? Number(text) : value
}

/** Replaces the digits of Arabic and Persian keyboards. */
export function latinDigits(text: string): string {
  return text.replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15))
}
