import { systemClock } from '../../adapters/clock.ts'
import type { Config } from '../../config/index.ts'
import { openDatabase } from '../../database/index.ts'
import { jsonLog } from '../../lib/log.ts'
import { StartupError } from '../../lib/startup-error.ts'
import { openStorage } from '../../composition/files.ts'
import { checkFileStore } from '../../runtime/file-store/binding.ts'
import { explainStatus } from '../../runtime/file-store/ownership-status.ts'
import { isContested, type FileStoreDependencies, type Relation, type View } from '../../runtime/file-store/relation.ts'
import { openStore } from '../../store/index.ts'
import { existingDatabase } from '../database.ts'
import { check, skipped, type CheckResult } from './check.ts'

const NAME = '  deletion'

/**
 * Checks whether this database may delete files of the file store.
 *
 * @param needed the checks of the file store and the database
 */
export async function checkDeletion(config: Config, needed: readonly CheckResult[]): Promise<CheckResult> {
  if (needed.some(({ status }) => status === 'failed')) return skipped(NAME, 'needs the file store and the database')
  const database = await openDatabase({ ...existingDatabase(config), migrates: false }).catch((error: unknown) => {
    if (!(error instanceof StartupError)) throw error
  })
  if (!database) return skipped(NAME, 'needs the migrations')
  const log = jsonLog('silent')
  const store = openStore(database, { clock: systemClock, log })
  const storage = await openStorage(config)
  return check(NAME, () => describe({ store, storage })).finally(() => database.close())
}

async function describe(dependencies: FileStoreDependencies): Promise<string> {
  const { storage, store } = dependencies
  const self = await store.fileStore.describeDatabase()
  const view = await checkFileStore(dependencies)
  const holder = nameHolder(view)
  const { relation } = view
  if (!(await storage.hasConditionalWrites())) fail('unconditional', self.name, holder)
  if (relation === 'copy' || isContested(view, self.fingerprint)) fail('contested', self.name, holder)
  return relation === 'foreign' ? fail('foreign', self.name, holder) : DESCRIPTIONS[relation](holder)
}

function nameHolder({ marker }: View): string {
  return marker?.holder ? `${marker.holder.name}, renewed at ${marker.holder.renewed_at}` : 'unknown'
}

function fail(state: 'contested' | 'foreign' | 'unconditional', database: string, holder: string): never {
  throw new Error(explainStatus({ state, database, holder }))
}

const DESCRIPTIONS: Readonly<Record<Exclude<Relation, 'copy' | 'foreign'>, (holder: string) => string>> = {
  unbound: () => 'the first start binds the file store to this database',
  current: (holder) => `this database holds the file store (${holder})`,
  legacy: () => 'version 0.2.0 used the file store last: files are deleted two hours after its last sweep',
}
