// Exports whose client leaves, whose storage breaks, and that are large.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { truncate } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { request, type Dispatcher } from 'undici'
import { bindings } from '../../generated/operations.ts'
import type { S3Options } from '../../src/adapters/files/s3.ts'
import { Failure } from '../../src/domain/failure.ts'
import type { FileKind } from '../../src/domain/file.ts'
import { drain } from '../../src/drain.ts'
import { exportIn } from '../support/archives.ts'
import { giveFile, image, PDF } from '../support/files.ts'
import { openProxy, type Proxy } from '../support/proxy.ts'
import { openS3 } from '../support/s3.ts'
import { openService, type Service } from '../support/service.ts'
import { clientRegistration } from '../support/registrations.ts'
import { openWorld, PASSWORD, tokensIn, type Person, type World } from '../support/world.ts'

const MEGABYTE = 1024 * 1024
const DAY_MS = 86_400_000
const LARGE = Buffer.concat([PDF.subarray(0, 9), randomBytes(9 * MEGABYTE), PDF])
const MEMORY_MAX = 80 * MEGABYTE

/** Begins to read an export, as programs do that save what they get. */
function begin(world: World, token: string, method: 'GET' | 'HEAD' = 'GET'): Promise<Dispatcher.ResponseData> {
  return request(world.service.origin + bindings.exportAccount.path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': world.address },
  })
}

/** The files that a service opens from now on, and how many were open at once. */
function watchFiles(t: Test, { app }: Service): { opened: Readable[]; atOnce: () => number } {
  const { context } = app
  const { files } = context
  const opened: Readable[] = []
  let most = 0
  context.files = {
    ...files,
    async open(key) {
      const file = await files.open(key)
      if (file) opened.push(file)
      most = Math.max(most, opened.filter(({ closed }) => !closed).length)
      return file
    },
  }
  t.teardown(() => (context.files = files))
  return { opened, atOnce: () => most }
}

const KINDS = ['degree_certificate', 'cv_file', 'company_license_file'] as const

async function withLargeFiles(world: World, kinds: readonly FileKind[] = KINDS): Promise<Person> {
  const person = await world.person()
  for (const kind of kinds) await giveFile(world, person.id, kind, LARGE)
  return person
}

