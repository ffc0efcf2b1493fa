import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { StartupError } from './startup-error.ts'

/**
 * Creates a directory that only this user can access, if it does not exist.
 *
 * @throws StartupError that names the variable, when it cannot be written
 */
export function makeDirectory(directory: string, variable?: string): void {
  try {
    makeWithParents(resolve(directory))
    if (!statSync(directory).isDirectory()) throw new Error('it is not a directory')
    accessSync(directory, constants.W_OK | constants.X_OK)
  } catch (error) {
    const { message } = error as Error
    const source = variable === undefined ? '' : ` (${variable})`
    throw new StartupError(`The directory ${directory}${source} is not writable: ${message}.`, { cause: error })
  }
}

/** Creates parents one by one: below /proc, the recursive option of Node would never return. */
function makeWithParents(directory: string): void {
  if (existsSync(directory)) return
  makeWithParents(dirname(directory))
  try {
    mkdirSync(directory, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error // another process created it
  }
}
