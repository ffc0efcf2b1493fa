// Which of the databases that use a file store may delete its files.
import t, { type Test } from 'tap'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { directoryStorage } from '../../../src/adapters/files/directory.ts'
import { MARKER } from '../../../src/adapters/files/storage.ts'
import type { FileStorage } from '../../../src/adapters/files/storage.ts'
import { Failure } from '../../../src/domain/failure.ts'
import type { Metrics } from '../../../src/lib/metrics.ts'
import { adoptFileStore, QUARANTINE_DAYS } from '../../../src/runtime/file-store/ownership/binding.ts'
import { watchOwnership } from '../../../src/runtime/file-store/ownership/status.ts'
import { addFiles, addObjects, keysIn, openBucket, openOrigin, openSide, type Side } from '../../support/files/sides.ts'
import { temporaryFolder } from '../../support/processes/process.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

type Scene = {
  folder: string
  storage: FileStorage
  clock: Side['clock']
  wait(ms: number): void
  marker(): { epoch?: string; generation: number; database: string }
  writeMarker(marker: object): void
}

function openScene(): Scene {
  let shiftMs = 0
  const folder = temporaryFolder()
  const path = join(folder, MARKER)
  return {
    folder,
    storage: directoryStorage(folder),
    clock: { nowMs: () => Date.now() + shiftMs, shiftMs: () => shiftMs },
    wait: (ms) => void (shiftMs += ms),
    marker: () => JSON.parse(readFileSync(path, 'utf8')) as ReturnType<Scene['marker']>,
    writeMarker: (marker) => writeFileSync(path, JSON.stringify(marker)),
  }
}

/** Opens the database that holds the store, and a copy of it. */
async function openHolderAndCopy(t: Test, scene: Scene): Promise<{ holder: Side; copy: Side }> {
  const { storage, clock } = scene
  const holder = await openSide(await openOrigin(t), storage, { clock, fingerprint: 'holder' })
  const copy = await openSide(await holder.origin.copy(t), storage, { clock, fingerprint: 'copy' })
  return { holder, copy }
}

void t.test('one of several instances renews the marker each minute, and all of them delete files', async (t) => {
  const { storage, clock, wait, marker } = openScene()
  const origin = await openOrigin(t)
  const instances = [
    await openSide(origin, storage, { clock, fingerprint: 'one' }),
    await openSide(origin, storage, { clock, fingerprint: 'one' }),
  ]
  const renew = (): Promise<string[]> => Promise.all(instances.map(({ fileStore }) => fileStore.renew()))
  const epochs = new Set([marker().epoch])
  t.same(await renew(), ['held', 'waiting'], 'the second one cannot know yet whether it runs on a copy')
  for (let minute = 1; minute <= 3; minute++) {
    wait(MINUTE_MS)
    await renew()
    epochs.add(marker().epoch)
    t.equal(epochs.size, minute + 1)
  }
  t.same(await renew(), ['held', 'held'])
  t.same(await Promise.all(instances.map(({ fileStore }) => fileStore.isHolder())), [true, true])
})

void t.test('deletes what was removed while an instance waited, once it knows that it may', async (t) => {
  const { storage, clock, wait } = openScene()
  const origin = await openOrigin(t)
  await openSide(origin, storage, { clock, fingerprint: 'one' })
  const [removed = ''] = await addObjects(storage, 1)
  const restarted = await openSide(origin, storage, { clock, fingerprint: 'one' })
  await restarted.fileStore.storage.remove(removed)
  t.equal(await restarted.fileStore.sweep(), undefined)
  wait(4 * MINUTE_MS)
  t.equal(await restarted.fileStore.renew(), 'waiting')
  t.ok((await keysIn(storage)).has(removed))
  wait(MINUTE_MS)
  t.equal(await restarted.fileStore.renew(), 'held')
  t.notOk((await keysIn(storage)).has(removed))
})

void t.test('names both databases when a copy starts, and never blocks the holder', async (t) => {
  const scene = openScene()
  const { holder, copy } = await openHolderAndCopy(t, scene)
  for (let step = 0; step < 20; step++) {
    scene.wait(4 * MINUTE_MS)
    t.equal(await holder.fileStore.renew(), 'held')
    t.equal(await copy.fileStore.renew(), 'contested')
  }
  t.match(await copy.fileStore.sweep(), { outcome: 'not_holder' })
  const { database, holder: named } = copy.fileStore.status()
  const problems = copy.log.filter((line) => line.includes('another copy of this database holds the file store'))
  t.equal(problems.length, 1)
  t.ok(problems[0]?.includes(database))
  t.equal(named, holder.fileStore.status().database)
  await t.rejects(copy.fileStore.check(), { message: new RegExp(`Holder: ${named}`) })
  await holder.fileStore.check()
  t.same(holder.log, [])
  t.same(samplesOf(copy), [{ labels: { state: 'contested', database, holder: named }, value: 1 }])
})

/** Returns the samples of the metric of a side. */
function samplesOf({ fileStore }: Side): unknown {
  let samples: unknown
  const watch = (_name: string, read: () => unknown): void => void (samples = read())
  watchOwnership({ watch } as unknown as Metrics, fileStore.status)
  return samples
}

void t.test('lets one of two copies take over after the holder has ended for an hour', async (t) => {
  const scene = openScene()
  const { holder, copy } = await openHolderAndCopy(t, scene)
  scene.wait(MINUTE_MS)
  await holder.fileStore.renew()
  const second = await openSide(await copy.origin.copy(t), scene.storage, { clock: scene.clock, fingerprint: 'second' })
  const copies = [copy, second]
  const renew = (): Promise<string[]> => Promise.all(copies.map(({ fileStore }) => fileStore.renew()))
  t.same(await renew(), ['contested', 'contested'])
  scene.wait(HOUR_MS - MINUTE_MS)
  t.same(await renew(), ['contested', 'contested'])
  scene.wait(MINUTE_MS)
  await renew()
  const holders = await Promise.all(copies.map(({ fileStore }) => fileStore.isHolder()))
  t.equal(holders.filter(Boolean).length, 1)
  t.equal(await holder.fileStore.isHolder(), false, 'not even before its next renewal')
  t.equal(await holder.fileStore.renew(), 'contested')
})

