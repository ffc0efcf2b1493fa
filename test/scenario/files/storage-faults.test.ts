// Effects of a file storage that hangs, stalls, is slow or recovers on callers, on the start and on the shutdown.
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { request, type Dispatcher } from 'undici'
import { bindings } from '../../../generated/operations.ts'
import { s3Storage } from '../../../src/adapters/files/s3.ts'
import { withStallTimeout } from '../../../src/adapters/resilience/stalls.ts'
import { prepareDemoAccounts } from '../../../src/runtime/demo-accounts.ts'
import { openStorage } from '../../../src/composition/files.ts'
import { exportIn } from '../../support/files/archives.ts'
import { openFaultyS3, type FaultyS3 } from '../../support/files/faulty-s3.ts'
import { giveFile, image, noise, PDF } from '../../support/files/files.ts'
import { clientForm, lawyerForm } from '../../support/accounts/profile-forms.ts'
import { openService } from '../../support/service/service.ts'
import { openWorld, type World } from '../../support/service/world.ts'

/** Long enough for a slow storage on a busy machine */
const GUARD = { callMs: 2500, silenceMs: 400, openMs: 200 }
/** The longest time of a request on a busy machine; without a limit it takes ten seconds and more. */
const REQUEST_MS_MAX = 9000
const LARGE = Buffer.concat([PDF.subarray(0, 9), noise(6_000_000), PDF])
const document = (bytes: Uint8Array = PDF): Blob => new Blob([Buffer.from(bytes)])

type Faulty = { s3: FaultyS3; world: World; keys: () => Promise<string[]> }

/** Opens a service whose files are in a storage that can fail, for a test or for this file. */
async function openFaulty(t: Pick<Test, 'teardown'>): Promise<Faulty> {
  const s3 = await openFaultyS3()
  const service = await openService({ config: { files: { s3: s3.options, guard: GUARD } } })
  t.teardown(() => service.close())
  const keys = async (): Promise<string[]> => {
    const found: string[] = []
    for await (const { key } of s3Storage(s3.options).list()) found.push(key)
    return found.sort()
  }
  return { s3, world: await openWorld(service), keys }
}

const shared = openFaulty(t)

/** Returns the service that most tests share, after its storage has recovered and is called again. */
async function recovered(): Promise<Faulty> {
  const faulty = await shared
  const { files } = faulty.world.service.app.context
  Object.assign(faulty.s3, { behavior: 'well', affects: () => true })
  while (await files.open('absent').catch(() => true)) await sleep(20)
  return { ...faulty, world: await openWorld(faulty.world.service) }
}

async function timed<Result>(t: Test, call: Promise<Result>): Promise<Result> {
  const startMs = Date.now()
  const result = await call
  const ms = Date.now() - startMs
  t.ok(ms < REQUEST_MS_MAX, `${ms} ms`)
  return result
}

/** Starts to read bytes, which may be cut off. */
async function begin(world: World, path: string, token: string): Promise<Dispatcher.ResponseData> {
  return request(world.service.origin + path, { headers: { authorization: `Bearer ${token}` } })
}

const filePath = (id: string): string => bindings.getFile.path.replace('{file_id}', id)

void t.test('rejects an upload to a hanging storage in time, without changes', async (t) => {
  const { s3, world, keys } = await recovered()
  const person = await world.person()
  const token = await person.token()
  const before = await keys()
  const form = clientForm(person, { name: 'new', profile_photo: new Blob([Buffer.from(await image())]) })
  s3.behavior = 'hangs'
  const received = await timed(t, world.send('updateProfile')({ token, form }))
  t.match([received.status, received.headers], [503, { 'error-code': 'storage_unavailable', 'retry-after': /\d+/ }])
  s3.behavior = 'well'
  const { prisma } = world.service.database
  t.equal(await prisma.profile.count({ where: { accountId: person.id, name: 'new' } }), 0)
  t.same(await keys(), before)
})

void t.test('applies one deadline to all files of a form', async (t) => {
  const { s3, world, keys } = await recovered()
  const person = await world.person({ accountType: 'lawyer' })
  const token = await person.token()
  const certificate = { degree_certificate: document(), cv_file: document(), company_license_file: document() }
  const before = await keys()
  let puts = 0
  s3.affects = (method) => method === 'PUT' && ++puts > 1 // the first is written
  s3.behavior = 'hangs'
  const startMs = Date.now()
  const { status } = await world.send('updateProfile')({ token, form: lawyerForm(person, certificate) })
  t.equal(status, 503)
  t.ok(Date.now() - startMs < 3 * GUARD.callMs, 'not one deadline after another')
  t.ok(puts > 2, 'the files are written at the same time')
  await world.service.app.context.background.settle()
  t.same(await keys(), before)
  s3.behavior = 'well'
  t.equal((await world.send('updateProfile')({ token, form: lawyerForm(person, certificate) })).status, 200)
})

void t.test('rejects a download from a hanging or empty storage in time', async (t) => {
  const { s3, world } = await recovered()
  const { id, token } = await world.person()
  const sent = { path: { file_id: await giveFile(world, id, 'cv_file', PDF) }, token: await token() }
  for (const behavior of ['hangs', 'withholds'] as const) {
    s3.behavior = behavior
    const { status, headers } = await timed(t, world.send('getFile')(sent))
    t.match([status, headers], [503, { 'error-code': 'storage_unavailable', 'cache-control': 'no-store' }])
    t.equal(headers['content-disposition'], undefined)
  }
})

