import { parseArgs, type ParseArgsConfig } from 'node:util'
import { Failure } from '../domain/failure.ts'
import { say } from '../messages/index.ts'
import { DirectoryInUse, explainFullDisk, StartupError } from '../lib/startup-error.ts'

type Hints = Readonly<{
  /** The command that prints the help */
  help: string
  /** What to do if another process uses the embedded database */
  remedy: string
}>

/**
 * Runs a command with the arguments of the process, prints an error, and sets the exit code.
 *
 * @param run returns the exit code
 * @param print prints the message of an expected error, and any other error itself
 */
export async function runProgram(
  run: (args: readonly string[]) => Promise<number>,
  hints: Hints,
  print: (shown: unknown) => void = console.error,
): Promise<void> {
  process.stdout.off('error', ignoreClosedReader).on('error', ignoreClosedReader)
  try {
    process.exitCode = await run(process.argv.slice(2))
  } catch (error) {
    print(describeError(explainFullDisk(error), hints))
    process.exitCode = error instanceof UsageError ? 2 : 1
  }
}

/** Lets a command go on when its reader, such as `head`, has enough. */
function ignoreClosedReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}

function describeError(error: unknown, { help, remedy }: Hints): unknown {
  if (error instanceof DirectoryInUse) {
    return `The data directory ${error.directory} is in use by ${error.holder}. The embedded database serves one process at a time.
${remedy}`
  }
  if (error instanceof Failure) return say('en', error.code)
  if (error instanceof UsageError) return `${error.message}\nFor help, run ${help}.`
  return error instanceof StartupError || error instanceof CommandError ? error.message : error
}

/** @throws UsageError for an unknown option, a missing value or an argument that is not allowed */
export function parseArguments<const Config extends ParseArgsConfig>(
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config)
  } catch (error) {
    throw new UsageError((error as Error).message.split('. ')[0], { cause: error })
  }
}

export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The command failed for a reason that the message explains to the operator. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}
