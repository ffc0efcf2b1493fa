// The command that administers accounts, keys, files and the audit trail: `npm run admin -- help`.
import { systemClock } from '../../adapters/clock.ts'
import { parseCommand } from './arguments.ts'
import { HELP } from './help.ts'
import { runProgram } from '../program.ts'
import { rotateKeys } from './rotate-keys.ts'
import { readConfig } from '../../config/index.ts'
import { readEnvironment } from '../../lib/env.ts'

const HINTS = {
  help: 'npm run admin -- help',
  remedy: 'Stop the service first, or use its operations under /api/v1/admin.',
}

await runProgram(async (args) => {
  console.log(await run(args))
  return 0
}, HINTS)

async function run(args: readonly string[]): Promise<string> {
  const command = parseCommand(args)
  if (command.name === 'help') return HELP

  const config = readConfig(readEnvironment())
  if (command.name === 'rotate-keys') {
    const { message, keys } = rotateKeys(command, config.keys, systemClock.nowMs())
    if (keys === undefined) return message
    console.error(message) // standard output carries only the keys, so that it can be redirected to a file
    return keys
  }
  const { runOnDatabase } = await import('./run-on-database.ts') // keys are rotated without loading the database
  return runOnDatabase(command, config)
}
