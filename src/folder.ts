import { accessSync, constants, mkdirSync } from 'node:fs'
import { StartFailure } from './start-failure.ts'

/**
 * Makes a folder for this user alone, where there is none.
 *
 * @throws StartFailure when it cannot be written
 */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.W_OK)
  } catch (error) {
    const { message } = error as Error
    throw new StartFailure(`The data directory ${folder} cannot be written: ${message}.`, { cause: error })
  }
}
