// Creates a migration from the difference between prisma/schema.prisma and the migrations: `npm run migration -- <name>`.
// With --empty it creates a file for SQL that the schema does not express, and with --check it only says whether there is a
// difference. Needs neither a server nor a terminal.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const MIGRATIONS = 'prisma/migrations'
const PRISMA = 'node_modules/prisma/build/index.js'
const DIFF = ['migrate', 'diff', '--from-migrations', MIGRATIONS, '--to-schema', 'prisma/schema.prisma']

const [name, ...options] = process.argv.slice(2)
if (name === '--check')
  process.exit(spawnSync(process.execPath, [PRISMA, ...DIFF, '--exit-code'], { stdio: 'inherit' }).status ?? 1)
if (!/^[a-z][a-z0-9_]*$/.test(name ?? '') || options.some((each) => each !== '--empty')) {
  exit('Name the migration in snake case, for example: npm run migration -- add_middle_name')
}
const sql = options.includes('--empty') ? '' : readDifference()
// Migrations run in the order of their names, which begin with the time in UTC, such as 20261124093000.
const timestamp = new Date().toISOString().slice(0, 19).replaceAll(/\D/g, '')
const file = join(MIGRATIONS, `${timestamp}_${name}`, 'migration.sql')
mkdirSync(dirname(file))
writeFileSync(file, sql)
console.log(`${file} is written. Read its SQL, and complete it where rows must change too.`)
console.log('Then run: npm run generate')

function readDifference() {
  const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }
  const difference = execFileSync(process.execPath, [PRISMA, ...DIFF, '--script'], options)
  if (!difference.includes('--')) exit('Prisma printed no SQL.') // each statement has a comment
  if (difference.trim() === '-- This is an empty migration.')
    exit('prisma/schema.prisma has no change that the migrations lack. For SQL alone, add --empty.')
  return difference
}

function exit(message) {
  console.error(message)
  process.exit(1)
}
