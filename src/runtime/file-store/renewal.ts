import { randomUUID } from 'node:crypto'
import { ANY_VERSION } from '../../adapters/files/storage.ts'
import type { DatabaseDescription, StoreIdentity } from '../../store/files/ownership.ts'
import { serializeMarker, type Marker } from './marker.ts'
import type { FileStoreDependencies, View } from './relation.ts'

export type RenewalOptions = Readonly<{
  /** Describes this side in the marker */
  holder: DatabaseDescription
  nowMs: number
  /** Postpones the scheduled deletions. They are of a time when another side may have been live. */
  postponeDays: number
  /** Whether the store enforces conditions. Without them, the marker gets no epoch. */
  isConditional: boolean
}>

/**
 * Writes the next epoch to the marker. Returns whether it was written.
 *
 * The database gets the epoch first and retains the previous one, so that after an interruption the marker has one of
 * the two. An epoch that may still be on its way to the store is written again, instead of another one.
 */
export async function renewMarker(
  { storage, store }: FileStoreDependencies,
  { relation, row, stored, marker }: View,
  { holder, nowMs, postponeDays, isConditional }: RenewalOptions,
): Promise<boolean> {
  const renewal = {
    epoch: relation === 'current' ? (marker?.epoch ?? null) : row.epoch,
    nextEpoch: pendingEpoch(relation, row, marker) ?? randomUUID(),
    generation: Math.max(row.generation, relation === 'foreign' ? 0 : (marker?.generation ?? 0)) + 1,
  }
  if (!(await store.fileStore.beginRenewal(renewal, row, postponeDays))) return false
  const text = serializeMarker({
    database: row.databaseId,
    generation: renewal.generation,
    ...(isConditional && {
      epoch: renewal.nextEpoch,
      holder: { ...holder, renewed_at: new Date(nowMs).toISOString() },
    }),
  })
  return storage.writeMarker(text, isConditional ? stored?.version : ANY_VERSION)
}

function pendingEpoch(relation: View['relation'], row: StoreIdentity, marker: Marker | undefined): string | undefined {
  const isPending = relation === 'current' && marker?.epoch === row.epoch
  return isPending ? (row.nextEpoch ?? undefined) : undefined
}
