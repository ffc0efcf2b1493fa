// The command that migrates the database: `npm run migrate -- --help`.
import { existingDatabase } from '../database.ts'
import { parseArguments, runProgram, UsageError } from '../program.ts'
import { readConfig, type Config } from '../../config/index.ts'
import { checkCompatibility } from '../../database/compatibility/check.ts'
import { onDatabase } from '../../database/index.ts'
import { prepareTables, readTablesState, type TablesState } from '../../database/migrations/prepare.ts'
import { readEnvironment } from '../../lib/env.ts'
import { chooseDatabase } from '../../composition/database.ts'

const HELP = `Create or update the tables of the database of a Tawthiq service.

Usage: npm run migrate -- [--status | --dry-run | --check-compatibility]

  --status    List what is missing, and change nothing. Exits with 3 if anything is missing
  --dry-run   Print the SQL that would run, and change nothing
  --check-compatibility
              Say whether instances of the last release can run beside this version, and can be started again after
              migrate. Changes nothing. Exits with 3 if they cannot
  -h, --help  Show this text

Run it once before each new version, with a user who owns the tables. Instances of the previous version continue to serve
requests meanwhile: a migration waits at most 0.5 s for a table, and is repeated until the table is free. Without npm, run
node dist/service/main.js migrate.

Configuration:
  DATABASE_URL, or DATA_DIR for the embedded database. Stop the service first if it uses the embedded database.

Exit codes:
  0  The database is up to date
  1  The command failed; standard error says why
  2  Usage error
  3  Migrations are missing (--status), or the last release is not compatible (--check-compatibility)`

const FLAG = { type: 'boolean' } as const
const OPTIONS = { help: { ...FLAG, short: 'h' }, status: FLAG, 'dry-run': FLAG, 'check-compatibility': FLAG } as const
const HINTS = { help: 'npm run migrate -- --help', remedy: 'Stop the service first.' }
/** Migrations are missing, or versions are not compatible. */
const EXIT_NEGATIVE = 3

await runProgram(run, HINTS)

async function run(args: readonly string[]): Promise<number> {
  const { values: options } = parseArguments({ args: [...args], options: OPTIONS })
  if (Object.keys(options).length > 1) throw new UsageError('Use only one option.')
  if (options.help) {
    console.log(HELP)
    return 0
  }
  const config = readConfig(readEnvironment())
  if (options['check-compatibility']) {
    const { text, isPossible } = await checkCompatibility(chooseDatabase(config))
    console.log(text)
    return isPossible ? 0 : EXIT_NEGATIVE
  }
  if (!options.status && !options['dry-run']) return apply(config)
  const state = await onDatabase(existingDatabase(config), readTablesState)
  console.log(options.status ? describeState(state) : describeSql(state))
  return options.status && !isCurrent(state) ? EXIT_NEGATIVE : 0
}

async function apply(config: Config): Promise<number> {
  const report = (line: string): void => console.log(line)
  const applied = await onDatabase(chooseDatabase(config, report), (client) => prepareTables(client, report))
  console.log(`The database is up to date: ${applied.length} migrations applied.`)
  return 0
}

function isCurrent({ pending, isReferenceCurrent }: TablesState): boolean {
  return pending.length === 0 && isReferenceCurrent
}

function describeState(state: TablesState): string {
  const { applied, pending, later } = state
  return [
    `${applied.length} migrations applied, ${pending.length} missing${pending.length > 0 ? ':' : '.'}`,
    ...pending.map(({ name }) => `  ${name}`),
    ...(later.length > 0 ? [`${later.length} of a later version, which this version accepts:`] : []),
    ...later.map((name) => `  ${name}`),
    `Lookup rows: ${state.isReferenceCurrent ? 'up to date' : 'different from this version'}.`,
    ...(isCurrent(state) ? [] : ['To update the database, run npm run migrate.']),
  ].join('\n')
}

function describeSql({ pending, isReferenceCurrent }: TablesState): string {
  const migrations = pending.map(({ name, sql, isOutside }) =>
    [`-- ${name}`, isOutside ? sql.trim() : `BEGIN;\n${sql.trim()}\nCOMMIT;`].join('\n'),
  )
  const reference = isReferenceCurrent ? [] : ['-- Then the lookup rows of prisma/reference are written.']
  const parts = [...migrations, ...reference]
  return parts.length === 0 ? '-- The database is up to date.' : parts.join('\n\n')
}
