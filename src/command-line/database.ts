import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { placeOf } from '../parts.ts'
import { openDatabase, type Database } from '../store/database.ts'
import { Impossible } from './errors.ts'

/** Nobody has an account in a database that is not there yet: DATA_DIR may be another one than the service has. */
export async function openServiceDatabase(config: Config): Promise<Database> {
  const place = placeOf(config)
  if ('folder' in place && !existsSync(join(place.folder, 'database'))) {
    throw new Impossible(
      `There is no database in ${place.folder}. Start the service once, or set DATA_DIR or DATABASE_URL as it has them.`,
    )
  }
  return openDatabase(place)
}
