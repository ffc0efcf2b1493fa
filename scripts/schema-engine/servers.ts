import pg from 'pg'

export async function query<Row extends pg.QueryResultRow>(
  url: string,
  sql: string,
  values: readonly unknown[] = [],
): Promise<pg.QueryResult<Row>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await client.query<Row>(sql, [...values])
  } finally {
    await client.end()
  }
}

export function databaseName(url: string): string {
  return decodeURIComponent(new URL(url).pathname.slice(1))
}

export function createDatabase(url: string): Promise<unknown> {
  return query(withDatabase(url, 'postgres'), `CREATE DATABASE ${pg.escapeIdentifier(databaseName(url))}`)
}

export function dropDatabase(url: string): Promise<unknown> {
  const name = pg.escapeIdentifier(databaseName(url))
  return query(withDatabase(url, 'postgres'), `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
}

export function withDatabase(url: string, name: string): string {
  const other = new URL(url)
  other.pathname = `/${encodeURIComponent(name)}`
  return other.toString()
}
