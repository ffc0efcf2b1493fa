// Writes what the next versions must be compatible with: the tables of a release and the statements that it sends.
// `npm run release -- baseline <directory>`. It runs the contract tests that are built in the directory, by default those of this
// tree, on the PostgreSQL server of DATABASE_URL, and records the statements of the service.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readSchema, type Schema } from '../src/database/compatibility/schema.ts'
import { migrate } from '../src/database/migrations/index.ts'
import { listMigrations } from '../src/database/migrations/files.ts'
import { distinctStatements } from './baseline/statements.ts'
import { connectTo, createScratchDatabase } from './load/database.ts'
import { runSession } from './load/session.ts'

/** Tests of all operations, and of the work in the background */
const TESTS = ['contract/', 'scenario/accounts', 'scenario/admin', 'scenario/auth', 'scenario/document/events', 'sweep']

const RECORDER = pathToFileURL('scripts/baseline/record.mjs').href

const directory = resolve(process.argv[2] ?? '.')
const server = process.env['DATABASE_URL'] ?? 'postgresql://postgres@127.0.0.1:5432/postgres'
const migrations = pathToFileURL(join(directory, 'prisma/migrations/'))
const { version } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as { version: string }

await runSession('baseline', async (session) => {
  const recorded = await recordStatements(session.folder)
  const client = await connectTo(session, await createScratchDatabase(session, server))
  await migrate(client, migrations)
  const statements = await distinctStatements(client, recorded)
  const schema = withUsedColumns(await readSchema(client), statements)
  const baseline = { version, migrations: listMigrations(migrations).sort(), schema }
  writeFileSync('prisma/released/schema.json', `${JSON.stringify(baseline)}\n`)
  writeFileSync('prisma/released/statements.json', `${JSON.stringify(statements)}\n`)
  console.log(`${version}: ${Object.keys(schema.tables).length} tables, ${statements.length} statements.`)
  return true
})

/** Records the statements of the tests of all operations. */
async function recordStatements(folder: string): Promise<string[]> {
  const file = join(folder, 'statements.jsonl')
  const recording = { NODE_OPTIONS: `--import ${RECORDER}`, STATEMENTS: file, TMPDIR: folder, DATABASE_URL: server }
  const child = spawn(process.execPath, ['scripts/test.mjs', ...TESTS], {
    cwd: directory,
    env: { ...process.env, ...recording },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  await once(child, 'exit')
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  return [...new Set(lines)].map((line) => JSON.parse(line) as string)
}

/** Leaves out columns whose names are in no statement of their table. Later versions may remove them. */
function withUsedColumns(all: Schema, used: readonly string[]): Schema {
  const words = used.map((text) => new Set(text.match(/\w+/g)))
  const isUsed = (table: string, column: string): boolean => words.some((each) => each.has(table) && each.has(column))
  const tables = Object.entries(all.tables).map(([name, table]) => {
    const columns = Object.entries(table.columns).filter(([column]) => isUsed(name, column))
    return [name, { ...table, columns: Object.fromEntries(columns) }] as const
  })
  return { ...all, tables: Object.fromEntries(tables) }
}
