// A database and a copy of it share a file store, or a copy of it. No file of the live side is lost, whatever the other side
// does, and the live side still deletes what is due.
import t, { type Test } from 'tap'
import type { FileStorage } from '../../src/adapters/files/storage.ts'
import { adoptFileStore, QUARANTINE_DAYS } from '../../src/runtime/file-store/ownership/binding.ts'
import { findMissingFiles } from '../../src/runtime/file-store/sweep/inventory.ts'
import { cellName, matrixCells, type Cell } from '../support/cases/matrix.ts'
import {
  addFiles,
  addObjects,
  keysIn,
  openBucket,
  openDirectory,
  openOrigin,
  openSide,
  type Place,
  type Side,
} from '../support/files/sides.ts'

const AXES = {
  situation: [
    'restore in place',
    'restore elsewhere',
    'template copy',
    'disk snapshot',
    'clone for staging',
    'point-in-time rewind',
    'promoted standby',
    'two live by mistake',
  ],
  store: ['same store', 'copied store', 'empty store'],
  kind: ['directory', 'S3', 'S3 without conditions'],
  action: ['sweep', 'erasure', 'adopt-files', 'check-files'],
} as const
type OwnershipCell = Cell<typeof AXES>

const FILES = process.env['MATRIX'] === 'all' ? 200 : 8
const SAMPLE = 18
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

type Situation = Readonly<{
  /** Whether the original goes on, so that the copy is not live */
  continues: boolean
  /** Whether the copy has the fingerprint of the original */
  isPhysical: boolean
  /** Whether the original renews the marker, deletes and stores files between the copy and the start of the copy */
  isOlder: boolean
}>

const SITUATIONS: Readonly<Record<OwnershipCell['situation'], Situation>> = {
  'restore in place': { continues: false, isPhysical: true, isOlder: true },
  'restore elsewhere': { continues: false, isPhysical: false, isOlder: true },
  'template copy': { continues: true, isPhysical: false, isOlder: false },
  'disk snapshot': { continues: true, isPhysical: true, isOlder: false },
  'clone for staging': { continues: true, isPhysical: false, isOlder: true },
  'point-in-time rewind': { continues: false, isPhysical: true, isOlder: true },
  'promoted standby': { continues: false, isPhysical: true, isOlder: false },
  'two live by mistake': { continues: true, isPhysical: true, isOlder: false },
}

const PLACES: Readonly<Record<OwnershipCell['kind'], () => Promise<Place>>> = {
  directory: openDirectory,
  S3: () => openBucket('honored'),
  'S3 without conditions': () => openBucket('ignored'),
}

const STORES: Readonly<Record<OwnershipCell['store'], (place: Place) => Promise<FileStorage>>> = {
  'same store': ({ storage }) => Promise.resolve(storage),
  'copied store': ({ copy }) => copy(),
  'empty store': ({ empty }) => empty(),
}

/** What happens on the copy, before the original has renewed the marker again */
const ACTIONS: Readonly<Record<OwnershipCell['action'], (copy: Side, storage: FileStorage) => Promise<unknown>>> = {
  sweep: (copy) => sweep(copy),
  erasure: erase,
  'adopt-files': ({ store, clock }, storage) => adoptFileStore({ storage, store }, clock.nowMs()),
  'check-files': ({ store }, storage) => findMissingFiles(storage, store),
}

/** Deletes an account and replaces the file of another one, as a service on the copy does. */
async function erase(copy: Side): Promise<void> {
  const { pool } = copy.origin.database
  await pool.query(
    `UPDATE accounts SET deletion_due_at = now() - interval '1 day' WHERE id = (SELECT min(id) FROM accounts)`,
  )
  await copy.store.deletions.carryOut()
  const { rows } = await pool.query<{ key: string }>(
    'DELETE FROM files WHERE account_id = (SELECT max(account_id) FROM files) RETURNING key',
  )
  for (const { key } of rows) await copy.fileStore.storage.remove(key)
  await sweep(copy)
}

