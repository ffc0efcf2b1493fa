import { createHash } from 'node:crypto'

const NAMES_MAX = 500

const names = new Map<string, string>()

/** Returns a name for a statement, so that PostgreSQL prepares it once per connection. Equal statements have equal names. */
export function nameStatement(sql: string): string {
  const name = names.get(sql) ?? `p${createHash('sha256').update(sql).digest('hex').slice(0, 24)}`
  if (names.size < NAMES_MAX) names.set(sql, name)
  return name
}
