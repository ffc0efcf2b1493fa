// The backup of docs/backup.md, while files are replaced, and its restore onto another database.
import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import pg from 'pg'
import t, { type Test } from 'tap'
import { newKeys } from '../../../src/adapters/keys/index.ts'
import type { S3Options } from '../../../src/adapters/files/s3.ts'
import { readConfig, type Config } from '../../../src/config/index.ts'
import { openStorage } from '../../../src/composition/files.ts'
import { giveFile, image, PDF } from '../../support/files/files.ts'
import { openS3 } from '../../support/files/s3.ts'
import { adminIn } from '../../support/processes/admin-command.ts'
import { startHere } from '../../support/processes/here.ts'
import { temporaryFolder } from '../../support/processes/process.ts'
import { localServer } from '../../support/servers/local-server.ts'
import { emptyOwnDatabase } from '../../support/service/databases.ts'
import { openService } from '../../support/service/service.ts'
import { openWorld, type Person, type World } from '../../support/service/world.ts'

const ACCOUNTS = 4
const BACKUP_BUCKET = 'backup'

const run = promisify(execFile)
const has = (program: string): boolean => spawnSync('which', [program]).status === 0
const lacks = (...programs: string[]): string | false =>
  process.env['DATABASE_URL'] === undefined
    ? 'needs DATABASE_URL'
    : !programs.every(has) && `needs ${programs.join(', ')}`

function documented(name: string): string {
  const pattern = new RegExp(`<!-- ${name} -->\\n\\n\`\`\`sh\\n([^]*?)\`\`\``)
  const [, script] = pattern.exec(readFileSync('docs/backup.md', 'utf8')) ?? []
  if (script === undefined) throw new Error(`docs/backup.md has no ${name}`)
  return script
}

type Source = { world: World; people: Person[]; directUrl: string; keys: string }

/** Opens a service with several files of several accounts. */
async function openSource(t: Test, files: Config['files']): Promise<Source> {
  const keys = newKeys()
  let directUrl = ''
  const service = await openService({
    config: { files, keys: readConfig({ NODE_ENV: 'test', KEYS: keys }).keys },
    prepare: (url) => Promise.resolve(void (directUrl = url)),
  })
  t.teardown(() => service.close())
  const world = await openWorld(service)
  const people = await Promise.all(Array.from({ length: ACCOUNTS }, () => world.person()))
  for (const { id } of people) {
    await giveFile(world, id, 'profile_photo', await image())
    await giveFile(world, id, 'cv_file', PDF)
  }
  return { world, people, directUrl, keys }
}

/** Replaces the photos of all accounts, and waits until the old ones are deleted. */
async function replacePhotos({ world, people }: Source): Promise<void> {
  for (const { id } of people) await giveFile(world, id, 'profile_photo', await image())
  await world.service.app.context.background.settle()
}

/**
 * Runs the documented script. During the first dump, photos that were stored after the first copy of the files are replaced,
 * so that the second copy does not have them either. Returns the number of dumps.
 */
async function backUp(t: Test, source: Source, how: string, variables: Record<string, string>): Promise<number> {
  const folder = variables['BACKUP_FOLDER'] ?? ''
  let dumps = 0
  const origin = await localServer(t, (request, response) => {
    const isFirst = request.url === '/before' ? ++dumps === 1 : dumps === 1
    void (isFirst ? replacePhotos(source) : Promise.resolve()).then(() => response.end())
  })
  const programs = join(folder, 'programs')
  mkdirSync(programs)
  const dump = `#!/bin/sh\nset -e\ncurl -sf ${origin}/before\n"\$REAL_PG_DUMP" "$@"\ncurl -sf ${origin}/after\n`
  writeFileSync(join(programs, 'pg_dump'), dump, { mode: 0o755 })
  const { PATH = '' } = process.env
  const real = spawnSync('which', ['pg_dump']).stdout.toString().trim()
  const environment = {
    ...variables,
    PATH: `${programs}:${PATH}`,
    REAL_PG_DUMP: real,
    DATABASE_URL: source.directUrl,
    KEYS_FILE: join(folder, 'keys.json'),
  }
  writeFileSync(environment.KEYS_FILE, source.keys, { mode: 0o600 })
  await run('bash', ['-c', `${documented(how)}\n${documented('backup-script')}`], { cwd: folder, env: environment })
  return dumps
}

/** Restores the dump onto another database. Returns the variables of a service on it. */
async function restore(t: Test, folder: string, variables: Record<string, string>): Promise<Record<string, string>> {
  const { directUrl = '', environment, drop } = await emptyOwnDatabase()
  t.teardown(() => drop())
  await run('pg_restore', ['--exit-on-error', '--no-owner', `--dbname=${directUrl}`, join(folder, 'backup/db.dump')])
  const KEYS_FILE = join(folder, 'backup/keys.json')
  return { ...environment, ...variables, NODE_ENV: 'test', DATA_DIR: temporaryFolder(), KEYS_FILE }
}

/** Checks that each file of the restored database is readable, and that the command says so. */
async function checkRestored(t: Test, environment: Record<string, string>): Promise<void> {
  const { origin, close } = await startHere(environment)
  t.equal((await fetch(`${origin}/health/ready`)).status, 200)
  await close()
  const storage = await openStorage(readConfig(environment))
  const client = new pg.Client({ connectionString: environment['DATABASE_URL'] })
  await client.connect()
  const { rows } = await client.query<{ key: string; bytes: number }>('SELECT key, bytes FROM files')
  await client.end()
  for (const { key, bytes } of rows) {
    const content = await storage.read(key)
    t.equal(content && (await buffer(content)).length, bytes, key)
  }
  const checked = await adminIn(environment)('check-files')
  t.match(checked, { code: 0, said: `has all files that the database names: ${ACCOUNTS * 2}` })
  t.match((await adminIn(environment)('adopt-files', '--yes')).said, 'It now belongs to this database.')
}

function s3Variables({
  endpoint = '',
  bucket,
  prefix,
  accessKeyId,
  secretAccessKey,
}: S3Options): Record<string, string> {
  return {
    S3_ENDPOINT: endpoint,
    S3_BUCKET: bucket,
    S3_PREFIX: prefix,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_ENDPOINT_URL: endpoint,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_DEFAULT_REGION: 'us-east-1',
    BACKUP_BUCKET,
  }
}

void t.test('restores all files of a directory', { skip: lacks('pg_dump', 'rsync', 'curl') }, async (t) => {
  const [FILES_DIR, folder] = [temporaryFolder(), temporaryFolder()]
  const source = await openSource(t, { directory: FILES_DIR })
  t.equal(await backUp(t, source, 'backup-directory', { FILES_DIR, BACKUP_FOLDER: folder }), 2)
  const environment = await restore(t, folder, { FILES_DIR: join(folder, 'backup/files') })
  await checkRestored(t, environment)
})

void t.test('restores all files of a bucket', { skip: lacks('pg_dump', 'aws', 'curl') }, async (t) => {
  const folder = temporaryFolder()
  const s3 = await openS3({ others: [BACKUP_BUCKET] })
  const source = await openSource(t, { s3 })
  t.equal(await backUp(t, source, 'backup-s3', { ...s3Variables(s3), BACKUP_FOLDER: folder }), 2)
  await checkRestored(t, await restore(t, folder, s3Variables({ ...s3, bucket: BACKUP_BUCKET })))
})
