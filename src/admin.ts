// Administers accounts and keys from the command line of the server: `npm run admin -- help`.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from './adapters/clock.ts'
import { commandOf, Misuse } from './command-line/arguments.ts'
import { Impossible, perform } from './command-line/commands.ts'
import { HELP } from './command-line/help.ts'
import { rotateKeys } from './command-line/rotate-keys.ts'
import { readConfig, type Config } from './config.ts'
import { Failure } from './domain/failure.ts'
import { jsonLog } from './log.ts'
import { say } from './messages/index.ts'
import { placeOf } from './parts.ts'
import { FolderInUse, StartFailure } from './start-failure.ts'
import { openDatabase, type Database } from './store/database.ts'
import { openStore } from './store/index.ts'
import { variables } from './variables.ts'

try {
  console.log(await answer(process.argv.slice(2)))
} catch (error) {
  console.error(told(error))
  process.exitCode = error instanceof Misuse ? 2 : 1
}

async function answer(given: readonly string[]): Promise<string> {
  const command = commandOf(given)
  if (command.name === 'help') return HELP

  const config = readConfig(variables())
  if (command.name === 'rotate-keys') {
    const { said, keys } = rotateKeys(command, config.keys, systemClock.nowMs())
    if (keys === undefined) return said
    console.error(said) // only the secrets go where they may be redirected from
    return keys
  }
  const database = await open(config)
  try {
    return await perform(command, openStore(database, { clock: systemClock, log: jsonLog('silent') }))
  } finally {
    await database.close()
  }
}

/** Nobody has an account in a database that is not there yet: DATA_DIR may be another one than the service has. */
async function open(config: Config): Promise<Database> {
  const place = placeOf(config)
  if ('folder' in place && !existsSync(join(place.folder, 'database'))) {
    throw new Impossible(
      `There is no database in ${place.folder}. Start the service once, or set DATA_DIR or DATABASE_URL as it has them.`,
    )
  }
  return openDatabase(place)
}

/** A mistake in words; anything else is a fault of ours, and is shown with what helps to find it. */
function told(error: unknown): unknown {
  if (error instanceof FolderInUse) {
    return `The data directory ${error.folder} is in use by ${error.holder}. The embedded database serves one process at a time:
stop the service first, or use its operations under /api/v1/admin.`
  }
  if (error instanceof Failure) return say('en', error.code)
  if (error instanceof Misuse) return `${error.message}\nnpm run admin -- help tells how it is used.`
  return error instanceof StartFailure || error instanceof Impossible ? error.message : error
}
