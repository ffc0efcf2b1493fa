/**
 * The ids that a query gives, as an array. As a plain subquery PostgreSQL may run it again for each row that it looks at,
 * and then its LIMIT holds for none of these times together.
 */
export function onceOnly(query: string): string {
  return `ARRAY(${query})`
}
