import type { Schemas } from '../contract.ts'
import type { FormSchema } from './values.ts'

export type LookupItem = { id: number; name?: string }

/** The items of lookups, by `lookupKey`. Those of a lookup with a parent are separate for each parent. */
export type Lookups = ReadonlyMap<string, readonly LookupItem[]>

/** Identifies the items of a lookup; undefined if its parent has no value. */
export function lookupKey({ set, parent, query }: Schemas['FormLookup'], values: object): string | undefined {
  if (parent === undefined || query === undefined) return set
  const id = (values as Record<string, number | undefined>)[parent] // or what the user typed, which no lookup has
  return id === undefined ? undefined : `${set}?${query}=${id}`
}

/** Returns the items that a field can have; undefined if they are not known. */
export function itemsOf(
  form: FormSchema,
  name: string,
  values: object,
  lookups: Lookups,
): readonly LookupItem[] | undefined {
  const lookup = form.properties[name]?.['x-lookup']
  const { members } = lookup ?? {}
  const items = lookup && lookups.get(lookupKey(lookup, values) ?? '')
  if (!items || members === undefined) return items
  return items.flatMap((item) => (item as unknown as Record<string, LookupItem[]>)[members] ?? []) // as the form says
}
