import type { Log } from '../../../lib/log.ts'
import type { Metrics } from '../../../lib/metrics.ts'

/**
 * - `unknown`: the file store has not responded since the start.
 * - `held`: this database is the holder.
 * - `waiting`: it is not known yet whether a copy of this database is the holder.
 * - `contested`: a copy of this database is the holder.
 * - `foreign`: the file store belongs to another database.
 * - `unconditional`: the file store cannot have a holder, because it does not support conditional writes.
 */
export type OwnershipState = 'unknown' | 'held' | 'waiting' | 'contested' | 'foreign' | 'unconditional'

/** The state, and the databases of this service and of the holder with their hosts, for operators */
export type OwnershipStatus = Readonly<{ state: OwnershipState; database: string; holder: string }>

const MESSAGES: Partial<Record<OwnershipState, (status: OwnershipStatus) => string>> = {
  contested: ({ database, holder }) =>
    `no file is deleted: another copy of this database holds the file store. This service: ${database}. Holder: ${holder}. ` +
    'If this is the copy, give it a file store of its own. If this is the live database, it takes over when the holder has ' +
    'not renewed its claim for an hour, or with npm run admin -- adopt-files',
  foreign: ({ database }) => `no file is deleted: the file store belongs to another database than ${database}`,
  unconditional: () =>
    'no file is deleted: the file store does not support conditional writes (If-Match, If-None-Match), so copies of this database ' +
    'cannot be told apart. Use a server that supports them, or run npm run admin -- sweep-files regularly',
}

/** Returns why no file is deleted; undefined if files are deleted, or will be without an operator. */
export function explainStatus(status: OwnershipStatus): string | undefined {
  return MESSAGES[status.state]?.(status)
}

/** Logs a change of the state. */
export function logChange(log: Log, previous: OwnershipState, status: OwnershipStatus): void {
  if (status.state === previous) return
  const problem = explainStatus(status)
  if (problem !== undefined) log.error(problem)
  else if (status.state === 'held' && previous !== 'unknown')
    log.info({ database: status.database }, 'this database holds the file store: files are deleted')
}

export function watchOwnership(metrics: Metrics | undefined, status: () => OwnershipStatus): void {
  metrics?.watch('tawthiq_file_store_state', () => [{ labels: { ...status() }, value: 1 }])
}
