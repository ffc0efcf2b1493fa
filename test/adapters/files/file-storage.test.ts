// Both file storages, each with its real backend.
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import t from 'tap'
import { directoryStorage } from '../../../src/adapters/files/directory.ts'
import { resilientStorage } from '../../../src/adapters/files/resilient-storage.ts'
import { MARKER } from '../../../src/adapters/files/storage.ts'
import { s3Storage, type S3Options } from '../../../src/adapters/files/s3.ts'
import { ANY_VERSION, type FileStorage } from '../../../src/adapters/files/storage.ts'
import { image, PDF, upload } from '../../support/files/files.ts'
import { localServer } from '../../support/servers/local-server.ts'
import { temporaryFolder } from '../../support/processes/process.ts'
import { openS3 } from '../../support/files/s3.ts'

const directory = join(temporaryFolder(), 'files')
const s3 = await openS3()
const storages: Record<string, FileStorage> = { 'a directory': directoryStorage(directory), S3: s3Storage(s3) }

async function keysOf(storage: FileStorage): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of storage.list()) keys.push(key)
  return keys.sort()
}

for (const [name, storage] of Object.entries(storages)) {
  void t.test(`${name} stores, lists, returns and removes files`, async (t) => {
    const photo = await image('jpeg', 600, 600)
    const keys = [storage.newKey(), storage.newKey()] as const
    await storage.put(keys[0], (await upload(PDF)).path, 'application/pdf')
    await storage.put(keys[1], (await upload(photo)).path, 'image/jpeg')
    const [one, two] = [await storage.read(keys[0]), await storage.read(keys[1])]
    t.same(one && (await buffer(one)), PDF)
    t.same(two && (await buffer(two)), photo)
    t.same(await keysOf(storage), [...keys].sort())
    t.ok(keys.every((key) => storage.isOwnKey(key)))
    for await (const { storedAtMs } of storage.list()) t.ok(Math.abs(Date.now() - storedAtMs) < 60_000)
    await storage.remove(keys[0])
    await storage.remove(keys[0])
    t.equal(await storage.read(keys[0]), undefined)
    t.same(await keysOf(storage), [keys[1]])
  })

  void t.test(
    `${name} has a marker that is not listed as a file, and replaces only the expected version`,
    async (t) => {
      t.equal(await storage.hasConditionalWrites(), true)
      t.equal(await storage.readMarker(), undefined)
      t.equal(await storage.writeMarker('too late', '"1"'), false)
      t.equal(await storage.writeMarker('first', undefined), true)
      t.equal(await storage.writeMarker('again', undefined), false)
      const first = await storage.readMarker()
      t.equal(first?.text, 'first')
      t.equal(await storage.writeMarker('second', first?.version), true)
      t.equal(await storage.writeMarker('third', first?.version), false)
      t.equal((await storage.readMarker())?.text, 'second')
      t.equal(await storage.writeMarker('adopted', ANY_VERSION), true)
      t.equal((await storage.readMarker())?.text, 'adopted')
      t.equal((await keysOf(storage)).length, 1)
    },
  )

  void t.test(`${name} lets one of many concurrent writers replace a version of the marker`, async (t) => {
    for (let round = 0; round < 10; round++) {
      const version = (await storage.readMarker())?.version
      const texts = Array.from({ length: 8 }, (_, writer) => `writer ${writer} in round ${round}`)
      const written = await Promise.all(texts.map((text) => storage.writeMarker(text, version)))
      t.ok(written.filter(Boolean).length <= 1, `${written.filter(Boolean).length} writers`)
      const winner = texts.find((_, writer) => written[writer])
      if (winner !== undefined) t.equal((await storage.readMarker())?.text, winner)
    }
  })

  void t.test(`${name} stores nothing of a file that cannot be read`, async (t) => {
    await t.rejects(storage.put('three', '/nothing', 'image/png'))
    t.equal(await storage.read('three'), undefined)
  })
}

for (const conditions of ['ignored', 'refused'] as const) {
  void t.test(`detects an S3 server by which conditions are ${conditions}`, async (t) => {
    const storage = s3Storage(await openS3({ conditions }))
    t.equal(await storage.hasConditionalWrites(), false)
    t.same(await keysOf(storage), [], 'and leaves nothing behind')
  })
}

void t.test('replaces the claim of a killed writer, and a paused writer then writes nothing', async (t) => {
  const folder = temporaryFolder()
  const storage = directoryStorage(folder)
  const claim = join(folder, '.tawthiq-store.claim')
  mkdirSync(claim)
  t.equal(await storage.writeMarker('early', undefined), false, 'the other writer may be alive')
  writeFileSync(join(claim, 'draft'), 'paused')
  const old = new Date(Date.now() - 60_000)
  utimesSync(claim, old, old)
  t.equal(await storage.writeMarker('next', undefined), true)
  t.throws(() => renameSync(join(claim, 'draft'), join(folder, MARKER)), { code: 'ENOENT' })
  t.same(readdirSync(folder), [MARKER])
  rmSync(folder, { recursive: true })
  await t.rejects(storage.writeMarker('late', 'next'), { code: 'storage_unavailable' })
  await t.rejects(storage.readMarker(), { code: 'storage_unavailable' })
})

void t.test("creates files that only the service's user can read", (t) => {
  t.equal(statSync(directory).mode & 0o777, 0o700)
  for (const name of readdirSync(directory)) t.equal(statSync(join(directory, name)).mode & 0o777, 0o600, name)
  t.end()
})

void t.test('returns 503 for a missing directory and leaves no partial file', async (t) => {
  const missing = join(temporaryFolder(), 'files')
  const storage = directoryStorage(missing)
  rmSync(missing, { recursive: true })
  await t.rejects(storage.put('one', (await upload(PDF)).path, 'application/pdf'), { code: 'storage_unavailable' })
  await t.rejects(
    storage.read('one'),
    { code: 'storage_unavailable' },
    'a missing directory is not reported as a missing file',
  )
})

void t.test('fails to start with a read-only directory', (t) => {
  const file = join(temporaryFolder(), 'file')
  writeFileSync(file, '')
  mkdirSync(join(temporaryFolder(), 'free'))
  t.throws(() => directoryStorage(join(file, 'files')), { name: 'StartupError' })
  t.end()
})

async function unavailable(options: Partial<S3Options>): Promise<void> {
  const storage = resilientStorage(s3Storage({ ...s3, timeoutMs: 300, ...options }))
  const { path } = await upload(PDF)
  const expected = { name: 'Failure', code: 'storage_unavailable' }
  await t.rejects(storage.put('x', path, 'application/pdf'), expected)
  await t.rejects(storage.read('x'), expected)
  await t.rejects(storage.remove('x'), expected)
}

void t.test('returns 503 if S3 is unreachable or lacks the bucket', async () => {
  await unavailable({ endpoint: 'http://127.0.0.1:1' })
  await unavailable({ bucket: 'another' })
})

void t.test('returns 503 if S3 does not respond', async (t) => {
  const endpoint = await localServer(t, () => undefined)
  const startMs = Date.now()
  await unavailable({ endpoint })
  t.ok(Date.now() - startMs < 6000)
})
