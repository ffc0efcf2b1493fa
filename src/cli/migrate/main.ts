// The command that migrates the database: `npm run migrate -- --help`.
import { parseArgs } from 'node:util'
import { existingDatabase } from '../database.ts'
import { UsageError, describeError } from '../errors.ts'
import { readConfig, type Config } from '../../config/index.ts'
import { onDatabase } from '../../database/index.ts'
import { prepareTables, readTablesState, type TablesState } from '../../database/migrations/prepare.ts'
import { readEnvironment } from '../../lib/env.ts'
import { chooseDatabase } from '../../runtime/factories.ts'
import { HELP } from './help.ts'

const HINTS = { help: 'npm run migrate -- --help', remedy: 'Stop the service first.' }
const EXIT_PENDING = 3

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  console.error(describeError(error, HINTS))
  process.exitCode = error instanceof UsageError ? 2 : 1
}

async function run(args: readonly string[]): Promise<number> {
  const options = parseOptions(args)
  if (options.help) {
    console.log(HELP)
    return 0
  }
  const config = readConfig(readEnvironment())
  if (!options.status && !options['dry-run']) return apply(config)
  const state = await onDatabase(existingDatabase(config), readTablesState)
  console.log(options.status ? describeState(state) : describeSql(state))
  return options.status && !isCurrent(state) ? EXIT_PENDING : 0
}

type Options = { help?: boolean; status?: boolean; 'dry-run'?: boolean }

function parseOptions(args: readonly string[]): Options {
  const flag = { type: 'boolean' } as const
  const options = { help: { ...flag, short: 'h' }, status: flag, 'dry-run': flag }
  try {
    const { values } = parseArgs({ args: [...args], options })
    if (values.status && values['dry-run']) throw new UsageError('Use either --status or --dry-run.')
    return values
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError((error as Error).message.split('. ')[0], { cause: error })
  }
}

async function apply(config: Config): Promise<number> {
  const applied = await onDatabase(chooseDatabase(config), (client) =>
    prepareTables(client, (line) => console.log(line)),
  )
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
