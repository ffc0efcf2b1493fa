// Exports with a disconnecting client, with a failing storage, and of large accounts.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { truncate } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { request, type Dispatcher } from 'undici'
import { COLUMNS } from '../../../generated/columns.ts'
import { bindings } from '../../../generated/operations.ts'
import type { S3Options } from '../../../src/adapters/files/s3.ts'
import { snakeCase } from '../../../src/database/sql.ts'
import { Failure } from '../../../src/domain/failure.ts'
import type { FileKind } from '../../../src/domain/files/file.ts'
import { shutDown } from '../../../src/runtime/shutdown.ts'
import { STORED, type StoredTable } from '../../support/accounts/stored-columns.ts'
import { exportIn } from '../../support/files/archives.ts'
import { giveFile, image, noise, PDF } from '../../support/files/files.ts'
import { openProxy, type Proxy } from '../../support/servers/proxy.ts'
import { openS3 } from '../../support/files/s3.ts'
import { openService, type Service } from '../../support/service/service.ts'
import { clientRegistration } from '../../support/accounts/registrations.ts'
import { openWorld, PASSWORD, tokensIn, type Person, type World } from '../../support/service/world.ts'

const MEGABYTE = 1024 * 1024
const DAY_MS = 86_400_000
/** More than a connection buffers, so that the service waits for the client */
const LARGE = pdfOf(9 * MEGABYTE)
/** More than the streams of an archive buffer */
const MEDIUM = pdfOf(MEGABYTE)
const READERS = process.env['DATABASE_URL'] === undefined ? 2 : 4
const MEMORY_MAX = READERS * 20 * MEGABYTE

/** Starts to read an export, as a program that downloads it. */
function begin(world: World, token: string, method: 'GET' | 'HEAD' = 'GET'): Promise<Dispatcher.ResponseData> {
  return request(world.service.origin + bindings.exportAccount.path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': world.address },
  })
}

/** Records the files that a service opens from now on, and how many are open at once. */
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

function pdfOf(bytes: number): Buffer {
  return Buffer.concat([PDF.subarray(0, 9), noise(bytes), PDF])
}

