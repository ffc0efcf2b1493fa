// Only the holder of a file store deletes files. A copy of the database that uses the same store, such as a clone for
// staging, must not delete files that the original needs.
import { hostname } from 'node:os'
import type { Clock } from '../../../domain/clock.ts'
import type { Log } from '../../../lib/log.ts'
import { StartupError } from '../../../lib/startup-error.ts'
import type { DatabaseDescription } from '../../../store/files/ownership.ts'
import { checkFileStore, QUARANTINE_DAYS } from './binding.ts'
import { createObserver } from './observer.ts'
import { explainStatus, logChange, type OwnershipState, type OwnershipStatus } from './status.ts'
import { isLatest, readRelation, renewMarker, type FileStoreDependencies, type View } from './marker.ts'

export type Ownership = {
  /**
   * Renews the marker, or takes it over when that is allowed. Every instance runs this each minute, and one of them writes.
   *
   * @throws StartupError if the store belongs to another database
   * @throws Failure if the store or the database does not respond
   */
  renew(): Promise<OwnershipState>
  /** Returns whether files may be deleted. Reads the marker, so that a holder that has lost the store notices it. */
  isHolder(): Promise<boolean>
  status(): OwnershipStatus
  /** Throws if no file is deleted until an operator acts or the holder ends. */
  check(): Promise<void>
}

type Dependencies = FileStoreDependencies & Readonly<{ clock: Clock; log: Log }>

/** Slightly less than the interval between renewals, so that one of several instances writes */
const RENEWED_SECONDS = 50

export function createOwnership(dependencies: Dependencies): Ownership {
  const { storage, store, clock, log } = dependencies
  const observer = createObserver()
  let self: DatabaseDescription | undefined
  let isConditional: boolean | undefined
  let status: OwnershipStatus = { state: 'unknown', database: '', holder: '' }

  const enter = (state: OwnershipState, view?: View): OwnershipState => {
    const { state: previous } = status
    const database = self?.name ?? ''
    status = { state, database, holder: state === 'held' ? database : (view?.marker?.holder?.name ?? '') }
    logChange(log, previous, status)
    return state
  }

  const write = async (view: View, holder: DatabaseDescription, postponeDays: number): Promise<void> => {
    const options = { holder, nowMs: clock.nowMs(), postponeDays, isConditional: isConditional === true }
    if ((await renewMarker(dependencies, view, options)) && isConditional === true) observer.prove()
  }

  const renewIfAllowed = async (view: View, holder: DatabaseDescription): Promise<OwnershipState> => {
    const decision = observer.evaluate(view, holder.fingerprint, performance.now() + clock.shiftMs())
    if (decision === 'waiting' || decision === 'contested') return enter(decision, view)
    const isRestart = view.relation === 'current' && isLatest(view, holder.fingerprint)
    if (decision === 'due') await write(view, holder, isRestart ? 0 : QUARANTINE_DAYS)
    else if (!isFresh(view)) await write(view, holder, 0)
    return enter(observer.isProven() ? 'held' : 'waiting', view)
  }

  return {
    async renew() {
      self ??= await describeSelf(store)
      const view = await checkFileStore(dependencies).catch((error: unknown) => {
        if (error instanceof StartupError) enter('foreign')
        throw error
      })
      isConditional ??= await storage.hasConditionalWrites()
      if (view.relation === 'unbound') await write(view, self, 0)
      if (!isConditional) return enter('unconditional')
      return view.relation === 'unbound' ? enter(observer.isProven() ? 'held' : 'waiting') : renewIfAllowed(view, self)
    },
    async isHolder() {
      if (!observer.isProven()) return false
      const { relation } = await readRelation(dependencies)
      return relation === 'current' || relation === 'legacy'
    },
    status: () => status,
    check: () => assertDeletion(status),
  }
}

/** Returns whether an instance of this database has just renewed the marker. */
function isFresh({ relation, row: { renewedSecondsAgo } }: View): boolean {
  return relation === 'current' && renewedSecondsAgo !== null && renewedSecondsAgo < RENEWED_SECONDS
}

async function assertDeletion(status: OwnershipStatus): Promise<void> {
  const problem = explainStatus(status)
  if (problem !== undefined) throw new Error(problem)
}

async function describeSelf(store: Dependencies['store']): Promise<DatabaseDescription> {
  const { name, fingerprint } = await store.fileStore.describeDatabase()
  return { name: `${name}, used by host ${hostname()}`, fingerprint }
}
