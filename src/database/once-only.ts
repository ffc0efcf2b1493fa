/**
 * Returns an SQL array of the ids that a query selects. PostgreSQL may run a plain subquery once for each row of the
 * outer statement, and its LIMIT would then not limit the total.
 */
export function onceOnly(query: string): string {
  return `ARRAY(${query})`
}
