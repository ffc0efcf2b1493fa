// How a file store relates to the database of this service. Copies of a database have the same id, so the epoch tells
// them apart: the database that renews the marker stores the new epoch first, and copies of it only have older ones.
import type { FileStorage, StoredMarker } from '../../adapters/files/storage.ts'
import type { StoreIdentity } from '../../store/files/ownership.ts'
import type { Store } from '../../store/index.ts'
import { parseMarker, type Marker } from './marker.ts'

export type FileStoreDependencies = Readonly<{ storage: FileStorage; store: Pick<Store, 'fileStore'> }>

/**
 * - `unbound`: there is no marker.
 * - `current`: the marker has the epoch of this database.
 * - `legacy`: version 0.2.0 wrote the marker, for this database or a copy of it.
 * - `copy`: a copy of this database renewed the marker, or this database was restored to an earlier state.
 * - `foreign`: the marker names another database, or is unreadable.
 */
export type Relation = 'unbound' | 'current' | 'legacy' | 'copy' | 'foreign'

export type View = Readonly<{
  relation: Relation
  row: StoreIdentity
  stored: StoredMarker | undefined
  marker: Marker | undefined
}>

/** Reads the marker and the row of the database, and compares them. */
export async function readRelation({ storage, store }: FileStoreDependencies): Promise<View> {
  for (let row = await store.fileStore.identity(); ;) {
    const stored = await storage.readMarker()
    const marker = stored && parseMarker(stored.text)
    const relation = relate(stored, marker, row)
    if (relation !== 'copy') return { relation, row, stored, marker }
    const later = await store.fileStore.identity()
    if (later.nextEpoch === row.nextEpoch && later.generation === row.generation) {
      return { relation, row, stored, marker }
    }
    row = later // another instance renewed the marker between the two reads
  }
}

function relate(stored: StoredMarker | undefined, marker: Marker | undefined, row: StoreIdentity): Relation {
  if (!stored) return 'unbound'
  if (marker?.database !== row.databaseId) return 'foreign'
  if (marker.epoch === undefined) return marker.generation <= row.generation ? 'legacy' : 'copy'
  return marker.epoch === row.epoch || marker.epoch === row.nextEpoch ? 'current' : 'copy'
}

/**
 * Returns whether a copy of this database renewed the marker last, or may have: with the epoch of this database, but on
 * another server or in another database. Equal fingerprints prove nothing, because physical copies share them.
 */
export function isContested({ relation, marker }: View, fingerprint: string | null): boolean {
  const other = marker?.holder?.fingerprint ?? null
  return relation === 'copy' || (other !== null && fingerprint !== null && other !== fingerprint)
}

/** Returns whether this database renewed the marker last, as far as a single look can tell. */
export function isLatest(view: View, fingerprint: string | null): boolean {
  return (view.relation === 'current' || view.relation === 'legacy') && !isContested(view, fingerprint)
}
