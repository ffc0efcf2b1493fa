import type { Config } from '../config/index.ts'
import type { DatabaseTarget } from '../database/index.ts'

export function chooseDatabase(config: Config): DatabaseTarget {
  const { databaseUrl: url, databaseConnections: connectionsMax, databasePassword: password, dataDir } = config
  const { databasePooler: pooler, databaseDirectUrl: directUrl, migratesAtStart: migrates } = config
  return url === undefined
    ? { directory: dataDir, migrates }
    : { url, connectionsMax, password, pooler, directUrl, migrates }
}
