import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { systemClock } from '../../adapters/clock.ts'
import type { Config } from '../../config/index.ts'
import { openDatabase } from '../../database/index.ts'
import { makeDirectory } from '../../lib/directory.ts'
import { jsonLog } from '../../lib/log.ts'
import { StartupError } from '../../lib/startup-error.ts'
import { openStorage } from '../../composition/files.ts'
import { checkFileStore } from '../../runtime/file-store/ownership/binding.ts'
import { explainStatus } from '../../runtime/file-store/ownership/status.ts'
import { isContested, type FileStoreDependencies, type Relation } from '../../runtime/file-store/ownership/marker.ts'
import { checkBucket } from '../../runtime/start-checks.ts'
import { openStore } from '../../store/index.ts'
import { existingDatabase } from '../database.ts'
import { check, failOn, skipped, type CheckResult } from './result.ts'

/**
 * Checks that files can be written, read and deleted, with one of its own, that the service deletes files, and that uploads
 * can be stored meanwhile.
 */
export async function checkFiles(config: Config, database: Promise<readonly CheckResult[]>): Promise<CheckResult[]> {
  const storage = await check('Files', () => checkStorage(config))
  return [
    storage,
    await checkDeletion(config, [storage, ...(await database)]),
    await check('Uploads', async () => {
      makeDirectory(config.uploadsDirectory, 'UPLOADS_DIR')
      return `the directory ${config.uploadsDirectory} is writable`
    }),
  ]
}

async function checkStorage(config: Config): Promise<string> {
  failOn(await checkBucket(config))
  const storage = await openStorage(config)
  const content = randomUUID()
  const path = join(tmpdir(), `tawthiq-doctor-${content}`)
  const key = storage.newKey()
  await writeFile(path, content, { mode: 0o600 })
  try {
    await storage.put(key, path, 'text/plain')
    const stream = await storage.read(key)
    if (stream === undefined || (await text(stream)) !== content) throw new Error('the file that was written differs')
  } finally {
    await rm(path, { force: true })
    await storage.remove(key)
  }
  return `${storage.description.replace(/^The/, 'the')}: wrote, read and deleted a file`
}

const DELETION = '  deletion'

/** Checks whether this database may delete files of the file store, if the checks that this needs have not failed. */
async function checkDeletion(config: Config, needed: readonly CheckResult[]): Promise<CheckResult> {
  if (needed.some(({ status }) => status === 'failed'))
    return skipped(DELETION, 'needs the file store and the database')
  const database = await openDatabase({ ...existingDatabase(config), migrates: false }).catch((error: unknown) => {
    if (!(error instanceof StartupError)) throw error
  })
  if (!database) return skipped(DELETION, 'needs the migrations')
  const log = jsonLog('silent')
  const store = openStore(database, { clock: systemClock, log })
  const storage = await openStorage(config)
  return check(DELETION, () => describe({ store, storage })).finally(() => database.close())
}

async function describe(dependencies: FileStoreDependencies): Promise<string> {
  const { storage, store } = dependencies
  const self = await store.fileStore.describeDatabase()
  const view = await checkFileStore(dependencies)
  const { relation, marker } = view
  const holder = marker?.holder ? `${marker.holder.name}, renewed at ${marker.holder.renewed_at}` : 'unknown'
  if (!(await storage.hasConditionalWrites())) fail('unconditional', self.name, holder)
  if (relation === 'copy' || isContested(view, self.fingerprint)) fail('contested', self.name, holder)
  return relation === 'foreign' ? fail('foreign', self.name, holder) : DESCRIPTIONS[relation](holder)
}

function fail(state: 'contested' | 'foreign' | 'unconditional', database: string, holder: string): never {
  throw new Error(explainStatus({ state, database, holder }))
}

const DESCRIPTIONS: Readonly<Record<Exclude<Relation, 'copy' | 'foreign'>, (holder: string) => string>> = {
  unbound: () => 'the first start binds the file store to this database',
  current: (holder) => `this database holds the file store (${holder})`,
  legacy: () => 'version 0.2.0 used the file store last: files are deleted two hours after its last sweep',
}