function memoryInUse(): number {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

async function allClosed(files: Readable[]): Promise<void> {
  for (const file of files) if (!file.closed) await new Promise((resolve) => file.once('close', resolve))
}

async function isCutOff(t: Test, world: World, body: Dispatcher.ResponseData['body']): Promise<void> {
  body.resume()
  await t.rejects(finished(body), 'a failed download, and no whole archive')
  t.ok(world.service.log.some((line) => line.includes('an export was cut off')))
}

async function s3Service(t: Test): Promise<{ world: World; proxy: Proxy }> {
  const s3 = await openS3()
  const proxy = await openProxy({ host: '127.0.0.1', port: Number(new URL(s3.endpoint ?? '').port) })
  const options: S3Options = { ...s3, endpoint: `http://127.0.0.1:${proxy.port}`, timeoutMs: 2000 }
  const service = await openService({ config: { files: { s3: options } } })
  t.teardown(async () => {
    await service.close()
    proxy.close()
  })
  return { world: await openWorld(service), proxy }
}

void t.test('a client that leaves in the middle: what was open is closed', async (t) => {
  const world = await openWorld()
  const { token } = await withLargeFiles(world)
  const files = watchFiles(t, world.service)
  const { body } = await begin(world, await token())
  await once(body, 'readable')
  body.destroy()
  body.on('error', () => undefined)
  await allClosed(files.opened)
  t.equal(files.opened.length, 1, 'and nothing more is opened')
  t.notOk(
    world.service.log.some((line) => line.includes('an export was cut off')),
    'which is no fault of ours',
  )
})

void t.test('a client that has left before there is anything to send', async (t) => {
  const world = await openWorld()
  const { token } = await withLargeFiles(world)
  const { context, server } = world.service.app
  const files = watchFiles(t, world.service)
  const { open } = context.files
  const leaving = new AbortController()
  const headers = { authorization: `Bearer ${await token()}` }
  const gone = new Promise((resolve) =>
    server.server.once('request', (_request, response: ServerResponse) => response.once('close', resolve)),
  )
  context.files.open = async (key) => {
    leaving.abort()
    await gone
    return open(key)
  }
  const url = world.service.origin + bindings.exportAccount.path
  await t.rejects(request(url, { headers, signal: leaving.signal }))
  while (files.opened.length === 0) await nextTurn()
  await allClosed(files.opened)
  t.equal(files.opened.length, 1)
})

void t.test('HEAD tells of the archive, and reads nothing of it', async (t) => {
  const world = await openWorld()
  const { token } = await withLargeFiles(world)
  const files = watchFiles(t, world.service)
  const { statusCode, headers, body } = await begin(world, await token(), 'HEAD')
  t.equal(statusCode, 200)
  t.equal(headers['content-type'], 'application/zip')
  t.equal((await body.arrayBuffer()).byteLength, 0)
  await allClosed(files.opened)
  t.equal(files.opened.length, 1)
  t.equal(files.opened[0]?.readableEnded, false)
})

void t.test('a file that is shorter than it was: the answer is cut off', async (t) => {
  const world = await openWorld()
  const { id, token } = await withLargeFiles(world)
  const where = { accountId_kind: { accountId: id, kind: 'company_license_file' } } as const
  const { key } = await world.service.database.prisma.file.findUniqueOrThrow({ where })
  const { files } = world.service.config
  if ('folder' in files) await truncate(join(files.folder, key), MEGABYTE)
  const { statusCode, body } = await begin(world, await token())
  t.equal(statusCode, 200)
  await isCutOff(t, world, body)
})

void t.test('what breaks before the answer begins is told, and nothing stays open', async (t) => {
  const world = await openWorld()
  const { token } = await withLargeFiles(world)
  const { store } = world.service.app.context
  const files = watchFiles(t, world.service)
  const { record } = store.audit
  t.teardown(() => (store.audit.record = record))
  const here = await token()

  store.audit.record = () => Promise.reject(new Failure('database_unavailable'))
  const unrecorded = await world.send('exportAccount')({ token: here })
  t.equal(unrecorded.headers['error-code'], 'database_unavailable')
  store.audit.record = async (event) => {
    files.opened.at(-1)?.destroy(new Error('the disk is gone'))
    await allClosed(files.opened)
    await record(event)
  }
  const broken = await world.send('exportAccount')({ token: here })
  t.match(broken.headers, { 'error-code': 'storage_unavailable', 'content-disposition': undefined })
  await allClosed(files.opened)
  t.equal(files.opened.length, 2)
})

void t.test('large files: each export has one open at a time, and memory stays flat', async (t) => {
  const world = await openWorld()
  const { token } = await withLargeFiles(world)
  const files = watchFiles(t, world.service)
  const here = await token()
  const before = memoryInUse()
  let most = 0
  const readOne = async (): Promise<void> => {
    const { body } = await begin(world, here)
    let bytes = 0
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length
      most = Math.max(most, memoryInUse())
    }
    t.ok(bytes > KINDS.length * 9 * MEGABYTE)
  }
  await Promise.all(Array.from({ length: 5 }, readOne))
  t.ok(most - before < MEMORY_MAX, `${Math.round((most - before) / MEGABYTE)} MB more, of 135 that were sent`)
  t.ok(files.atOnce() <= 5)
  t.equal(files.opened.length, 5 * KINDS.length)
})

void t.test('S3: the same archive; a storage that is away, and one that breaks in the middle', async (t) => {
  const { world, proxy } = await s3Service(t)
  const person = await withLargeFiles(world, ['cv_file'])
  const photo = await image()
  await giveFile(world, person.id, 'profile_photo', photo)
  const files = watchFiles(t, world.service)
  const here = await person.token()

  const { account, files: exported } = await exportIn(await world.send('exportAccount')({ token: here }))
  t.same(exported['files/cv_file.pdf'], LARGE)
  t.same(exported['files/profile_photo.jpg']?.length, account.files[0]?.bytes)
  t.ok(account.files.every(({ missing }) => !missing))
  t.equal(files.atOnce(), 1)

  const { body } = await begin(world, here)
  await once(body, 'readable')
  proxy.cut()
  await isCutOff(t, world, body)
  await allClosed(files.opened)

  const startMs = Date.now()
  const away = await world.send('exportAccount')({ token: here })
  t.equal(away.headers['error-code'], 'storage_unavailable')
  t.ok(Date.now() - startMs < 5000)
  proxy.mend()
  t.equal((await world.send('exportAccount')({ token: here })).status, 200)
})

void t.test('a service that leaves lets an export come to its end', async (t) => {
  const service = await openService()
  t.teardown(() => service.close())
  const world = await openWorld(service)
  const { token } = await withLargeFiles(world, ['cv_file'])
  const { statusCode, headers, body } = await begin(world, await token())
  t.equal(statusCode, 200)
  const drained = drain(service.app)
  const { files } = await exportIn({ body: Buffer.from(await body.arrayBuffer()) as never })
  t.same(files['files/cv_file.pdf'], LARGE, String(headers['content-type']))
  await drained
})

