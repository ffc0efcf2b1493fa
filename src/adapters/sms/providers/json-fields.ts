/** Returns a member of a JSON object; undefined if the value is no object or has no such member. */
export function member(json: unknown, name: string): unknown {
  return typeof json === 'object' && json !== null && Object.hasOwn(json, name) ? Reflect.get(json, name) : undefined
}

/** Returns a text or number of a JSON object as text, at most 100 characters of it; undefined if it is neither. */
export function textMember(json: unknown, name: string): string | undefined {
  const value = member(json, name)
  return typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 100) : undefined
}
