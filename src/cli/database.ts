import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/index.ts'
import { chooseDatabase } from '../composition/database.ts'
import { withoutPooler } from '../database/connection/index.ts'
import { requireSameDatabase } from '../database/connection/check.ts'
import { openDatabase, type Database, type DatabaseTarget } from '../database/index.ts'
import { CommandError } from './program.ts'

export async function openServiceDatabase(config: Config): Promise<Database> {
  const target = existingDatabase(config)
  if ('url' in target) await requireSameDatabase(target)
  return openDatabase('url' in target ? withoutPooler(target) : target)
}

/**
 * Returns the database of the service.
 *
 * @throws CommandError if it does not exist, which suggests that DATA_DIR differs from the one of the service
 */
export function existingDatabase(config: Config): DatabaseTarget {
  const target = chooseDatabase(config)
  if ('directory' in target && !existsSync(join(target.directory, 'database'))) {
    throw new CommandError(
      `There is no database in ${target.directory}. Start the service once, or set DATA_DIR or DATABASE_URL to the value that the service uses.`,
    )
  }
  return target
}