void t.test('aborts a stalled download', async (t) => {
  const { s3, world } = await recovered()
  const { id, token } = await world.person()
  const path = filePath(await giveFile(world, id, 'cv_file', LARGE))
  s3.behavior = 'stalls'
  const { statusCode, body } = await begin(world, path, await token())
  t.equal(statusCode, 200)
  await timed(t, t.rejects(body.arrayBuffer()) as Promise<unknown>)
})

void t.test('sends a slow client the whole file', async (t) => {
  const { world } = await recovered()
  const { id, token } = await world.person()
  const path = filePath(await giveFile(world, id, 'cv_file', LARGE))
  const { body } = await begin(world, path, await token())
  await once(body, 'readable')
  // No more bytes are requested from the storage, while other streams are aborted after the same silence.
  for (let count = 0; count < 3; count++)
    await t.rejects(buffer(withStallTimeout(new PassThrough(), GUARD.silenceMs, (cause) => cause)))
  t.same(Buffer.from(await body.arrayBuffer()), LARGE)
})

void t.test('serves files from a slow storage', async (t) => {
  const { s3, world } = await recovered()
  const person = await world.person()
  const token = await person.token()
  s3.behavior = 'slowly'
  const form = clientForm(person, { profile_photo: new Blob([Buffer.from(await image('jpeg', 900, 900))]) })
  const updated = await world.send('updateProfile')({ token, form })
  t.equal(updated.status, 200)
  const { statusCode, body } = await begin(world, String(updated.body.data.user.profile_photo), token)
  t.equal(statusCode, 200)
  t.ok((await body.arrayBuffer()).byteLength > 1000)
})

void t.test('rejects an export from a hanging storage and aborts a stalled one', async (t) => {
  const { s3, world } = await recovered()
  const { id, token } = await world.person()
  await giveFile(world, id, 'cv_file', LARGE)
  const here = await token()
  s3.behavior = 'hangs'
  const refused = await timed(t, world.send('exportAccount')({ token: here }))
  t.match(refused.headers, { 'error-code': 'storage_unavailable' })
  s3.behavior = 'stalls'
  const { statusCode, body } = await begin(world, bindings.exportAccount.path, here)
  t.equal(statusCode, 200)
  await timed(t, t.rejects(body.arrayBuffer()) as Promise<unknown>)
  s3.behavior = 'well'
  t.same((await exportIn(await world.send('exportAccount')({ token: here }))).files['files/cv_file.pdf'], LARGE)
})

void t.test('does not delay responses by clean-up in a hanging storage', async (t) => {
  const { s3, world, keys } = await recovered()
  const { background } = world.service.app.context
  const person = await world.person()
  const token = await person.token()
  const before = await keys()
  await giveFile(world, person.id, 'cv_file', PDF)
  await giveFile(world, person.id, 'profile_photo', await image())
  const requests = s3.requests.length
  s3.affects = (method) => method === 'DELETE'
  s3.behavior = 'hangs'
  const form = clientForm(person, { profile_photo: new Blob([Buffer.from(await image())]) })
  t.equal((await timed(t, world.send('deleteProfileFile')({ path: { kind: 'cv_file' }, token }))).status, 200)
  t.equal((await timed(t, world.send('updateProfile')({ token, form }))).status, 200)
  await background.settle()
  t.equal(s3.requests.slice(requests).filter((method) => method === 'DELETE').length, 2)
  t.equal((await keys()).length, before.length + 3, 'what cannot be removed is left to the sweep')
})

void t.test('waits a limited time for clean-up at shutdown', async (t) => {
  const { s3, world, keys } = await openFaulty(t)
  const { id, token } = await world.person()
  await giveFile(world, id, 'cv_file', PDF)
  const { files } = world.service.app.context
  const [key = ''] = await keys()
  s3.behavior = 'slowly'
  await world.send('deleteProfileFile')({ path: { kind: 'cv_file' }, token: await token() })
  await world.service.app.context.background.settle(0) // it has begun
  await world.service.app.close()
  t.same(await keys(), [], 'the file is deleted')

  s3.behavior = 'hangs'
  files.discard([key])
  await timed(t, world.service.app.context.background.settle())
})

void t.test('starts with a hanging storage, without demo files', async (t) => {
  const s3 = await openFaultyS3()
  s3.behavior = 'hangs'
  const service = await openService({ config: { hasDemoData: true, files: { s3: s3.options, guard: GUARD } } })
  t.teardown(() => service.close())
  t.ok(service.app.hasDemoAccounts)
  t.ok(service.log.some((line) => line.includes('files of the demo accounts could not be stored')))
  t.ok(s3.requests.length <= 2, 'a storage that does not respond is called by its two checks, and not for each file')

  const { app, config, logger } = service
  const another = prepareDemoAccounts(app.context.store, await openStorage(config), config, logger)
  t.ok(await timed(t, another), 'the next start is not delayed either')
})
