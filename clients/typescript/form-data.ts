/** Converts an object to a form. Undefined is left out; null, `[]` and `{}` become an empty text, which clears a field. */
export function formDataOf(fields: unknown): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields as object)) {
    const isSingle = typeof value !== 'object' || value === null || value instanceof Blob
    const items: [string, string | Blob][] = isSingle
      ? [[name, value ?? '']]
      : Object.entries<string | Blob>(value).map(([key, item]) => [
          Array.isArray(value) ? name : `${name}[${key}]`,
          item,
        ])
    if (items.length === 0) items.push([name, ''])
    if (value !== undefined) for (const [key, item] of items) form.append(key, item)
  }
  return form
}
