/** As much as the subject of an audit event holds */
const LENGTH_MAX = 254

/** The filters of a list that an administrator has read, for the audit trail: `status=active limit=20`. */
export function filtersText(filters: Readonly<Record<string, string | number | undefined>>): string {
  return Object.entries(filters)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
    .join(' ')
    .slice(0, LENGTH_MAX)
}

/** The same with the ids that were returned, or with their number and range where all of them are too long. */
export function resultsText(filters: string, name: string, ids: readonly number[]): string {
  const [first, last] = [ids[0], ids.at(-1)]
  const all = `${filters} ${name}=${ids.join(',') || 'none'}`.trim()
  if (all.length <= LENGTH_MAX) return all
  return `${filters} ${name}=${ids.length}:${String(first)}-${String(last)}`.trim().slice(0, LENGTH_MAX)
}
