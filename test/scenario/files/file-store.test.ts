// A file store belongs to one database, and its sweep deletes only files that this database no longer refers to.
import { randomUUID } from 'node:crypto'
import { readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import type { FileStorage } from '../../../src/adapters/files/storage.ts'
import type { Config } from '../../../src/config/index.ts'
import { findMissingFiles } from '../../../src/runtime/file-store/sweep/inventory.ts'
import type { SweepOptions, SweepResult } from '../../../src/runtime/file-store/sweep/index.ts'
import { sweepUploads } from '../../../src/http/request/uploads.ts'
import { openStorage } from '../../../src/composition/files.ts'
import { giveFile, image, PDF, upload } from '../../support/files/files.ts'
import { temporaryFolder } from '../../support/processes/process.ts'
import { openFaultyS3 } from '../../support/files/faulty-s3.ts'
import { openS3 } from '../../support/files/s3.ts'
import { openService, type Service } from '../../support/service/service.ts'
import { openWorld, PASSWORD, type World } from '../../support/service/world.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

type Files = Config['files']
type Scene = { world: World; service: Service; storage: FileStorage; files: Files }

const places: Record<string, () => Promise<Files>> = {
  'a directory': () => Promise.resolve({ directory: temporaryFolder() }),
  'a bucket': async () => ({ s3: await openS3() }),
}

async function open(t: Test, files: Files): Promise<Scene> {
  const service = await openService({ config: { files } })
  t.teardown(() => service.close())
  const storage = await openStorage({ files } as Config)
  return { world: await openWorld(service), service, storage, files }
}

function sweep({ service }: Scene, options: SweepOptions = {}): Promise<SweepResult | undefined> {
  return service.app.fileStore.sweep(options)
}

async function keysIn({ storage }: Pick<Scene, 'storage'>): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of storage.list()) keys.push(key)
  return keys.sort()
}

async function addOrphans({ storage }: Scene, count: number): Promise<string[]> {
  const { path } = await upload(PDF)
  const keys = Array.from({ length: count }, () => storage.newKey())
  for (const key of keys) await storage.put(key, path, 'application/pdf')
  return keys
}

/** Adds objects that the service did not write, one of them with a name that is nearly a key of the service. */
async function addForeign({ storage }: Scene): Promise<string[]> {
  const { path } = await upload(PDF)
  const prefix = storage.newKey().slice(0, -36)
  const keys = [`${prefix}report.pdf`, `${prefix}${randomUUID()}.pdf`, `${prefix}${randomUUID().toUpperCase()}`]
  for (const key of keys) await storage.put(key, path, 'application/pdf')
  return keys
}

async function sweepEvents({ service }: Scene): Promise<string[]> {
  const where = { event: { in: ['files_swept', 'files_sweep_stopped'] } }
  const rows = await service.database.prisma.auditEvent.findMany({ where, orderBy: { id: 'asc' } })
  return rows.map(({ event, subject }) => `${event} ${subject ?? ''}`)
}

