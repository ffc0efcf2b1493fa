/**
 * Converts an object to a form. Undefined is left out; null and empty texts, lists and maps become an empty text, which
 * clears a field. Lists repeat the name, maps become `name[key]`.
 */
export function toFormData(fields: object): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields) as [string, unknown][]) {
    if (value === undefined) continue
    const parts = partsOf(name, value)
    for (const [key, part] of parts.length > 0 ? parts : [[name, ''] as const]) {
      form.append(key, part instanceof Blob ? part : textOf(part))
    }
  }
  return form
}

function textOf(value: unknown): string {
  return value === null ? '' : String(value as string | number | boolean)
}

function partsOf(name: string, value: unknown): (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null || value instanceof Blob) return [[name, value]]
  if (Array.isArray(value)) return value.map((item: unknown) => [name, item])
  return Object.entries(value).map(([key, item]: [string, unknown]) => [`${name}[${key}]`, item])
}