void t.test('postpones what a copy had scheduled before it took over', async (t) => {
  const scene = openScene()
  const { holder, copy } = await openHolderAndCopy(t, scene)
  const files = await addFiles(holder, scene.storage, 3)
  await copy.store.fileStore.quarantine(files, 0) // an account of the copy was deleted
  scene.wait(MINUTE_MS)
  await holder.fileStore.renew()
  await copy.fileStore.renew()
  scene.wait(HOUR_MS)
  t.equal(await copy.fileStore.renew(), 'held')
  scene.wait((QUARANTINE_DAYS - 1) * DAY_MS)
  t.match(await copy.fileStore.sweep(), { deleted: [] })
  scene.wait(2 * DAY_MS)
  t.equal((await copy.fileStore.sweep())?.deleted.length, 3)
})

void t.test('postpones what a copy had scheduled before it adopted the store', async (t) => {
  const scene = openScene()
  const { storage, clock } = scene
  const { holder, copy } = await openHolderAndCopy(t, scene)
  const files = await addFiles(holder, storage, 3)
  await copy.store.fileStore.quarantine(files, 0)
  scene.wait(MINUTE_MS)
  await holder.fileStore.renew()
  t.equal(await copy.fileStore.renew(), 'contested')
  await adoptFileStore({ storage, store: copy.store }, clock.nowMs())
  await copy.fileStore.renew()
  scene.wait(5 * MINUTE_MS)
  t.equal(await copy.fileStore.renew(), 'held')
  scene.wait((QUARANTINE_DAYS - 1) * DAY_MS)
  t.match(await copy.fileStore.sweep(), { outcome: 'swept', deleted: [] })
  scene.wait(2 * DAY_MS)
  t.equal((await copy.fileStore.sweep())?.deleted.length, 3)
})

void t.test('remains the holder when a renewal is interrupted, whether or not the marker was written', async (t) => {
  const { storage, clock, wait, marker } = openScene()
  let isWritten = false
  const interrupted = async (text: string, expected: Parameters<FileStorage['writeMarker']>[1]): Promise<boolean> => {
    if (isWritten) await storage.writeMarker(text, expected)
    throw new Failure('storage_unavailable')
  }
  const faulty = { ...storage }
  const { fileStore } = await openSide(await openOrigin(t), faulty, { clock, fingerprint: 'one' })
  const before = marker().epoch
  for (isWritten of [false, true]) {
    wait(MINUTE_MS)
    faulty.writeMarker = interrupted
    await t.rejects(fileStore.renew(), { code: 'storage_unavailable' })
    t.equal(marker().epoch !== before, isWritten)
    t.equal(await fileStore.isHolder(), true)
  }
  faulty.writeMarker = storage.writeMarker
  wait(MINUTE_MS)
  t.equal(await fileStore.renew(), 'held')
})

void t.test('shares the store with instances of version 0.2.0 on the same database', async (t) => {
  const { storage, clock, wait, marker, writeMarker } = openScene()
  const origin = await openOrigin(t)
  const first = await openSide(origin, storage, { clock, fingerprint: 'one' })
  const { prisma } = origin.database
  /** Counts a sweep as version 0.2.0 does, which knows three members of the marker. */
  const sweepAsBefore = async (): Promise<void> => {
    const { databaseId: database, generation } = await prisma.fileStore.findUniqueOrThrow({ where: { id: 1 } })
    t.equal(marker().database, database)
    t.ok(marker().generation <= generation, 'version 0.2.0 would not sweep')
    await prisma.fileStore.update({ where: { id: 1 }, data: { generation: generation + 1 } })
    writeMarker({ about: '', database, generation: generation + 1 })
  }
  for (let hour = 0; hour < 3; hour++) {
    await sweepAsBefore()
    t.equal(await first.fileStore.isHolder(), true)
    wait(MINUTE_MS)
    t.equal(await first.fileStore.renew(), 'held')
    t.ok(marker().epoch, 'it is renewed')
  }

  await sweepAsBefore()
  const upgraded = await openSide(origin, storage, { clock, fingerprint: 'one' })
  t.equal(upgraded.fileStore.status().state, 'waiting')
  wait(2 * HOUR_MS - 1000)
  t.equal(await upgraded.fileStore.renew(), 'waiting', 'version 0.2.0 may sweep on the original of this database')
  wait(1000)
  t.equal(await upgraded.fileStore.renew(), 'held', 'without an operator')
})

void t.test('deletes nothing from a store that ignores conditions, except by command', async (t) => {
  const { clock, wait } = openScene()
  const { storage } = await openBucket('ignored')
  const side = await openSide(await openOrigin(t), storage, { clock, fingerprint: 'one' })
  const orphans = await addObjects(storage, 2)
  t.equal(side.fileStore.status().state, 'unconditional')
  t.match(side.log, [/does not support conditional writes/])
  for (const days of [1, QUARANTINE_DAYS + 1]) {
    wait(days * DAY_MS)
    t.equal(await side.fileStore.renew(), 'unconditional')
    t.match(await side.fileStore.sweep(), { outcome: 'not_holder' })
  }
  for (const key of orphans) await side.fileStore.storage.remove(key)
  t.equal((await keysIn(storage)).size, 2)
})