for (const [name, newPlace] of Object.entries(places)) {
  void t.test(`rejects ${name} of another database, and changes nothing in it`, async (t) => {
    const scene = await open(t, await newPlace())
    await giveFile(scene.world, (await scene.world.person()).id, 'logo', await image())
    await addForeign(scene)
    const marker = await scene.storage.readMarker()
    const before = await keysIn(scene)
    await t.rejects(openService({ config: { files: scene.files } }), {
      name: 'StartupError',
      message: /^The (directory|bucket) .* belongs to another database\. Nothing was changed\./,
    })
    t.same(await keysIn(scene), before)
    t.same(await scene.storage.readMarker(), marker)
  })

  void t.test(`rejects ${name} without a marker if the database knows none of its files`, async (t) => {
    const files = await newPlace()
    const storage = await openStorage({ files } as Config)
    const { path } = await upload(PDF)
    for (let at = 0; at < 9; at++) await storage.put(storage.newKey(), path, 'application/pdf')
    const before = await keysIn({ storage })
    await t.rejects(openService({ config: { files } }), { message: /contains files that this database does not know/ })
    t.same(await keysIn({ storage }), before)
    t.equal(await storage.readMarker(), undefined)
  })

  void t.test(`${name}: deletes exactly the orphans after a week`, async (t) => {
    const scene = await open(t, await newPlace())
    const { world, service } = scene
    await giveFile(world, (await world.person()).id, 'logo', await image())
    const foreign = await addForeign(scene)
    const kept = await keysIn(scene)
    const orphans = await addOrphans(scene, 3)

    t.match(
      await sweep(scene),
      { inventory: { orphans: [], files: 4, foreign: foreign.length } },
      'not in the first hour',
    )
    world.wait(2 * HOUR_MS)
    const first = await sweep(scene)
    t.same([...(first?.inventory.orphans ?? [])].sort(), orphans.sort())
    world.wait(6 * DAY_MS)
    t.match(await sweep(scene), { deleted: [], inventory: { orphans: [], waiting: { length: 3 } } })
    t.same(await keysIn(scene), [...kept, ...orphans].sort(), 'they are not moved before their deletion')
    world.wait(2 * DAY_MS)
    const last = await sweep(scene)
    t.same([...(last?.deleted ?? [])].sort(), orphans)
    t.same(await keysIn(scene), kept)
    t.equal(await service.database.prisma.fileRemoval.count(), 0)

    t.match(await sweepEvents(scene), [/orphans=0/, /orphans=3/, /waiting=3 deleted=0/, /deleted=3 outcome=swept/])
    t.equal(service.log.filter((line) => line.includes('files_swept')).length, 4, 'each is in the log')
  })

  void t.test(`${name}: preserves files that a restored database does not know`, async (t) => {
    const scene = await open(t, await newPlace())
    const { world, service } = scene
    const backup = await service.database.prisma.fileStore.findUniqueOrThrow({ where: { id: 1 } })
    world.wait(MINUTE_MS)
    await service.app.fileStore.renew()
    await sweep(scene)
    await addOrphans(scene, 3) // their rows are not in the backup
    await service.database.prisma.fileStore.update({ where: { id: 1 }, data: backup })
    const before = await keysIn(scene)
    for (const days of [1, 8]) {
      world.wait(days * DAY_MS)
      t.match(await sweep(scene), { outcome: 'not_holder', deleted: [] })
    }
    t.same(await keysIn(scene), before)
    t.match(await sweepEvents(scene), [/^files_swept/, /^files_sweep_stopped/, /^files_sweep_stopped/])
    t.equal(await service.app.fileStore.renew(), 'contested')
    t.ok(service.log.some((line) => line.includes('adopt-files')))
  })
}

void t.test('deletes nothing before an unavailable file store was checked', async (t) => {
  const s3 = await openFaultyS3()
  s3.behavior = 'hangs'
  const files = { s3: s3.options, guard: { callMs: 2000, openMs: 1 } }
  const service = await openService({ config: { files } })
  t.teardown(() => service.close())
  s3.behavior = 'well'
  const { prisma } = service.database
  const { context } = service.app
  const world = await openWorld(service)
  const { id } = await world.person()
  const storage = await openStorage({ files: { s3: s3.options } } as Config)
  const replace = async (): Promise<boolean> => {
    await giveFile(world, id, 'cv_file', PDF)
    const { key } = await prisma.file.findFirstOrThrow({ where: { accountId: id } })
    await giveFile(world, id, 'cv_file', PDF)
    await context.background.settle()
    return (await storage.read(key)) !== undefined
  }
  t.equal(await replace(), true, 'the replaced file is still there')
  t.equal(await storage.readMarker(), undefined)
  t.equal(await service.app.fileStore.renew(), 'held', 'then it is bound')
  await giveFile(world, id, 'cv_file', PDF)
  const { key } = await prisma.file.findFirstOrThrow({ where: { accountId: id } })
  await giveFile(world, id, 'cv_file', PDF)
  await context.background.settle()
  t.equal(await storage.read(key), undefined)
})

void t.test('stops a sweep with too many orphans', async (t) => {
  const scene = await open(t, { directory: temporaryFolder() })
  await addOrphans(scene, 101)
  scene.world.wait(2 * HOUR_MS)
  t.match(await sweep(scene), { outcome: 'too_many_orphans', orphansAllowed: 100, deleted: [] })
  scene.world.wait(8 * DAY_MS)
  await sweep(scene)
  t.equal((await keysIn(scene)).length, 101)
  t.equal(await scene.service.database.prisma.fileRemoval.count(), 0, 'nothing is scheduled')
  t.ok(scene.service.log.some((line) => line.includes('sweep-files --dry-run')))

  t.match(await sweep(scene, { orphansMax: 101 }), { outcome: 'swept' }, 'unless an operator allows it')
  scene.world.wait(8 * DAY_MS)
  t.equal((await sweep(scene))?.deleted.length, 100, 'a sweep never deletes more than its bound')
  t.equal((await sweep(scene))?.deleted.length, 1)
})

