// Imports accounts from a file, on the command line of the server: `npm run import -- --help`.
import { constants } from 'node:os'
import { systemClock } from './adapters/clock.ts'
import { phoneNumbers } from './adapters/phone-numbers.ts'
import { openServiceDatabase } from './command-line/database.ts'
import { Impossible, Misuse, told } from './command-line/errors.ts'
import { readConfig } from './config.ts'
import { Failure } from './domain/failure.ts'
import { orderOf } from './import/arguments.ts'
import { HELP } from './import/help.ts'
import { importFile } from './import/import-file.ts'
import { progressBar } from './import/progress.ts'
import { summary } from './import/summary.ts'
import { jsonLog } from './log.ts'
import { OtherImport } from './store/imports.ts'
import { openStore } from './store/index.ts'
import { variables } from './variables.ts'

const HINTS = { help: 'npm run import -- --help', remedy: 'stop the service first.' }
const REFUSED = 3

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  console.error(withoutData(told(explained(error), HINTS)))
  process.exitCode = error instanceof Misuse ? 2 : 1
}

async function run(given: readonly string[]): Promise<number> {
  const order = orderOf(given)
  if (order.name === 'help') {
    console.log(HELP)
    return 0
  }

  const database = await openServiceDatabase(readConfig(variables()))
  try {
    const { imports } = openStore(database, { clock: systemClock, log: jsonLog('silent'), isAddressed: false })
    const progress = progressBar(process.stderr, () => systemClock.nowMs())
    const { signal, exitCode } = stopping()
    const tell = (text: string): void => console.error(text)
    const parts = { imports, phoneNumbers, clock: systemClock, progress, tell, signal }
    const outcome = await importFile(order, parts)
    console.log(summary(outcome, order.isDryRun))
    if (outcome.end === 'stopped') return exitCode()
    return outcome.state.refused > 0 ? REFUSED : 0
  } finally {
    await database.close()
  }
}

/** The first signal ends the import behind the batch that is being written. */
function stopping(): { signal: AbortSignal; exitCode: () => number } {
  const controller = new AbortController()
  let number = 0
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      number ||= constants.signals[name]
      controller.abort()
    })
  }
  return { signal: controller.signal, exitCode: () => 128 + number }
}

/** What the operator can do about it. */
function explained(error: unknown): unknown {
  if (error instanceof OtherImport) return new Impossible('Another process imports this file now.', { cause: error })
  if (error instanceof Failure && error.code === 'database_unavailable') {
    return new Impossible('The database does not answer. Run the same command again to go on.', { cause: error })
  }
  return error
}

/** What a database says of a fault beside its message may hold what people are called by. */
function withoutData(shown: unknown): unknown {
  return shown instanceof Error ? shown.stack : shown
}
