import type { Seals } from '../adapters/seals.ts'
import type { Clock } from '../domain/clock.ts'
import type { Log } from '../log.ts'
import type { Store } from '../store/index.ts'

type Parts = { store: Pick<Store, 'auditSeals'>; seals: Seals; clock: Clock; log: Log }

/** The hash before the first seal */
export const NO_HASH = '0'.repeat(64)

/** Newer events wait, so that few seals cover many events. */
const MINUTES_OLD = 10
/** As many as are hashed at once, in a few milliseconds */
export const SEAL_ROWS_MAX = 1000

/**
 * Seals the events of the audit trail that have no seal yet, a range at a time. Every instance may do so at once: of those
 * that make the seal of one number, the first one succeeds and the others stop. Does nothing without a key.
 */
export async function sealAuditTrail(parts: Parts): Promise<void> {
  const { store } = parts
  if (!parts.seals.sign) return
  const sealedUpTo = (await store.auditSeals.last())?.toId ?? 0n
  const toId = await store.auditSeals.settledUpTo(sealedUpTo, MINUTES_OLD)
  if (toId === undefined) return
  while (await sealRange(toId, parts));
}

/** Resolves to whether there may be more. */
async function sealRange(settledUpTo: bigint, { store, seals, clock, log }: Parts): Promise<boolean> {
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
    hash: seals.hashOf(before?.hash ?? NO_HASH, events),
    sealedAt: new Date(clock.nowMs()),
  })
  const { number, hash } = seal
  const isAdded = await store.auditSeals.add(seal)
  // kept elsewhere, the line proves that the last seals were not removed
  if (isAdded) log.info({ number, hash, fromId: String(fromId), toId: String(toId) }, 'audit_sealed')
  return isAdded
}
