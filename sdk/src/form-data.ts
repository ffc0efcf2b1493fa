import { isUpload, type Upload } from './upload.ts'

type Part = string | number | boolean | Upload | null
type Value = Part | undefined | Part[] | Record<string, Part>

/**
 * Converts an object to a form. Undefined is left out; null and empty texts, lists and maps become an empty text, which
 * clears a field. Lists repeat the name, maps become `name[key]`. A form is returned as it is.
 */
export function toFormData(fields: object): FormData {
  if (fields instanceof FormData) return fields
  const form = new FormData()
  for (const [name, value] of Object.entries(fields) as [string, Value][]) {
    if (value === undefined) continue
    const parts = partsOf(name, value)
    for (const [key, part] of parts.length > 0 ? parts : [[name, ''] as const])
      // the FormData of React Native takes its own files, the types of which are those of browsers
      form.append(key, typeof part === 'object' && part ? (part as Blob) : String(part ?? ''))
  }
  return form
}

function partsOf(name: string, value: Exclude<Value, undefined>): (readonly [string, Part])[] {
  if (typeof value !== 'object' || value === null || isUpload(value)) return [[name, value]]
  if (Array.isArray(value)) return value.map((item) => [name, item])
  return Object.entries(value).map(([key, item]) => [`${name}[${key}]`, item])
}