async function withFiles(world: World, file: Buffer, kinds: readonly FileKind[] = KINDS): Promise<Person> {
  const person = await world.person()
  for (const kind of kinds) await giveFile(world, person.id, kind, file)
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
  t.ok(world.service.log.some((line) => line.includes('account export aborted')))
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

void t.test('closes open files when the client disconnects in the middle', async (t) => {
  const world = await openWorld()
  const { id, token } = await withFiles(world, LARGE, ['degree_certificate'])
  await giveFile(world, id, 'cv_file', MEDIUM)
  const files = watchFiles(t, world.service)
  const { body } = await begin(world, await token())
  await once(body, 'readable')
  body.destroy()
  body.on('error', () => undefined)
  await allClosed(files.opened)
  t.equal(files.opened.length, 1, 'no more files are opened')
  t.notOk(
    world.service.log.some((line) => line.includes('account export aborted')),
    'a disconnected client is not logged as a failure',
  )
})

void t.test('closes everything when the client disconnects before the response', async (t) => {
  const world = await openWorld()
  const { token } = await withFiles(world, MEDIUM)
  const { context, server } = world.service.app
  const files = watchFiles(t, world.service)
  const { open } = context.files
  const client = new AbortController()
  const headers = { authorization: `Bearer ${await token()}` }
  const disconnected = new Promise((resolve) =>
    server.server.once('request', (_request, response: ServerResponse) => response.once('close', resolve)),
  )
  context.files.open = async (key) => {
    client.abort()
    await disconnected
    return open(key)
  }
  const url = world.service.origin + bindings.exportAccount.path
  await t.rejects(request(url, { headers, signal: client.signal }))
  while (files.opened.length === 0) await nextTurn()
  await allClosed(files.opened)
  t.equal(files.opened.length, 1)
})

void t.test('responds to HEAD without reading files', async (t) => {
  const world = await openWorld()
  const { token } = await withFiles(world, MEDIUM)
  const files = watchFiles(t, world.service)
  const { statusCode, headers, body } = await begin(world, await token(), 'HEAD')
  t.equal(statusCode, 200)
  t.equal(headers['content-type'], 'application/zip')
  t.equal((await body.arrayBuffer()).byteLength, 0)
  await allClosed(files.opened)
  t.equal(files.opened.length, 1)
  t.equal(files.opened[0]?.readableEnded, false)
})

void t.test('aborts the response if a file is truncated', async (t) => {
  const world = await openWorld()
  const { id, token } = await withFiles(world, MEDIUM)
  const where = { accountId_kind: { accountId: id, kind: 'company_license_file' } } as const
  const { key } = await world.service.database.prisma.file.findUniqueOrThrow({ where })
  const { files } = world.service.config
  if ('directory' in files) await truncate(join(files.directory, key), MEGABYTE / 2)
  const { statusCode, body } = await begin(world, await token())
  t.equal(statusCode, 200)
  await isCutOff(t, world, body)
})

void t.test('returns errors that occur before the response starts', async (t) => {
  const world = await openWorld()
  const { token } = await withFiles(world, MEDIUM)
  const { store } = world.service.app.context
  const files = watchFiles(t, world.service)
  const { record } = store.audit
  t.teardown(() => (store.audit.record = record))
  const here = await token()

  store.audit.record = () => Promise.reject(new Failure('database_unavailable'))
  const unrecorded = await world.send('exportAccount')({ token: here })
  t.equal(unrecorded.headers['error-code'], 'database_unavailable')
  store.audit.record = async (event) => {
    files.opened.at(-1)?.destroy(new Error('the disk failed'))
    await allClosed(files.opened)
    await record(event)
  }
  const broken = await world.send('exportAccount')({ token: here })
  t.match(broken.headers, { 'error-code': 'storage_unavailable', 'content-disposition': undefined })
  await allClosed(files.opened)
  t.equal(files.opened.length, 2)
})

void t.test('opens one file at a time with constant memory', async (t) => {
  const world = await openWorld()
  const { token } = await withFiles(world, LARGE)
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
  await Promise.all(Array.from({ length: READERS }, readOne))
  t.ok(
    most - before < MEMORY_MAX,
    `${Math.round((most - before) / MEGABYTE)} MB more, of ${READERS * KINDS.length * 9} that were sent`,
  )
  t.ok(files.atOnce() <= READERS)
  t.equal(files.opened.length, READERS * KINDS.length)
})

void t.test('exports from S3, and handles an unavailable and a failing storage', async (t) => {
  const { world, proxy } = await s3Service(t)
  const person = await withFiles(world, LARGE, ['cv_file'])
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
  proxy.restore()
  t.equal((await world.send('exportAccount')({ token: here })).status, 200)
})

void t.test('completes a running export during shutdown', async (t) => {
  const service = await openService()
  t.teardown(() => service.close())
  const world = await openWorld(service)
  const { token } = await withFiles(world, LARGE, ['cv_file'])
  const { statusCode, headers, body } = await begin(world, await token())
  t.equal(statusCode, 200)
  const drained = shutDown(service.app, { delayMs: 0, timeoutMs: 10_000 })
  const { files } = await exportIn({ body: Buffer.from(await body.arrayBuffer()) as never })
  t.same(files['files/cv_file.pdf'], LARGE, String(headers['content-type']))
  await drained
})

void t.test('excludes deleted data, and exports no deleted account', async (t) => {
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
  const rejected = await world.send('exportAccount')({ token: tokensIn(login).token })
  t.equal(rejected.headers['error-code'], 'token_revoked')
})

const { components } = JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as {
  components: { schemas: { ClientProfile: { properties: object } } }
}
/** The members of an exported profile */
const PERSON = components.schemas.ClientProfile.properties

/** The columns of a profile have the names of the document. */
const PROFILE = COLUMNS.profiles.filter((name) => name === 'account_id' || name in PERSON)

void t.test('exports every stored column or excludes it explicitly', async (t) => {
  const { database } = (await openWorld()).service
  const { rows } = await database.pool.query<{ table: string; columns: string[] }>(`
    SELECT table_name AS table, array_agg(column_name::text) AS columns FROM information_schema.columns
    WHERE table_schema = current_schema()
      AND NOT (SELECT relispartition FROM pg_class WHERE oid = quote_ident(table_name)::regclass)
    GROUP BY table_name
    HAVING table_name = 'accounts' OR 'account_id' = ANY(array_agg(column_name::text))`)
  const found = rows.map(({ table, columns }) => [table, columns.sort()] as const)
  const known = Object.values<StoredTable>(STORED).map(({ name, columns }) => [
    name,
    Object.keys(columns).map(snakeCase).sort(),
  ])
  const owned = known.filter(([name]) => found.some(([table]) => table === name))
  const advice = 'export a new column, or exclude it in test/support/accounts/stored-columns.ts'
  t.same(Object.fromEntries(found), { ...Object.fromEntries(owned), profiles: PROFILE }, advice)
})
