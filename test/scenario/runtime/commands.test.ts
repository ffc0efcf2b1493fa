// The commands of the service, as an operator runs them.
import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import t from 'tap'
import { newKeys } from '../../../src/adapters/keys/index.ts'
import { readConfig } from '../../../src/config/index.ts'
import { checkAdministrators } from '../../../src/cli/doctor/administrators.ts'
import { toLine } from '../../../src/cli/doctor/result.ts'
import { openDatabase, type Database } from '../../../src/database/index.ts'
import { addDemoAccounts } from '../../../src/store/demo-data.ts'
import { openS3 } from '../../support/files/s3.ts'
import { adminIn } from '../../support/processes/admin-command.ts'
import { runHere } from '../../support/processes/command.ts'
import { doctorIn, migrateIn } from '../../support/processes/commands.ts'
import { IMPORT } from '../../support/processes/import.ts'
import { openInstallation } from '../../support/processes/installation.ts'
import { temporaryFolder } from '../../support/processes/process.ts'
import { localServer } from '../../support/servers/local-server.ts'

const MAIN = new URL('../../../service/main.js', import.meta.url).pathname

/** Starts a mail server that accepts one password. */
async function mailServer(): Promise<string> {
  const server = new SMTPServer({
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ password }, _session, done) =>
      password === 'open-sesame' ? done(null, { user: 'sender' }) : done(new Error('Invalid username or password')),
  })
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  t.teardown(() => new Promise<void>((resolve) => server.close(resolve)))
  return `127.0.0.1:${(listening.address() as AddressInfo).port}`
}

void t.test('lists its commands, and rejects others', (t) => {
  const help = execFileSync(process.execPath, [MAIN, 'help'], { encoding: 'utf8' })
  for (const name of ['serve', 'migrate', 'doctor', 'admin', 'import', 'keys'])
    t.match(help, new RegExp(`^  ${name} `, 'm'))
  const { status, stderr } = spawnSync(process.execPath, [MAIN, 'sevre'], { encoding: 'utf8' })
  t.equal(status, 2)
  t.equal(stderr, 'Unknown command: sevre.\nFor help, run node dist/service/main.js help.\n')
  const keys = (...words: string[]): string =>
    execFileSync(process.execPath, [MAIN, 'keys', ...words], { encoding: 'utf8' })
  t.match(keys(), /"tokens"[^]*"crv": "Ed25519"/)
  t.match(keys('--algorithm', 'ES256'), '"crv": "P-256"')
  t.match(keys('--help'), '--algorithm')
  for (const words of [['new'], ['--algorithm', 'RS256'], ['--prepare']])
    t.equal(spawnSync(process.execPath, [MAIN, 'keys', ...words]).status, 2)
  t.end()
})

void t.test('describes the state of the database', async (t) => {
  const migrate = migrateIn((await openInstallation(t)).environment)
  t.match(await migrate('--status'), {
    code: 0,
    said: /^\d+ migrations applied, 0 missing\.\nLookup rows: up to date\.$/,
  })
  t.same(await migrate('--dry-run'), { code: 0, said: '-- The database is up to date.', complained: '' })
  t.same(await migrate(), { code: 0, said: 'The database is up to date: 0 migrations applied.', complained: '' })
  t.match(await migrate('--help'), { code: 0, said: /--dry-run/ })
  t.match(await doctorIn({})('--help'), { code: 0, said: /FAILED/ })
  t.match(await migrate('--status', '--dry-run'), { code: 2, complained: /^Use only one option\./ })
  t.match(await migrate('--unknown'), { code: 2, complained: /Unknown option '--unknown'/ })
  t.match(await migrateIn({ DATA_DIR: temporaryFolder() })('--status'), { code: 1, complained: /There is no database/ })
})

void t.test('no command uses a server without NODE_ENV', async (t) => {
  const forgotten = { NODE_ENV: '', DATABASE_URL: 'postgresql://u:hidden@127.0.0.1:1/x' }
  const ended = [
    await migrateIn(forgotten)(),
    await doctorIn(forgotten)(),
    await adminIn(forgotten)('list'),
    await adminIn({ NODE_ENV: '', KEYS: newKeys() })('rotate-keys'),
    await runHere(IMPORT, forgotten, ['people.csv']),
  ]
  for (const { code, complained } of ended) {
    t.equal(code, 1)
    t.match(
      complained,
      /NODE_ENV is not set, but (DATABASE_URL|KEYS) is set\. For real users, set NODE_ENV=production\./,
    )
    t.notMatch(complained, /hidden|^ +at /m, 'no secrets, no stack')
  }
})

