// The marker of a file store, and what it tells about the relation of the store to the database of this service. Copies of a
// database have the same id, so the epoch tells them apart: the database that renews the marker stores the new epoch first, and
// copies of it only have older ones.
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { randomUUID } from 'node:crypto'
import { ANY_VERSION, type FileStorage, type StoredMarker } from '../../../adapters/files/storage.ts'
import type { DatabaseDescription, StoreIdentity } from '../../../store/files/ownership.ts'
import type { Store } from '../../../store/index.ts'

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
    const view = { relation: relate(stored, marker, row), row, stored, marker }
    if (view.relation !== 'copy') return view
    const later = await store.fileStore.identity()
    if (later.nextEpoch === row.nextEpoch && later.generation === row.generation) return view
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

type RenewalOptions = Readonly<{
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
  const content: Static<typeof Marker> = {
    about: ABOUT,
    database: row.databaseId,
    generation: renewal.generation,
    ...(isConditional && {
      epoch: renewal.nextEpoch,
      holder: { ...holder, renewed_at: new Date(nowMs).toISOString() },
    }),
  }
  return storage.writeMarker(`${JSON.stringify(content, null, 2)}\n`, isConditional ? stored?.version : ANY_VERSION)
}

function pendingEpoch(relation: Relation, row: StoreIdentity, marker: Marker | undefined): string | null {
  return relation === 'current' && marker?.epoch === row.epoch ? row.nextEpoch : null
}

const Uuid = Type.String({ pattern: '^[0-9a-f-]{36}$' })

/**
 * The marker of a file store. Version 0.2.0 writes only the first three members, and ignores the others. The epoch
 * changes with each renewal, and only the database that renewed it knows the present one.
 */
const Marker = Type.Object({
  about: Type.String(),
  database: Uuid,
  generation: Type.Integer({ minimum: 0 }),
  epoch: Type.Optional(Uuid),
  /** Who renewed it, for messages */
  holder: Type.Optional(
    Type.Object({
      name: Type.String(),
      fingerprint: Type.Union([Type.String(), Type.Null()]),
      renewed_at: Type.String(),
    }),
  ),
})
type Marker = Omit<Static<typeof Marker>, 'about'>

const ABOUT = 'Binds these files to the Tawthiq database with this id. Do not edit or delete this object.'

/** Parses a marker; undefined if the text is not a marker. */
function parseMarker(text: string): Marker | undefined {
  try {
    const marker: unknown = JSON.parse(text)
    return Value.Check(Marker, marker) ? marker : undefined
  } catch {
    return undefined
  }
}
