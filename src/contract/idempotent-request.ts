/** The `Idempotency-Key` of a request, and what it identifies */
export type IdempotentRequest = Readonly<{
  /** The key, without quotation marks */
  key: string
  operation: string
  /** The path parameters and the body, in a form that is equal for equal requests */
  content: string
  /** Marks the response as the result of an earlier request */
  markReplayed(): void
}>

/** Returns JSON in which the members of objects have a fixed order. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) => (isObject(member) ? sortMembers(member) : member))
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function sortMembers(value: object): object {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
