// Creates a migration from the difference between prisma/schema.prisma and the migrations: `npm run migration -- <name>`.
// With --empty it creates a file for SQL that the schema does not express, and with --check it only says whether there is a
// difference. Needs neither a server nor a terminal.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readMigrations } from '../src/database/migrations/files.ts'
import { loadSchemaEngine } from './schema-engine.ts'

const MIGRATIONS = 'prisma/migrations'
const SCHEMA = 'prisma/schema.prisma'
const LOCK_FILE = 'migration_lock.toml'
const NO_CHANGE = '-- This is an empty migration.'

const [name = '', ...options] = process.argv.slice(2)
if (name === '--check') {
  const difference = await readDifference()
  console.log(difference || 'No difference.')
  process.exit(difference === '' ? 0 : 1)
}
if (!/^[a-z][a-z0-9_]*$/.test(name) || options.some((each) => each !== '--empty')) {
  exit('Name the migration in snake case, for example: npm run migration -- add_middle_name')
}
const isEmpty = options.includes('--empty')
const sql = isEmpty ? '' : await readDifference()
if (sql === '' && !isEmpty)
  exit('prisma/schema.prisma has no change that the migrations lack. For SQL alone, add --empty.')
const directory = join(MIGRATIONS, `${timestamp()}_${name}`)
mkdirSync(directory)
writeFileSync(join(directory, 'migration.sql'), sql)
console.log(`${join(directory, 'migration.sql')} is written. Read its SQL, and complete it where rows must change too.`)
console.log('Then run: npm run generate')
process.exit()

/** Returns the SQL that the migrations lack, which is empty if there is no difference. */
async function readDifference(): Promise<string> {
  const content = readFileSync(join(MIGRATIONS, LOCK_FILE), 'utf8')
  const migrations = readMigrations(pathToFileURL(`${MIGRATIONS}/`))
  const engine = await loadSchemaEngine()
  const { stdout = '' } = await engine.diff({
    from: {
      tag: 'migrations',
      baseDir: MIGRATIONS,
      lockfile: { path: LOCK_FILE, content },
      migrationDirectories: migrations.map(({ name: path, sql: value }) => {
        return { path, migrationFile: { path: 'migration.sql', content: { tag: 'ok', value } } }
      }),
      shadowDbInitScript: '',
    },
    to: { tag: 'schemaDatamodel', files: [{ path: SCHEMA, content: readFileSync(SCHEMA, 'utf8') }] },
    script: true,
    exitCode: null,
    filters: { externalTables: [], externalEnums: [] },
  })
  return stdout.trim() === NO_CHANGE ? '' : stdout
}

/** Returns the time in UTC, such as 20261124093000. Migrations run in the order of their names. */
function timestamp(): string {
  return new Date().toISOString().slice(0, 19).replaceAll(/\D/g, '')
}

function exit(message: string): never {
  console.error(message)
  process.exit(1)
}