void t.test('checks every dependency', async (t) => {
  const webhook = await localServer(t, ({ method, headers: { authorization } }, response) => {
    t.same([method, authorization], ['POST', 'Bearer right'], 'a request without a recipient')
    response.writeHead(422).end()
  })
  const breaches = await localServer(t, (_request, response) => response.end(`${'A'.repeat(35)}:1\r\n`))
  const verifier = await localServer(t, (_request, response) => response.end('{"success":false}'))
  const environment = {
    ...(await openInstallation(t)).environment,
    KEYS: newKeys(),
    SMTP_URL: `smtp://sender:open-sesame@${await mailServer()}`,
    SMS_PROVIDERS: 'webhook',
    SMS_WEBHOOK_URL: webhook,
    SMS_WEBHOOK_TOKEN: 'right',
    CAPTCHA_VERIFY_URL: `${verifier}/siteverify`,
    CAPTCHA_SECRET: 'hidden',
    PASSWORD_BREACH_URL: breaches,
    ...(process.env['REDIS_URL'] !== undefined && { REDIS_URL: process.env['REDIS_URL'] }),
  }
  const { code, said, complained } = await doctorIn(environment)()
  t.equal(code, 0, said)
  t.equal(complained, '')
  t.notMatch(said, /open-sesame|hidden|FAILED/)
  for (const line of [
    /^ok +Configuration +valid for development$/m,
    /^ok +PostgreSQL +version \d+/m,
    /^ok +writable +yes$/m,
    process.env['TEST_ROLE'] === 'dml'
      ? /^ok +rights +reads and writes; the owner of the tables must run migrate$/m
      : /^ok +rights +reads, writes and creates tables$/m,
    /^ok +time +UTC, clocks differ by 0\.\d s$/m,
    /^ok +migrations +up to date/m,
    /^ok +lookup rows +up to date$/m,
    /^ok +administrators +0, of which 0 have a second factor$/m,
    environment.REDIS_URL === undefined ? /^skipped +Redis/m : /^ok +Redis +wrote, read and deleted keys$/m,
    /^ok +Files +the directory .*: wrote, read and deleted a file$/m,
    /^ok +deletion +the first start binds the file store to this database$/m,
    /^ok +Uploads +the directory .* is writable$/m,
    /^ok +Keys +valid$/m,
    /^ok +E-mail +connected to 127\.0\.0\.1:\d+ and logged in; no message was sent$/m,
    /^ok +SMS, webhook +127\.0\.0\.1:\d+ returned 422 to a request without a recipient$/m,
    /^skipped +Events /m,
    /^ok +CAPTCHA +127\.0\.0\.1:\d+ rejected an invalid solution, as it should$/m,
    /^ok +Breached passwords +2 hashes/m,
  ])
    t.match(said, line)
})

void t.test('warns of SMS without a CAPTCHA, and of calls that cannot be offered', async (t) => {
  const api = await localServer(t, () => t.fail('nothing is sent'))
  const { code, said } = await doctorIn({
    ...(await openInstallation(t)).environment,
    KEYS: newKeys(),
    SMS_PROVIDERS: 'twilio',
    TWILIO_API_URL: api,
    TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
    TWILIO_AUTH_TOKEN: 'x',
    TWILIO_FROM: 'Tawthiq',
    TWILIO_VOICE_FROM: '+15557122662',
  })()
  t.equal(code, 0, said)
  t.match(said, /^WARNING +Calls +TWILIO_VOICE_FROM has no effect.* Set PUBLIC_URL/m)
  t.match(said, /^WARNING +CAPTCHA +CAPTCHA_VERIFY_URL is not set: .* Set it and CAPTCHA_SECRET/m)
})