void t.test('what was deleted is in no export, and of a deleted account there is none', async (t) => {
  const world = await openWorld()
  const form = clientRegistration({ password: PASSWORD })
  const { token } = tokensIn(await world.send('register')({ json: form }))
  const { store } = world.service.app.context
  const { email = '' } = form
  const { id } = await world.service.database.prisma.account.findUniqueOrThrow({ where: { email } })
  await giveFile(world, id, 'logo', await image())
  t.equal((await exportIn(await world.send('exportAccount')({ token }))).account.files.length, 1)
  await world.send('deleteProfileFile')({ path: { kind: 'logo' }, token })
  const { account, files } = await exportIn(await world.send('exportAccount')({ token }))
  t.same([account.files, files], [[], {}])

  await world.send('requestAccountDeletion')({ json: { password: PASSWORD }, token })
  world.wait(31 * DAY_MS)
  const login = await world.send('login')({ json: { email, password: PASSWORD } })
  await store.deletions.carryOut()
  const gone = await world.send('exportAccount')({ token: tokensIn(login).token })
  t.equal(gone.headers['error-code'], 'token_revoked')
})

/** The columns of what is kept of accounts: those that an export has, and those that it leaves out on purpose. */
const KEPT: Readonly<Record<string, Readonly<{ exported: string; leftOut: string }>>> = {
  accounts: {
    exported: `id email email_verified_at pending_email phone phone_code phone_verified_at account_type status is_admin
      created_at deletion_due_at`,
    // a secret; null where there is an export; how the account is recovered
    leftOut: 'password_hash suspended_at suspension_reason email_recovers_from email_changed_at phone_recovers_from',
  },
  // what is about administrators
  audit_events: { exported: 'at event subject address', leftOut: 'id account_id actor_id reason request_id' },
  // secrets of some days, and how often they were tried
  email_codes: { exported: '', leftOut: 'account_id email window_id expires_at wrong_tries sent_at wrong_at' },
  email_tokens: { exported: '', leftOut: 'token_hash account_id purpose email verified_at expires_at' },
  // what was told to whom, of what the audit trail has as well
  events: {
    exported: '',
    leftOut: `id webhook_id type account_id data at attempts last_attempt_at last_failure next_attempt_at delivered_at`,
  },
  files: { exported: 'kind type bytes created_at', leftOut: 'id account_id key' },
  // how the account is recovered, for some days
  former_phones: { exported: '', leftOut: 'phone phone_code account_id verified_at recovers_until' },
  lawyer_languages: { exported: 'language_id', leftOut: 'account_id' },
  lawyer_licences: { exported: 'section_id licence_no', leftOut: 'account_id' },
  lawyer_profiles: {
    exported: `first_name second_name third_name fourth_name about national_id identity_type birth_date degree_id
      other_degree general_specialty_id accurate_specialty_id functional_case_id company_name company_licences_no
      review_status review_reason`,
    leftOut: 'account_id review_version',
  },
  password_resets: { exported: '', leftOut: 'token_hash account_id expires_at' }, // secrets of some minutes
  profiles: {
    exported: 'name gender country_id region_id city_id nationality_id type longitude latitude',
    leftOut: 'account_id',
  },
  // which refresh token is good, and whether an operation wants the password again
  sessions: {
    exported: 'id created_at ended_at user_agent address refreshed_at',
    leftOut: 'account_id generation authenticated_at',
  },
}

void t.test('whatever is kept of an account is in its export, or is left out on purpose', async (t) => {
  const { database } = (await openWorld()).service
  const { rows } = await database.pool.query<{ table: string; columns: string[] }>(`
    SELECT table_name AS table, array_agg(column_name::text) AS columns FROM information_schema.columns
    WHERE table_schema = current_schema() GROUP BY table_name
    HAVING table_name = 'accounts' OR 'account_id' = ANY(array_agg(column_name::text))`)
  const found = rows.map(({ table, columns }) => [table, columns.sort()] as const)
  const known = Object.entries(KEPT).map(([table, { exported, leftOut }]) => {
    const columns = `${exported} ${leftOut}`.trim().split(/\s+/)
    return [table, columns.sort()] as const
  })
  const advice = 'a new column goes into store/copies.ts, or is left out here'
  t.same(Object.fromEntries(found), Object.fromEntries(known), advice)
})
