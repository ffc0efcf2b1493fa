import type { Config } from '../config/index.ts'
import type { DatabaseTarget } from '../database/index.ts'
import type { Report } from '../database/migrations/locks.ts'

/** @param report if the work waits for a server that accepts no connections yet: receives the progress */
export function chooseDatabase(config: Config, report?: Report): DatabaseTarget {
  const { databaseUrl: url, databasePassword: password, dataDir } = config
  const { databaseConnections: connectionsMax, databaseIdleConnections: connectionsKept } = config
  const { databasePooler: pooler, databaseDirectUrl: directUrl, migratesAtStart: migrates } = config
  if (url === undefined) return { directory: dataDir, migrates }
  const wait = report && { seconds: config.databaseWaitSeconds, report }
  return { url, connectionsMax, connectionsKept, password, pooler, directUrl, migrates, wait }
}
