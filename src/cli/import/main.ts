// The command that imports accounts from a file: `npm run import -- --help`.
import { constants } from 'node:os'
import { systemClock } from '../../adapters/clock.ts'
import { inRanges, phoneNumbers } from '../../adapters/sms/phone-numbers.ts'
import { openServiceDatabase } from '../database.ts'
import { CommandError, runProgram } from '../program.ts'
import { readConfig } from '../../config/index.ts'
import { Failure } from '../../domain/failure.ts'
import { parseOptions } from './arguments.ts'
import { openFactorSupport } from './factor-support.ts'
import { HELP } from './help.ts'
import { importFile } from './import-file.ts'
import { progressBar } from './progress.ts'
import { summary } from './report/summary.ts'
import { jsonLog } from '../../lib/log.ts'
import { OtherImport } from '../../store/imports/index.ts'
import { openStore } from '../../store/index.ts'
import { readEnvironment } from '../../lib/env.ts'

const HINTS = { help: 'npm run import -- --help', remedy: 'Stop the service first.' }
const EXIT_REJECTED = 3

await runProgram((args) => run(args).catch(throwExplained), HINTS, printWithoutDetails)

async function run(args: readonly string[]): Promise<number> {
  const options = parseOptions(args)
  if (!options) {
    console.log(HELP)
    return 0
  }

  const config = readConfig(readEnvironment())
  const database = await openServiceDatabase(config)
  try {
    const shared = { clock: systemClock, log: jsonLog('silent') }
    const { imports, keyHolders } = openStore(database, shared)
    const progress = progressBar(process.stderr, () => systemClock.nowMs())
    const { signal, exitCode } = watchSignals()
    const factorSupport = await openFactorSupport(config, { ...shared, imports, keyHolders, format: options.format })
    const dependencies = {
      ...{ imports, factorSupport, progress, signal },
      phoneNumbers: phoneNumbers(inRanges(config.sms.numberRanges)),
      clock: systemClock,
      notify: console.error,
    }
    const outcome = await importFile(options, dependencies)
    console.log(summary(outcome, options.isDryRun))
    if (outcome.end === 'stopped') return exitCode()
    return outcome.state.refused > 0 ? EXIT_REJECTED : 0
  } finally {
    await database.close()
  }
}

/** Stops the import on the first signal, after the current batch. */
function watchSignals(): { signal: AbortSignal; exitCode: () => number } {
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

function throwExplained(error: unknown): never {
  if (error instanceof OtherImport)
    throw new CommandError(
      'Another process is importing this file. Wait for it to finish, then run the command again.',
      { cause: error },
    )
  if (error instanceof Failure && error.code === 'database_unavailable') {
    throw new CommandError('The database is unavailable. Run the same command again to continue.', { cause: error })
  }
  throw error
}

/** Prints a message, or the stack of an error without its details, which can contain personal data of rows. */
function printWithoutDetails(shown: unknown): void {
  console.error(shown instanceof Error ? shown.stack : shown)
}
