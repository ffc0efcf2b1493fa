import { adoptFileStore, checkFileStore, QUARANTINE_DAYS } from '../../runtime/file-store/ownership/binding.ts'
import { describeFileStore, findMissingFiles } from '../../runtime/file-store/sweep/inventory.ts'
import { createOwnership } from '../../runtime/file-store/ownership/index.ts'
import { isLatest, type Relation } from '../../runtime/file-store/ownership/marker.ts'
import { sweepFiles, type SweepDependencies, type SweepResult } from '../../runtime/file-store/sweep/index.ts'
import type { Command } from './arguments.ts'
import { CommandError } from '../program.ts'

type Dependencies = Omit<SweepDependencies, 'mayDelete'>
type FileCommand = Extract<Command, { name: 'sweep-files' | 'adopt-files' | 'check-files' }>

const KEYS_SHOWN_MAX = 100

/** Sweeps, binds or checks the file store, and returns the message for the operator. */
export async function runFileCommand(command: FileCommand, dependencies: Dependencies): Promise<string> {
  if (command.name === 'adopt-files') return adopt(command.isConfirmed, dependencies)
  if (command.name === 'check-files') return check(dependencies)
  return sweep(command, dependencies)
}

async function sweep(
  { isDryRun, orphansMax }: Extract<Command, { name: 'sweep-files' }>,
  dependencies: Dependencies,
): Promise<string> {
  if (!isDryRun) await createOwnership(dependencies).renew() // binds a store without a marker
  const { fingerprint } = await dependencies.store.fileStore.describeDatabase()
  const mayDelete = async (): Promise<boolean> => isLatest(await checkFileStore(dependencies), fingerprint)
  const result = await sweepFiles({ ...dependencies, mayDelete }, { isDryRun, orphansMax })
  if (!result) throw new CommandError('Another file sweep is running. Try again when it has finished.')
  if (result.outcome === 'not_holder' && !isDryRun) throw new CommandError(NOT_HOLDER_MESSAGE)
  if (result.outcome === 'too_many_orphans' && !isDryRun) throw new CommandError(tooManyMessage(result))
  return [
    `${dependencies.storage.description} contains ${formatFileCount(result.inventory.files)}.`,
    `Other objects, which are never changed: ${result.inventory.foreign}`,
    ...formatList(isDryRun ? 'Would be deleted now' : 'Deleted', result.deleted),
    ...formatList(
      `${isDryRun ? 'Would be scheduled' : 'Scheduled'} for deletion in ${QUARANTINE_DAYS} days`,
      result.inventory.orphans,
    ),
    `Already scheduled for deletion: ${result.inventory.waiting.length}`,
    ...(isDryRun ? ['Nothing was changed.'] : []),
    ...(result.outcome === 'too_many_orphans' ? [tooManyMessage(result)] : []),
    ...(result.outcome === 'not_holder' ? [NOT_HOLDER_MESSAGE] : []),
  ].join('\n')
}

const NOT_HOLDER_MESSAGE = `Another copy of this database renewed its claim to the file store last, or this database was restored to an earlier
state. A sweep would delete files that the other one needs. If this database is the live one, start the service, which takes
over an hour after the last renewal, or run npm run admin -- adopt-files.`

function tooManyMessage({ inventory, orphansAllowed }: SweepResult): string {
  return `The sweep was stopped: ${inventory.orphans.length} of ${formatFileCount(inventory.files)} have no row in this database, and the limit is ${orphansAllowed}.
Check that DATABASE_URL and the file store belong together. To sweep nevertheless, add --max ${inventory.orphans.length}.`
}

function formatList(title: string, keys: readonly string[]): string[] {
  const more = keys.length - KEYS_SHOWN_MAX
  return [
    `${title}: ${keys.length}`,
    ...keys.slice(0, KEYS_SHOWN_MAX).map((key) => `  ${key}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ]
}

function formatFileCount(count: number): string {
  return count === 1 ? '1 file' : `${count} files`
}

async function adopt(isConfirmed: boolean, dependencies: Dependencies): Promise<string> {
  const { relation, known, files: count } = await describeFileStore(dependencies)
  const facts = `${dependencies.storage.description} ${RELATIONS[relation]} It contains ${formatFileCount(count)}, of which this database knows ${known}.`
  if (!isConfirmed) return `${facts}\nNothing was changed. To bind the file store to this database, add --yes.`
  await adoptFileStore(dependencies, dependencies.clock.nowMs())
  return `${facts}\nIt now belongs to this database. Files that the database does not know will be deleted after ${QUARANTINE_DAYS} days. Other copies of this database stop deleting files within a minute.`
}

/** @throws CommandError that lists files of the database that the store does not have */
async function check({ storage, store }: Dependencies): Promise<string> {
  const { rows, missing } = await findMissingFiles(storage, store)
  if (missing.length === 0) return `${storage.description} has all files that the database names: ${rows}`
  const keys = missing.map(({ accountId, kind, key }) => `${key} (${kind} of account ${accountId})`)
  throw new CommandError(
    [
      `${storage.description} lacks ${missing.length} of the ${formatFileCount(rows)} that the database names.`,
      ...formatList('Missing', keys),
    ].join('\n'),
  )
}

const RELATIONS: Readonly<Record<Relation, string>> = {
  unbound: 'does not belong to a database yet.',
  current: 'belongs to this database.',
  legacy: 'belongs to this database.',
  copy: 'belongs to another copy of this database, or to a later state of it.',
  foreign: 'belongs to another database.',
}
