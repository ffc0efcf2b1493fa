// The two roles of docs/operate.md: the owner of the tables, and the role of the service, which cannot change them.
import { readFileSync } from 'node:fs'
import pg from 'pg'

/** The password of both roles */
export const PASSWORD = 'secret'

const [, DOCUMENTED = ''] = /<!-- roles -->\n\n```sql\n([^]*?)```/.exec(readFileSync('docs/operate.md', 'utf8')) ?? []
const SECTION = /\\connect tawthiq\w*\n/

export type Roles = { owner: string; app: string; drop(): Promise<void> }

/**
 * Creates a database and its two roles with the statements of docs/operate.md.
 *
 * @param serverUrl a superuser
 */
export async function createRoles(serverUrl: string, database: string): Promise<Roles> {
  const [owner, app] = [`${database}_owner`, `${database}_app`]
  const sql = DOCUMENTED.replaceAll(/\btawthiq\b/g, database)
    .replaceAll(/\btawthiq_(owner|app)\b/g, `${database}_$1`)
    .replaceAll(/'choose \w+'/g, `'${PASSWORD}'`)
  const [roles = '', rights = ''] = sql.split(SECTION)
  await runStatements(serverUrl, split(roles))
  await runStatements(onDatabase(serverUrl, database), split(rights))
  return {
    owner,
    app,
    drop: () =>
      runStatements(serverUrl, [`DROP DATABASE ${database} WITH (FORCE)`, `DROP ROLE ${owner}`, `DROP ROLE ${app}`]),
  }
}

function split(sql: string): string[] {
  return sql.split(/;\n/).filter((statement) => statement.trim() !== '')
}

/** Runs statements one by one, because some of them cannot run in a transaction. */
export async function runStatements(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Returns the URL of a database, as the user of the given URL or as a role with the password of the two roles. */
export function onDatabase(serverUrl: string, database: string, role?: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  if (role !== undefined) [url.username, url.password] = [role, PASSWORD]
  return url.href
}
