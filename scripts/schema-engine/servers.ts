import pg from 'pg'

export async function query(url: string, sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await client.query(sql)
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
  return query(withDatabase(url, 'postgres'), `DROP DATABASE ${pg.escapeIdentifier(databaseName(url))}`)
}

export function withDatabase(url: string, name: string): string {
  const other = new URL(url)
  other.pathname = `/${encodeURIComponent(name)}`
  return other.toString()
}
