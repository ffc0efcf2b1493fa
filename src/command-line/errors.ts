import { Failure } from '../domain/failure.ts'
import { say } from '../messages/index.ts'
import { FolderInUse, StartFailure } from '../start-failure.ts'

/** The command is none, or lacks something. */
export class Misuse extends Error {
  override readonly name = 'Misuse'
}

/** What cannot be done, in words for the operator. */
export class Impossible extends Error {
  override readonly name = 'Impossible'
}

/**
 * A mistake in words; anything else is a fault of ours, and is shown with what helps to find it.
 *
 * @param help how the help of the program is asked for
 * @param remedy what to do when another process has the embedded database
 */
export function told(error: unknown, { help, remedy }: { help: string; remedy: string }): unknown {
  if (error instanceof FolderInUse) {
    return `The data directory ${error.folder} is in use by ${error.holder}. The embedded database serves one process at a time:
${remedy}`
  }
  if (error instanceof Failure) return say('en', error.code)
  if (error instanceof Misuse) return `${error.message}\n${help} tells how it is used.`
  return error instanceof StartFailure || error instanceof Impossible ? error.message : error
}
