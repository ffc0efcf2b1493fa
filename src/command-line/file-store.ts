import { adoptFileStore, describeFileStore } from '../file-store/binding.ts'
import { QUARANTINE_DAYS, sweepFiles, type Swept } from '../file-store/sweep.ts'
import type { Command } from './arguments.ts'
import { Impossible } from './errors.ts'

type Parts = Parameters<typeof sweepFiles>[0]
type OfFiles = Extract<Command, { name: 'sweep-files' | 'adopt-files' }>

const KEYS_SHOWN_MAX = 100

/** Sweeps the file store or binds it to the database; gives what the operator is told. */
export async function performOnFiles(command: OfFiles, parts: Parts): Promise<string> {
  if (command.name === 'adopt-files') return adopt(command.isConfirmed, parts)
  const { isDryRun, orphansMax } = command
  const swept = await sweepFiles(parts, { isDryRun, orphansMax })
  if (!swept) throw new Impossible('Another sweep of the files is running. Try again when it has ended.')
  if (swept.outcome === 'restored_database') throw new Impossible(RESTORED)
  if (swept.outcome === 'too_many_orphans' && !isDryRun) throw new Impossible(tooMany(swept))
  return [
    `${parts.storage.place} holds ${files(swept.stock.files)}.`,
    `Other objects, which are never touched: ${swept.stock.foreign}`,
    ...listed(isDryRun ? 'Would be deleted now' : 'Deleted', swept.deleted),
    ...listed(
      `${isDryRun ? 'Would be scheduled' : 'Scheduled'} for deletion in ${QUARANTINE_DAYS} days`,
      swept.stock.orphans,
    ),
    `Already scheduled for deletion: ${swept.stock.waiting.length}`,
    ...(isDryRun ? ['Nothing was changed.'] : []),
    ...(swept.outcome === 'too_many_orphans' ? [tooMany(swept)] : []),
  ].join('\n')
}

const RESTORED = `The file store was swept since the state of this database, which seems to be restored from a backup or to be a copy.
Files that were stored after the backup have no row in it, and a sweep would delete them. To sweep all the same,
run npm run admin -- adopt-files first.`

function tooMany({ stock, bound }: Swept): string {
  return `The sweep stops: ${stock.orphans.length} of ${files(stock.files)} have no row in this database, and it takes ${bound} at the most.
Check that DATABASE_URL and the file store belong together. To sweep all the same, give --max ${stock.orphans.length}.`
}

function listed(title: string, keys: readonly string[]): string[] {
  const more = keys.length - KEYS_SHOWN_MAX
  return [
    `${title}: ${keys.length}`,
    ...keys.slice(0, KEYS_SHOWN_MAX).map((key) => `  ${key}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ]
}

function files(count: number): string {
  return count === 1 ? '1 file' : `${count} files`
}

async function adopt(isConfirmed: boolean, parts: Parts): Promise<string> {
  const { standing, known, files: count } = await describeFileStore(parts)
  const facts = `${parts.storage.place} ${STANDINGS[standing]} It holds ${files(count)}, of which this database knows ${known}.`
  if (!isConfirmed) return `${facts}\nNothing was changed. To bind it to this database, add --yes.`
  await adoptFileStore(parts)
  return `${facts}\nIt belongs to this database now. Files that the database does not know are deleted after ${QUARANTINE_DAYS} days.`
}

const STANDINGS = {
  unbound: 'belongs to no database yet.',
  bound: 'belongs to this database.',
  ahead: 'belongs to this database, which seems to be older than the files.',
  foreign: 'belongs to another database.',
}