const sweep = ({ fileStore }: Side): Promise<unknown> => fileStore.sweep({ orphansMax: 10 * FILES })

async function keysOfRows({ origin }: Side): Promise<string[]> {
  const { rows } = await origin.database.pool.query<{ key: string }>('SELECT key FROM files')
  return rows.map(({ key }) => key)
}

type Scene = { wait(ms: number): void; sides: Side[]; clock: Side['clock'] }

/** Lets time pass. After each span, the sides renew and sweep, the first one first. */
async function pass({ wait, sides }: Scene, spansMs: readonly number[]): Promise<void> {
  for (const ms of spansMs) {
    wait(ms)
    for (const side of sides) {
      await side.fileStore.renew()
      await sweep(side)
    }
  }
}

/** A minute; longer than after a restart, than before a takeover, and than a file must be old to be an orphan */
const FIRST_HOURS_MS = [MINUTE_MS, 6 * MINUTE_MS, 61 * MINUTE_MS, 61 * MINUTE_MS]

function openScene(): Scene {
  let shiftMs = 0
  const clock = { nowMs: () => Date.now() + shiftMs, shiftMs: () => shiftMs }
  return { wait: (ms) => void (shiftMs += ms), sides: [], clock }
}

/** Runs a cell up to the action. Returns the live side, and what it must not lose. */
async function play(
  t: Test,
  cell: OwnershipCell,
): Promise<{ scene: Scene; live: Side; storage: FileStorage; kept: string[] }> {
  const situation = SITUATIONS[cell.situation]
  const scene = openScene()
  const { clock, sides } = scene
  const place = await PLACES[cell.kind]()
  const original = await openSide(await openOrigin(t), place.storage, { clock, fingerprint: 'original' })
  sides.push(original)
  await addFiles(original, place.storage, FILES)
  await pass(scene, [MINUTE_MS])

  const copied = await original.origin.copy(t)
  if (situation.isOlder) {
    await addFiles(original, place.storage, FILES / 4)
    await pass(scene, [MINUTE_MS, MINUTE_MS])
  }
  const storage = await STORES[cell.store](place)
  const copy = await openSide(copied, storage, { clock, fingerprint: situation.isPhysical ? 'original' : 'copy' })
  if (situation.continues) await addFiles(original, place.storage, FILES / 4)
  else sides.pop()
  sides.push(copy)
  await ACTIONS[cell.action](copy, storage)

  const [live, liveStorage] = situation.continues ? [original, place.storage] : [copy, storage]
  const stored = await keysIn(liveStorage)
  const kept = (await keysOfRows(live)).filter((key) => live === original || stored.has(key))
  return { scene, live, storage: liveStorage, kept }
}

for (const cell of matrixCells(AXES, SAMPLE)) {
  void t.test(cellName(cell), async (t) => {
    const { scene, live, storage, kept } = await play(t, cell)
    const missing = async (): Promise<number> => {
      const stored = await keysIn(storage)
      return kept.filter((key) => !stored.has(key)).length
    }
    await pass(scene, [...FIRST_HOURS_MS, 3 * DAY_MS, 3 * DAY_MS])
    t.equal(await missing(), 0, 'no file is lost before the operator acts')
    await adoptIfLost(live, storage)

    const orphans = await addObjects(storage, FILES)
    await pass(scene, [...FIRST_HOURS_MS, (QUARANTINE_DAYS + 1) * DAY_MS, DAY_MS])
    t.equal(await missing(), 0, 'no file is lost afterwards')
    const stored = await keysIn(storage)
    const left = orphans.filter((key) => stored.has(key)).length
    t.equal(left, cell.kind === 'S3 without conditions' ? FILES : 0, 'orphans are deleted when they are due')
  })
}

/** Adopts the store again, as the alert demands, if an operator gave it to the copy. */
async function adoptIfLost({ fileStore, store, clock }: Side, storage: FileStorage): Promise<void> {
  if (fileStore.status().state === 'contested') await adoptFileStore({ storage, store }, clock.nowMs())
}
