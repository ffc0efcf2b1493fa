// A failed change of files leaves no files behind, and the sweep finds any that remain.
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { signedLinks } from '../../../src/adapters/files/links.ts'
import { Failure } from '../../../src/domain/failure.ts'
import { giveFile, image, PDF, storageHasTheRows, storedKeys, upload } from '../../support/files/files.ts'
import { openWorld } from '../../support/service/world.ts'

void t.test('deletes a replaced file and invalidates its links', async (t) => {
  const world = await openWorld()
  const { id } = await world.person()
  const first = await giveFile(world, id, 'logo', await image())
  const second = await giveFile(world, id, 'logo', await image('png'))
  t.not(first, second)
  await storageHasTheRows(t, world)
})

void t.test('restores the old files when a commit fails', async (t) => {
  const world = await openWorld()
  const { files } = world.service.app.context
  const { prisma } = world.service.database
  const { id } = await world.person()
  await giveFile(world, id, 'logo', await image())
  const { ready } = await files.read({ logo: await upload(await image()), cv_file: await upload(PDF) }, 1)
  await t.rejects(
    files.store(ready, () => Promise.reject(new Error('planted'))),
    { message: 'planted' },
  )
  await storageHasTheRows(t, world)
  t.equal(await prisma.file.count({ where: { accountId: id } }), 1)
})

void t.test('leaves no files when the storage fails in the middle', async (t) => {
  const world = await openWorld()
  const { files } = world.service.app.context
  const before = await storedKeys(world)
  const { ready } = await files.read({ logo: await upload(await image()), cv_file: await upload(PDF) }, 1)
  const lost = ready.map((file) => (file.kind === 'logo' ? { ...file, path: '/nothing' } : file))
  await t.rejects(
    files.store(lost, () => Promise.reject(new Error('is not reached'))),
    { code: 'storage_unavailable' },
  )
  t.same(await storedKeys(world), before)
})

void t.test('leaves files to the sweep when the outcome of a commit is unknown', async (t) => {
  const world = await openWorld()
  const { files } = world.service.app.context
  const before = await storedKeys(world)
  const { ready } = await files.read({ cv_file: await upload(PDF) }, 1)
  await t.rejects(files.store(ready, () => Promise.reject(new Failure('database_unavailable'))))
  const [left, ...others] = (await storedKeys(world)).filter((key) => !before.includes(key))
  t.ok(left)
  t.same(others, [])
  files.discard([left ?? ''])
})

void t.test('leaves one file after concurrent changes', async (t) => {
  const world = await openWorld()
  const { id } = await world.person()
  await Promise.all(Array.from({ length: 8 }, async () => giveFile(world, id, 'logo', await image())))
  await storageHasTheRows(t, world)
})

void t.test('reports all invalid files by field', async (t) => {
  const world = await openWorld()
  const { files } = world.service.app.context
  const uploads = {
    profile_photo: await upload(PDF),
    logo: await upload(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')),
    national_id_image: await upload((await image()).subarray(0, 500)),
    cv_file: await upload(PDF),
    degree_certificate: undefined,
  }
  const { ready, fieldErrors: wrong } = await files.read(uploads, 1)
  t.same(wrong, {
    profile_photo: ['file_type_not_allowed'],
    logo: ['file_type_not_allowed'],
    national_id_image: ['file_unreadable'],
  })
  t.same(
    ready.map(({ kind }) => kind),
    ['cv_file'],
  )
})

void t.test('rejects links of another key or with another expiry', (t) => {
  const clock = { nowMs: () => Date.now(), shiftMs: () => 0 }
  const [links, otherLinks] = [signedLinks([Buffer.alloc(32, 1)], clock), signedLinks([Buffer.alloc(32, 2)], clock)]
  const id = randomUUID()
  const query = new URL(links.linkTo({ id, kind: 'logo' }, id), 'http://x').searchParams
  const [expires, signature] = [Number(query.get('expires')), query.get('signature') ?? '']
  t.equal(links.isValid(id, { expires, signature }), true)
  t.equal(otherLinks.isValid(id, { expires, signature }), false)
  t.equal(links.isValid(randomUUID(), { expires, signature }), false)
  t.equal(links.isValid(id, { expires: expires + 300, signature }), false)
  t.equal(links.isValid(id, { expires, signature: signature.slice(1) }), false)
  const bound = new URL(links.linkTo({ id, kind: 'cv_file' }, id), 'http://x').searchParams
  const link = { expires: Number(bound.get('expires')), signature: bound.get('signature') ?? '' }
  t.equal(links.isValid(id, { ...link, session: id }), true)
  t.equal(links.isValid(id, { ...link, session: randomUUID() }), false)
  t.equal(links.isValid(id, link), false, 'the session is signed')
  t.end()
})
