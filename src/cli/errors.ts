import { Failure } from '../domain/failure.ts'
import { say } from '../messages/index.ts'
import { DirectoryInUse, StartupError } from '../lib/startup-error.ts'

/** The command line is invalid. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The command failed for a reason that the message explains to the operator. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}

/**
 * Returns the message of an expected error, and any other error unchanged, to be printed with its stack.
 *
 * @param help the command that prints the help
 * @param remedy what to do if another process uses the embedded database
 */
export function describeError(error: unknown, { help, remedy }: { help: string; remedy: string }): unknown {
  if (error instanceof DirectoryInUse) {
    return `The data directory ${error.directory} is in use by ${error.holder}. The embedded database serves one process at a time.
${remedy}`
  }
  if (error instanceof Failure) return say('en', error.code)
  if (error instanceof UsageError) return `${error.message}\nFor help, run ${help}.`
  return error instanceof StartupError || error instanceof CommandError ? error.message : error
}
