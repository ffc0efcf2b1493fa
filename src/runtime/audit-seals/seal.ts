import type { Seals } from '../../adapters/keys/audit-seals.ts'
import type { Clock } from '../../domain/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { Store } from '../../store/index.ts'

type Dependencies = { store: Pick<Store, 'auditSeals'>; seals: Seals; clock: Clock; log: Log }

/** The previous hash of the first seal */
export const NO_HASH = '0'.repeat(64)

/** Newer events wait, so that one seal covers many events */
const SETTLE_MINUTES = 10
/** Hashing this many events takes a few milliseconds */
const SEAL_ROWS_MAX = 1000

/**
 * Seals the events of the audit trail that have no seal yet, range by range. Instances may do so concurrently: the
 * first one to store a seal number succeeds, and the others stop. Does nothing without a key.
 */
export async function sealAuditTrail(dependencies: Dependencies): Promise<void> {
  const { store } = dependencies
  if (!dependencies.seals.sign) return
  const sealedUpTo = (await store.auditSeals.last())?.toId ?? 0n
  const toId = await store.auditSeals.settledUpTo(sealedUpTo, SETTLE_MINUTES)
  if (toId === undefined) return
  while (await sealRange(toId, dependencies));
}

/** Resolves to whether more events may be left. */
async function sealRange(settledUpTo: bigint, { store, seals, clock, log }: Dependencies): Promise<boolean> {
  const before = await store.auditSeals.last()
  const fromId = (before?.toId ?? 0n) + 1n
  const events = await store.auditSeals.events(fromId, settledUpTo, SEAL_ROWS_MAX)
  const toId = events.at(-1)?.id
  if (!seals.sign || toId === undefined) return false
  const seal = seals.sign({
    number: (before?.number ?? 0) + 1,
    fromId,
    toId,
    rows: events.length,
    lastAt: new Date(Math.max(...events.map(({ at }) => at.getTime()))),
    hash: seals.hash(before?.hash ?? NO_HASH, events),
    sealedAt: new Date(clock.nowMs()),
  })
  const { number, hash } = seal
  const isAdded = await store.auditSeals.add(seal)
  // An external copy of this line proves that the last seals were not removed.
  if (isAdded) log.info({ number, hash, fromId: String(fromId), toId: String(toId) }, 'audit_sealed')
  return isAdded
}
