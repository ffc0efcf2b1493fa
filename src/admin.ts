// Administers accounts and keys from the command line of the server: `npm run admin -- help`.
import { systemClock } from './adapters/clock.ts'
import { hmacSeals } from './adapters/seals.ts'
import { commandOf } from './command-line/arguments.ts'
import { perform } from './command-line/commands.ts'
import { openServiceDatabase } from './command-line/database.ts'
import { performOnFiles } from './command-line/file-store.ts'
import { Misuse, told } from './command-line/errors.ts'
import { HELP } from './command-line/help.ts'
import { verifyAudit } from './command-line/verify-audit.ts'
import { rotateKeys } from './command-line/rotate-keys.ts'
import { readConfig } from './config.ts'
import { jsonLog } from './log.ts'
import { keysOf, storageOf } from './parts.ts'
import { openStore } from './store/index.ts'
import { variables } from './variables.ts'

const HINTS = {
  help: 'npm run admin -- help',
  remedy: 'stop the service first, or use its operations under /api/v1/admin.',
}

try {
  console.log(await answer(process.argv.slice(2)))
} catch (error) {
  console.error(told(error, HINTS))
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
  const isAddressed = config.events !== undefined
  const database = await openServiceDatabase(config)
  try {
    const log = jsonLog('silent')
    const store = openStore(database, { clock: systemClock, log, isAddressed })
    if (command.name === 'verify-audit')
      return await verifyAudit({ store, seals: hmacSeals(keysOf(config).auditSeals), auditDays: config.auditDays })
    if (command.name !== 'sweep-files' && command.name !== 'adopt-files') return await perform(command, store)
    return await performOnFiles(command, { storage: await storageOf(config), store, clock: systemClock, log })
  } finally {
    await database.close()
  }
}