void t.test('counts the administrators without a second factor', async (t) => {
  const { target, environment } = await openInstallation(t)
  const { administratorsNeedFactor: isRequired, ...config } = readConfig(environment)
  t.equal(isRequired, false)
  const checked = async (isProduction: boolean, administratorsNeedFactor: boolean): Promise<string> =>
    toLine(await checkAdministrators({ ...config, isProduction, administratorsNeedFactor }))
  t.match(await checked(true, false), /^ok +administrators +0, of which 0 have a second factor$/, 'there are none')
  const accounts = async (change: (prisma: Database['prisma']) => Promise<unknown>): Promise<void> => {
    const database = await openDatabase(target)
    await addDemoAccounts(database)
    await change(database.prisma)
    await database.close()
  }
  await accounts(({ enabledFeature }) => enabledFeature.deleteMany())
  t.match(
    await checked(false, true),
    /^FAILED +administrators +MFA_REQUIRED is set, but nobody can add a second factor: run/,
  )
  await accounts(({ enabledFeature }) =>
    enabledFeature.create({ data: { name: 'second-factors', leastVersion: '0.3.0', enabledAt: new Date() } }),
  )
  t.match(await checked(false, false), /^ok +administrators +1, of which 0 have a second factor$/, 'in development')
  t.match(
    await checked(true, false),
    /^WARNING +administrators +MFA_REQUIRED is not set, .*: 1 of 1 have no second factor/,
  )
  t.match(await checked(true, true), /^WARNING +administrators +1 of 1 have no second factor, and cannot use their/)
  t.match(
    (await doctorIn({ ...environment, KEYS: newKeys(), MFA_REQUIRED: 'administrators' })()).said,
    /^WARNING +administ/m,
  )
  await accounts(({ account }) => account.updateMany({ where: { isAdmin: true }, data: { factorsSince: new Date() } }))
  t.match(await checked(true, true), /^ok +administrators +1, of which 1 have a second factor$/)
  t.match(await doctorIn({ ...environment, MFA_REQUIRED: 'all' })(), {
    code: 1,
    complained: /MFA_REQUIRED: invalid value "all"\. Expected administrators\./,
  })
})

void t.test('names each fault in one line', async (t) => {
  const s3 = await openS3()
  const { code, said } = await doctorIn({
    DATA_DIR: temporaryFolder(),
    DATABASE_URL: 'postgresql://u:hidden@127.0.0.1:1/x',
    REDIS_URL: 'redis://:hidden@127.0.0.1:1',
    KEYS: '{}',
    SMTP_URL: `smtp://sender:hidden@${await mailServer()}`,
    SMS_PROVIDERS: 'webhook',
    SMS_WEBHOOK_URL: 'http://127.0.0.1:1/hidden',
    EVENTS_WEBHOOK_URL: 'https://127.0.0.1:1/hidden',
    EVENTS_WEBHOOK_SECRETS: `whsec_${'A'.repeat(32)}`,
    CAPTCHA_VERIFY_URL: await localServer(t, (_request, response) => response.writeHead(404).end('<html>')),
    CAPTCHA_SECRET: 'hidden',
    PASSWORD_BREACH_URL: await localServer(t, (_request, response) => response.writeHead(500).end()),
    S3_BUCKET: 'missing',
    S3_ENDPOINT: s3.endpoint ?? '',
    S3_ACCESS_KEY_ID: s3.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
    S3_FORCE_PATH_STYLE: 'true',
  })()
  t.equal(code, 1)
  t.notMatch(said, /hidden|^ +at /m, 'no secrets, no stack')
  for (const line of [
    /^FAILED +PostgreSQL +Cannot use the database x at 127\.0\.0\.1:1: .*ECONNREFUSED/m,
    /^FAILED +Redis +.*ECONNREFUSED.*Check REDIS_URL\.$/m,
    /^FAILED +Files +S3_BUCKET: the bucket missing does not exist\. Create it first\.$/m,
    /^skipped +deletion +needs the file store and the database$/m,
    /^FAILED +Keys +KEYS is invalid/m,
    /^FAILED +E-mail +.*rejects the user or the password/m,
    /^FAILED +SMS, webhook +.*ECONNREFUSED/m,
    /^FAILED +Events +.*ECONNREFUSED/m,
    /^FAILED +CAPTCHA +The CAPTCHA verifier returned 404 without a result\.$/m,
    /^FAILED +Breached passwords +the server returned 500$/m,
    /^9 failed\.$/m,
  ])
    t.match(said, line)
})
