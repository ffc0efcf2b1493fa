import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { StartFailure } from './start-failure.ts'

/**
 * Makes a folder for this user alone, where there is none.
 *
 * @throws StartFailure when it cannot be written
 */
export function makeFolder(folder: string): void {
  try {
    makeWithParents(resolve(folder))
    accessSync(folder, constants.W_OK)
  } catch (error) {
    const { message } = error as Error
    throw new StartFailure(`The data directory ${folder} cannot be written: ${message}.`, { cause: error })
  }
}

/** One by one: where nothing can be made, as below /proc, Node would try to make the parents for ever. */
function makeWithParents(folder: string): void {
  if (existsSync(folder)) return
  makeWithParents(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error // another process was faster
  }
}