void t.test('sweeps once an hour across instances', async (t) => {
  const scene = await open(t, { directory: temporaryFolder() })
  await addOrphans(scene, 20)
  scene.world.wait(2 * HOUR_MS)
  const hourly = { minutesApart: 50 }
  const both = await Promise.all([sweep(scene, hourly), sweep(scene, hourly)])
  t.equal(both.filter(Boolean).length, 1)
  t.equal(await sweep(scene, hourly), undefined)
  scene.world.wait(HOUR_MS)
  t.ok(await sweep(scene, hourly))
})

void t.test('allows a new sweep ten minutes after a killed one', async (t) => {
  const scene = await open(t, { directory: temporaryFolder() })
  const { fileStore } = scene.service.app.context.store
  const killed = randomUUID()
  t.equal(await fileStore.beginSweep(killed, 0), true)
  t.equal(await sweep(scene), undefined)
  scene.world.wait(11 * 60_000)
  t.ok(await sweep(scene))
  t.equal(await fileStore.continueSweep(killed), false, 'the first sweep does not continue if it was only slow')
})

void t.test('deletes the files of deleted accounts at the next sweep', async (t) => {
  const scene = await open(t, { directory: temporaryFolder() })
  const { world, service } = scene
  const person = await world.person()
  await giveFile(world, person.id, 'national_id_image', await image())
  const token = await person.token()
  await world.send('requestAccountDeletion')({ json: { password: PASSWORD }, token })
  world.wait(31 * DAY_MS)
  await service.app.context.store.deletions.carryOut()
  t.equal((await sweep(scene))?.deleted.length, 1)
  t.same(await keysIn(scene), [])
})

void t.test('reads, replaces and deletes files without a prefix', async (t) => {
  const scene = await open(t, { s3: await openS3() })
  const { world, service, storage } = scene
  const { id: accountId } = await world.person()
  const key = randomUUID()
  await storage.put(key, (await upload(PDF)).path, 'application/pdf')
  const data = { accountId, kind: 'cv_file', key, type: 'application/pdf', bytes: PDF.length } as const
  await service.database.prisma.file.create({ data })
  const { files } = service.app.context
  const stream = await files.open(key)
  t.equal(stream && (await text(stream)), PDF.toString())
  world.wait(8 * DAY_MS)
  await sweep(scene)
  t.ok(await storage.read(key), 'a sweep ignores it')
  await giveFile(world, accountId, 'cv_file', PDF)
  await giveFile(world, accountId, 'cv_file', PDF)
  await service.app.context.background.settle()
  t.equal(await storage.read(key), undefined)
})

void t.test('reports no file as missing that is replaced while the store is checked', async (t) => {
  const { world, service, storage } = await open(t, { directory: temporaryFolder() })
  const { id: accountId } = await world.person()
  for (const kind of ['logo', 'profile_photo'] as const) await giveFile(world, accountId, kind, await image())
  const { prisma } = service.database
  for (const key of await keysIn({ storage })) await storage.remove(key)
  const whileReplaced = {
    ...storage,
    async read(key: string) {
      await prisma.file.deleteMany({ where: { key, kind: 'logo' } })
      return storage.read(key)
    },
  }
  const { rows, missing } = await findMissingFiles(whileReplaced, service.app.context.store)
  t.equal(rows, 2)
  t.match(missing, [{ accountId, kind: 'profile_photo' }])
  t.equal(missing.length, 1)
})

void t.test('leaves files of other software in the upload directory alone', async (t) => {
  const folder = temporaryFolder()
  const old = new Date(Date.now() - DAY_MS)
  const leftover = `another-host.4711.${randomUUID()}`
  const foreign = ['notes.txt', 'host.4711.notes', randomUUID()]
  for (const name of [leftover, ...foreign]) {
    writeFileSync(join(folder, name), '')
    utimesSync(join(folder, name), old, old)
  }
  await sweepUploads(folder)
  t.same(readdirSync(folder).sort(), foreign.sort())
})
