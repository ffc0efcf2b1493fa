// Creates a migration from the difference between prisma/schema.prisma and the migrations: `npm run migration -- <name>`.
// With --empty it creates a file for SQL that the schema does not express, and with --check it only says whether there is a
// difference. Needs neither a server nor a terminal.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const MIGRATIONS = 'prisma/migrations'
const PRISMA = 'node_modules/prisma/build/index.js'
const DIFF = ['migrate', 'diff', '--from-migrations', MIGRATIONS, '--to-schema', 'prisma/schema.prisma']
const NO_CHANGE = '-- This is an empty migration.'

const [name, ...options] = process.argv.slice(2)
if (name === '--check')
  process.exit(spawnSync(process.execPath, [PRISMA, ...DIFF, '--exit-code'], { stdio: 'inherit' }).status ?? 1)
if (!/^[a-z][a-z0-9_]*$/.test(name ?? '') || options.some((each) => each !== '--empty')) {
  exit('Name the migration in snake case, for example: npm run migration -- add_middle_name')
}
const sql = options.includes('--empty') ? '' : readDifference()
const directory = join(MIGRATIONS, `${timestamp()}_${name}`)
mkdirSync(directory)
writeFileSync(join(directory, 'migration.sql'), sql)
console.log(`${join(directory, 'migration.sql')} is written. Read its SQL, and complete it where rows must change too.`)
console.log('Then run: npm run generate')

function readDifference() {
  const difference = execFileSync(process.execPath, [PRISMA, ...DIFF, '--script'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (!difference.includes('--')) exit('Prisma printed no SQL.') // each statement has a comment
  if (difference.trim() === NO_CHANGE)
    exit('prisma/schema.prisma has no change that the migrations lack. For SQL alone, add --empty.')
  return difference
}

/** Returns the time in UTC, such as 20261124093000. Migrations run in the order of their names. */
function timestamp() {
  return new Date().toISOString().slice(0, 19).replaceAll(/\D/g, '')
}

function exit(message) {
  console.error(message)
  process.exit(1)
}
