// Configurations with one fault each: the start rejects it, or doctor names it, with what to do and without secrets.
import { randomUUID } from 'node:crypto'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { newKeys } from '../../../src/adapters/keys/index.ts'
import { openS3 } from '../../support/files/s3.ts'
import { doctorIn } from '../../support/processes/commands.ts'
import { startHere, startHereExpectingFailure } from '../../support/processes/here.ts'
import { openInstallation } from '../../support/processes/installation.ts'
import { temporaryFolder } from '../../support/processes/process.ts'
import { openRedisServer, skipWithoutRedis } from '../../support/servers/redis-server.ts'
import { localServer } from '../../support/servers/local-server.ts'
import { emptyOwnDatabase, ownDatabase } from '../../support/service/databases.ts'
import { onDatabase, runStatements } from '../../support/service/roles.ts'

type Variables = Record<string, string>
type Fault = {
  /** @param owner the URL of the database for a user who may change it */
  variables: Variables | ((t: Test, base: Variables, owner: string) => Promise<Variables> | Variables)
  named: RegExp
  /** The server that the fault needs. Without its variable, the test is skipped. */
  needs?: 'DATABASE_URL' | 'REDIS_URL' | undefined
  /** False for a fault that connections through a pooler do not have */
  isPooled?: false
}

const NOWHERE = '127.0.0.1:1'
const NO_DATABASE = `postgresql://u:hidden@${NOWHERE}/x`
const EVENT_SECRETS = { EVENTS_WEBHOOK_SECRETS: `whsec_${'A'.repeat(32)}` }
const { REDIS_URL = '' } = process.env
const REDIS = REDIS_URL.replace(/^redis:\/\//, '').replace(/\/\d*$/, '')

/** The variables of production. Its servers are not reached before the faults are found. */
const PRODUCTION = {
  NODE_ENV: 'production',
  DATABASE_URL: NO_DATABASE,
  REDIS_URL: `redis://:hidden@${NOWHERE}`,
  KEYS: newKeys(),
  FILES_DIR: temporaryFolder(),
  SMS_PROVIDERS: 'webhook',
  SMS_WEBHOOK_URL: `https://${NOWHERE}/hidden`,
  SMTP_URL: `smtp://sender:hidden@${NOWHERE}`,
  MAIL_FROM: 'no-reply@app.example',
}

/** Changes the default of the database, which start-up options cannot override behind a pooler. */
async function withSerializable(
  _: Test,
  { DATABASE_URL = '', DATABASE_DIRECT_URL = DATABASE_URL }: Variables,
  owner: string,
): Promise<Variables> {
  const name = new URL(DATABASE_URL).pathname.slice(1)
  await runStatements(owner, [`ALTER DATABASE ${name} SET default_transaction_isolation = 'serializable'`])
  return { DATABASE_POOLER: 'transaction', DATABASE_DIRECT_URL }
}

const SERVER = process.env['DATABASE_DIRECT_URL'] ?? process.env['DATABASE_URL'] ?? ''

/** Creates a database without tables, and changes it. Returns the variables of a service on it. */
async function emptyDatabase(t: Test, options: string, ...statements: string[]): Promise<Variables> {
  const name = `tawthiq_test_${randomUUID().replaceAll('-', '')}`
  await runStatements(SERVER, [`CREATE DATABASE ${name} ${options}`])
  t.teardown(() => runStatements(SERVER, [`DROP DATABASE ${name} WITH (FORCE)`]))
  const url = onDatabase(SERVER, name, undefined)
  await runStatements(url, statements)
  return { DATABASE_URL: url, DATABASE_POOLER: '', DATABASE_DIRECT_URL: '' }
}

const inLatin1 = (t: Test): Promise<Variables> =>
  emptyDatabase(t, `ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`)
const ofAnotherApplication = (t: Test): Promise<Variables> => emptyDatabase(t, '', 'CREATE TABLE accounts (id integer)')

/** Starts a webhook of SMS that returns a status. */
async function smsWebhook(t: Test, status: number, headers: Variables = {}): Promise<Variables> {
  const SMS_WEBHOOK_URL = await localServer(t, (_, response) => response.writeHead(status, headers).end())
  return { SMS_PROVIDERS: 'webhook', SMS_WEBHOOK_URL, SMS_WEBHOOK_TOKEN: 'hidden' }
}

function keysWith(change: (file: Record<string, object[]>) => object): string {
  return JSON.stringify(change(JSON.parse(newKeys()) as Record<string, object[]>))
}

/** Stops the start. */
const REJECTED: Record<string, Fault> = {
  'a misspelt parameter of TLS': {
    variables: { DATABASE_URL: `${NO_DATABASE}?ssl_mode=verify-full` },
    named: /DATABASE_URL has the unknown parameter ssl_mode, .* Did you mean sslmode\? Parameters of TLS are sslmode, /,
  },
  'a parameter of TLS in capitals': {
    variables: { DATABASE_URL: `${NO_DATABASE}?SSLMODE=require` },
    named: /DATABASE_URL has the unknown parameter SSLMODE, .* Did you mean sslmode\?/,
  },
  'a value of sslmode in another parameter': {
    variables: { DATABASE_URL: `${NO_DATABASE}?mode=verify-full` },
    named: /DATABASE_URL has the unknown parameter mode, which would be ignored\. Parameters of TLS are/,
  },
  'a parameter of libpq for TLS that the service does not have': {
    variables: { DATABASE_URL: `${NO_DATABASE}?ssl_min_protocol_version=TLSv1.3` },
    named: /DATABASE_URL has the unknown parameter ssl_min_protocol_version/,
  },
  'a misspelt certificate authority of the direct URL': {
    variables: {
      DATABASE_URL: NO_DATABASE,
      DATABASE_DIRECT_URL: `${NO_DATABASE}?sslmode=verify-full&sslrotcert=ca.pem`,
    },
    named: /DATABASE_DIRECT_URL has the unknown parameter sslrotcert, .* Did you mean sslrootcert\?/,
  },
  'TLS with a fallback to plain text': {
    variables: { DATABASE_URL: `${NO_DATABASE}?sslmode=prefer` },
    named: /DATABASE_URL has sslmode=prefer, which falls back to a connection without TLS\. Use disable, require/,
  },
  'a certificate authority that is missing': {
    variables: { DATABASE_URL: `${NO_DATABASE}?sslmode=verify-ca` },
    named: /DATABASE_URL has sslmode=verify-ca without sslrootcert/,
  },
  'TLS of Redis as a parameter': {
    variables: { REDIS_URL: `redis://:hidden@${NOWHERE}?ssl=true` },
    named: /REDIS_URL has the unknown parameter ssl\. Remove it; for TLS, begin the URL with rediss\./,
  },
  'two passwords of the database': {
    variables: { DATABASE_URL: NO_DATABASE, DATABASE_PASSWORD: 'hidden' },
    named: /DATABASE_URL contains a password, and DATABASE_PASSWORD is set\. Remove one of them\./,
  },
  'a database that cannot be reached': {
    variables: { DATABASE_URL: NO_DATABASE, DATABASE_WAIT_SECONDS: '0' },
    named: /Cannot use the database x at 127\.0\.0\.1:1: .*ECONNREFUSED.* Check DATABASE_URL\./,
  },
  'a pooler that cannot be reached': {
    needs: 'DATABASE_URL',
    variables: (_t, { DATABASE_URL = '', DATABASE_DIRECT_URL = DATABASE_URL }) => ({
      DATABASE_URL: NO_DATABASE,
      DATABASE_DIRECT_URL,
      DATABASE_POOLER: 'transaction',
      DATABASE_WAIT_SECONDS: '0',
    }),
    named: /Cannot use the database x at 127\.0\.0\.1:1: .*ECONNREFUSED.* Check DATABASE_URL\./,
  },
  'a direct URL of another database': {
    needs: 'DATABASE_URL',
    variables: async (t) => {
      const { directUrl = '', drop } = await ownDatabase()
      t.teardown(() => drop())
      return { DATABASE_DIRECT_URL: directUrl }
    },
    named: /DATABASE_DIRECT_URL leads to another database than DATABASE_URL, .* Set both to the same database/,
  },
  'another isolation of transactions behind a pooler': {
    needs: 'DATABASE_URL',
    variables: withSerializable,
    named: /Run: ALTER ROLE \w+ SET default_transaction_isolation = 'read committed'/,
  },
  'missing migrations': {
    needs: 'DATABASE_URL',
    variables: async (t) => {
      const { environment, drop } = await emptyOwnDatabase()
      t.teardown(() => drop())
      return { ...environment, MIGRATE_AT_START: 'no' }
    },
    named: /The database lacks \d+ migrations, .* Run node dist\/service\/main\.js migrate first\./,
  },
  'a number of a database that Redis does not have': {
    needs: 'REDIS_URL',
    variables: { REDIS_URL: `redis://${REDIS}/99` },
    named: /REDIS_URL: the server does not have this database\. Change the number at the end/,
  },
  'an unknown user of Redis': {
    needs: 'REDIS_URL',
    variables: { REDIS_URL: `redis://nobody:hidden@${REDIS}` },
    named: /REDIS_URL: Redis rejects the user or the password\./,
  },
  'TLS to a Redis without it': {
    needs: 'REDIS_URL',
    variables: { REDIS_URL: `rediss://${REDIS}` },
    named: /REDIS_URL begins with rediss, but the server does not speak TLS\. Begin it with redis\./,
  },
  'a single server as a cluster of Redis': {
    needs: 'REDIS_URL',
    variables: { REDIS_URL: `redis+cluster://${REDIS}` },
    named: /REDIS_URL names a cluster, but the server is not part of one\./,
  },
  'the files of another database': {
    variables: async (t) => {
      const FILES_DIR = temporaryFolder()
      const other = await startHere({ ...(await openInstallation(t)).environment, KEYS: newKeys(), FILES_DIR })
      await other.close()
      return { FILES_DIR }
    },
    named: /belongs to another database/,
  },
  'a bucket that does not exist': {
    variables: async () => {
      const { endpoint = '', accessKeyId, secretAccessKey } = await openS3()
      const access = { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey }
      return { S3_BUCKET: 'missing', S3_ENDPOINT: endpoint, S3_FORCE_PATH_STYLE: 'true', ...access }
    },
    named: /S3_BUCKET: the bucket missing does not exist\. Create it first\./,
  },
  'two file stores': {
    variables: { FILES_DIR: '/files', S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'hidden' },
    named: /FILES_DIR and S3 variables are set\. Set either FILES_DIR or S3_BUCKET, not both\./,
  },
  'a key file that others can read': {
    variables: () => {
      const KEYS_FILE = join(temporaryFolder(), 'keys.json')
      writeFileSync(KEYS_FILE, newKeys())
      chmodSync(KEYS_FILE, 0o644)
      return { KEYS: '', KEYS_FILE }
    },
    named: /The key file .* is accessible to other users \(mode 644\)\. Run chmod 600/,
  },
  'two keys of one name': {
    variables: { KEYS: keysWith((file) => ({ ...file, codes: [...(file['codes'] ?? []), ...(file['codes'] ?? [])] })) },
    named: /KEYS has two keys with the same kid\. Remove one of them\./,
  },
  'no keys in production': {
    variables: { ...PRODUCTION, KEYS: '' },
    named: /KEYS_FILE is not set: production requires KEYS_FILE or KEYS\. Create keys with npm run -s keys\./,
  },
  'no sender of e-mails in production': {
    variables: { ...PRODUCTION, MAIL_FROM: '' },
    named: /MAIL_FROM is not set: mail servers reject e-mails from localhost/,
  },
  'codes in plain text in production': {
    variables: { ...PRODUCTION, SMS_WEBHOOK_URL: `http://${NOWHERE}/hidden` },
    named: /SMS_WEBHOOK_URL: http:\/\/ is not allowed in production, .* Use https:\/\//,
  },
  'an option that weakens TLS of e-mail': {
    variables: { ...PRODUCTION, SMTP_URL: `smtp://${NOWHERE}?tls.rejectUnauthorized=false` },
    named: /SMTP_URL: the option "tls\.rejectUnauthorized" is not allowed in production .* Remove the option/,
  },
  'events without a secret': {
    variables: { EVENTS_WEBHOOK_URL: `https://${NOWHERE}/hidden` },
    named: /EVENTS_WEBHOOK_SECRETS is not set: EVENTS_WEBHOOK_URL is set, and events are signed\./,
  },
  'a public URL with a query': {
    variables: { PUBLIC_URL: 'https://app.example/?a=b' },
    named:
      /PUBLIC_URL: invalid value .*Expected an http or https URL without user name and password, and without \? and #\./,
  },
  'a theme that loads something': {
    variables: () => {
      const PAGES_THEME = join(temporaryFolder(), 'theme.css')
      writeFileSync(PAGES_THEME, 'body { background: url(https://app.example) }')
      return { PAGES: 'on', PAGES_THEME }
    },
    named: /PAGES_THEME: \S+ may only set custom properties, without url\(\)/,
  },
  'challenges without a secret': {
    variables: { CAPTCHA_VERIFY_URL: `https://${NOWHERE}/` },
    named: /CAPTCHA_SECRET is not set: CAPTCHA_VERIFY_URL needs it\./,
  },
  'a public address in development': {
    variables: { HOST: '0.0.0.0' },
    named: /HOST: "0\.0\.0\.0" is not allowed outside production, .* Unset HOST to listen on 127\.0\.0\.1/,
  },
  'a forgotten NODE_ENV': {
    variables: { NODE_ENV: '', KEYS: '', DATABASE_URL: NO_DATABASE, SMTP_URL: `smtp://sender:hidden@${NOWHERE}` },
    named: /NODE_ENV is not set, but DATABASE_URL and SMTP_URL are set\. For real users, set NODE_ENV=production\./,
  },
  'proxies that are most of the internet': {
    variables: { TRUST_PROXY: '0.0.0.0/1,128.0.0.0/1' },
    named: /TRUST_PROXY has more than half of all addresses, .* Set it to the addresses of your proxies\./,
  },
  'a database in LATIN1': {
    needs: 'DATABASE_URL',
    variables: inLatin1,
    named: /The database has the encoding LATIN1, which lacks Arabic letters\. Create it again with ENCODING 'UTF8'/,
  },
  'the database of another application': {
    needs: 'DATABASE_URL',
    variables: ofAnotherApplication,
    named: /The database has a table "accounts" of another application\. Create a database for this service/,
  },
  'a database that accepts two connections': {
    needs: 'DATABASE_URL',
    isPooled: false,
    variables: async (_, { DATABASE_URL = '' }, owner) => {
      await runStatements(owner, [`ALTER DATABASE ${new URL(DATABASE_URL).pathname.slice(1)} CONNECTION LIMIT 2`])
      return {}
    },
    named: /DATABASE_CONNECTIONS is 10 .* PostgreSQL accepts 2 connections\. .* set it to 2 or less/,
  },
  'a data directory of another PostgreSQL': {
    variables: () => {
      const DATA_DIR = temporaryFolder()
      mkdirSync(join(DATA_DIR, 'database'))
      writeFileSync(join(DATA_DIR, 'database', 'PG_VERSION'), '15')
      return { DATABASE_URL: '', DATABASE_DIRECT_URL: '', DATABASE_POOLER: '', DATA_DIR }
    },
    named: /The embedded database in .* cannot be opened: .*no PostgreSQL of this version\. .* set DATA_DIR to another/,
  },
  'a misspelt variable': {
    variables: { PASSWORD_REST_URL: 'https://app.example/reset' },
    named: /PASSWORD_REST_URL is not a known variable\. Did you mean PASSWORD_RESET_URL\?/,
  },
}

/** Starts, and doctor names it. */
const REPORTED: Record<string, Fault> = {
  'a receiver of traces that cannot be reached': {
    variables: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://${NOWHERE}` },
    named: /^FAILED +Traces .*ECONNREFUSED/m,
  },
  'a key file without seals of the audit trail': {
    variables: { KEYS: keysWith((file) => ({ ...file, audit_seals: [] })) },
    named: /^WARNING +Keys +valid, but the audit trail is not sealed: run admin rotate-keys audit-seals$/m,
  },
  'development with the variables of production': {
    variables: { TRUST_PROXY: '10.0.0.0/8' },
    named:
      /^WARNING +Configuration +NODE_ENV is development, but .*TRUST_PROXY are set\. .* NODE_ENV=development has demo accounts/m,
  },
  'no page that sets a password': {
    variables: { ...PRODUCTION, EMAIL_CONFIRMATION_URL: 'https://app.example/email' },
    named:
      /^WARNING +Configuration +PASSWORD_RESET_URL is not set: e-mails contain a token without a link\. Set it to/m,
  },
  'no page that confirms addresses': {
    variables: { ...PRODUCTION, PASSWORD_RESET_URL: 'https://app.example/reset' },
    named:
      /^WARNING +Configuration +EMAIL_CONFIRMATION_URL is not set: e-mails contain a token without a link\. Set it to/m,
  },
  'a variable that is not known': {
    variables: { DATABASE_IDLE_SECONDS: '5', REDIS_SERVICE_HOST: '10.0.0.1' },
    named: /^WARNING +Configuration +DATABASE_IDLE_SECONDS is not a known variable and is ignored\. Remove it/m,
  },
  'a parameter of the database that is not known': {
    variables: { DATABASE_URL: `${NO_DATABASE}?pgbouncer=hidden` },
    named:
      /^WARNING +Configuration +DATABASE_URL has the unknown parameter pgbouncer, which is ignored\. Remove it: the next/m,
  },
  'a parameter of Redis that is not known': {
    variables: { REDIS_URL: `redis://:hidden@${NOWHERE}?pool=hidden` },
    named: /^WARNING +Configuration +REDIS_URL has the unknown parameter pool, which is ignored\. Remove it/m,
  },
  'another isolation of transactions behind a pooler': {
    needs: 'DATABASE_URL',
    variables: withSerializable,
    named: /^FAILED +settings .* SET default_transaction_isolation = 'read committed'/m,
  },
  'other keys on the same database': {
    needs: 'DATABASE_URL',
    variables: async (_, base) => {
      await startHere(base)
      return { KEYS: newKeys() }
    },
    named: /^FAILED +keys +the instance .*, process \d+ (runs|ran last) with other keys, .* the same key file/m,
  },
  'passkeys of another domain': {
    needs: 'DATABASE_URL',
    variables: async (_, base) => {
      await addPasskey(base)
      return { WEBAUTHN_RP_ID: 'other.example', WEBAUTHN_ORIGINS: 'https://other.example' }
    },
    named:
      /^FAILED +passkeys +WEBAUTHN_RP_ID is other\.example, but accounts have passkeys of app\.example\. Set it to app\.example\.$/m,
  },
  'more connections than the server has': {
    needs: 'DATABASE_URL',
    isPooled: false,
    variables: { DATABASE_CONNECTIONS: '500' },
    named:
      /^FAILED +connections +DATABASE_CONNECTIONS is 500 .* PostgreSQL accepts \d+ connections\. .* or raise max_connections\./m,
  },
  'a Redis that evicts counters': {
    needs: 'REDIS_URL',
    variables: async (t) => ({ REDIS_URL: await evictingRedis(t) }),
    named: /^FAILED +Redis +Redis has maxmemory-policy allkeys-lru, .* Set it to noeviction\.$/m,
  },
  'changes that a crash of PostgreSQL loses': {
    needs: 'DATABASE_URL',
    variables: async (_, { DATABASE_URL = '' }, owner) => {
      const name = new URL(DATABASE_URL).pathname.slice(1)
      await runStatements(owner, [`ALTER DATABASE ${name} SET synchronous_commit = off`])
      return {}
    },
    named: /^WARNING +settings +.* Run: .*ALTER ROLE \w+ SET synchronous_commit = on/m,
  },
  'a database in LATIN1': {
    needs: 'DATABASE_URL',
    variables: inLatin1,
    named: /^FAILED +PostgreSQL +The database has the encoding LATIN1/m,
  },
  'the database of another application': {
    needs: 'DATABASE_URL',
    variables: ofAnotherApplication,
    named: /^FAILED +PostgreSQL +The database has a table "accounts" of another application/m,
  },
  'no proxies in production': {
    variables: PRODUCTION,
    named: /^WARNING +Configuration +TRUST_PROXY is not set: behind/m,
  },
  'a token that a webhook of SMS does not know': {
    variables: (t) => smsWebhook(t, 401),
    named: /^FAILED +SMS, webhook +\S+ returned 401 to a request without a recipient: check SMS_WEBHOOK_TOKEN$/m,
  },
  'a token that a webhook of SMS rejects': {
    variables: (t) => smsWebhook(t, 403),
    named: /^FAILED +SMS, webhook +\S+ returned 403 to a request without a recipient: check SMS_WEBHOOK_TOKEN$/m,
  },
  'a webhook of SMS that fails': {
    variables: (t) => smsWebhook(t, 502),
    named: /^WARNING +SMS, webhook +\S+ returned 502 to a request without a recipient$/m,
  },
  'a webhook of SMS that is a page': {
    variables: (t) => smsWebhook(t, 200, { 'content-type': 'text/html' }),
    named: /^WARNING +SMS, webhook +\S+ returned 200 .*, with a web page: is it the address of the webhook\?$/m,
  },
  'a webhook of SMS that redirects': {
    variables: (t) => smsWebhook(t, 302, { location: '/login' }),
    named: /^FAILED +SMS, webhook +\S+ returned 302 .*: redirects are not followed/m,
  },
  'keys in two places': {
    variables: () => ({ KEYS: newKeys(), KEYS_FILE: 'keys.json' }),
    named: /KEYS and KEYS_FILE are set\. KEYS is used, .*Remove one of them\./,
  },
  'more idle connections than connections': {
    variables: { DATABASE_CONNECTIONS: '3', DATABASE_IDLE_CONNECTIONS: '8' },
    named: /DATABASE_IDLE_CONNECTIONS is 8, but DATABASE_CONNECTIONS only 3\. Set it to less\./,
  },
  'a provider of SMS that cannot be reached': {
    variables: { SMS_PROVIDERS: 'webhook', SMS_WEBHOOK_URL: `http://${NOWHERE}/hidden` },
    named: /^FAILED +SMS, webhook +.*ECONNREFUSED/m,
  },
  'a receiver of events that cannot be reached': {
    variables: { EVENTS_WEBHOOK_URL: `https://${NOWHERE}/hidden`, ...EVENT_SECRETS },
    named: /^FAILED +Events +.*ECONNREFUSED/m,
  },
  'a list of breached passwords that is not one': {
    variables: async (t) => ({
      PASSWORD_BREACH_URL: await localServer(t, (_, response) => response.writeHead(500).end()),
    }),
    named: /^FAILED +Breached passwords +the server returned 500$/m,
  },
}

/** Adds a passkey of another domain to a demo account. */
async function addPasskey(base: Variables): Promise<void> {
  const { close } = await startHere(base)
  await runStatements(base['DATABASE_URL'] ?? '', [
    `INSERT INTO passkeys (account_id, credential_id, user_handle, public_key, transports, relying_party_id, aaguid, name,
       backup_eligible, backed_up)
     SELECT id, '1', '2', '3', '{}', 'app.example', gen_random_uuid(), 'Key', false, false FROM accounts LIMIT 1`,
  ])
  await close()
}

/** Starts a Redis whose memory is limited. */
async function evictingRedis(t: Test): Promise<string> {
  const port = await openRedisServer(t, '--maxmemory', '64mb', '--maxmemory-policy', 'allkeys-lru')
  return `redis://127.0.0.1:${port}`
}

function skipReason({ needs, isPooled }: Fault, fault: string): string | false {
  if (isPooled === false && process.env['DATABASE_POOLER']) return 'the pooler has the connections'
  if (fault.startsWith('a Redis that') && skipWithoutRedis) return skipWithoutRedis
  return needs !== undefined && !process.env[needs] && `needs ${needs}`
}

async function plant(t: Test, { variables }: Fault): Promise<Variables> {
  const { environment, directUrl = '' } = await openInstallation(t)
  const base: Variables = { ...environment, KEYS: newKeys(), PORT: '0' }
  return { ...base, ...(typeof variables === 'function' ? await variables(t, base, directUrl) : variables) }
}

for (const [fault, row] of Object.entries(REJECTED)) {
  void t.test(`the start rejects ${fault}`, { skip: skipReason(row, fault) }, async (t) => {
    const message = await startHereExpectingFailure(await plant(t, row))
    t.match(message.replaceAll('\n', ' '), row.named)
    t.notMatch(message, 'hidden', 'no secrets')
  })
}

for (const [fault, row] of Object.entries(REPORTED)) {
  void t.test(`doctor names ${fault}`, { skip: skipReason(row, fault) }, async (t) => {
    const { said, complained } = await doctorIn(await plant(t, row))()
    t.match(said, row.named)
    t.equal(complained, '')
    t.notMatch(said, /hidden|SERVICE_HOST/, 'no secrets, and nothing about variables of Kubernetes')
  })
}

void t.test('at least thirty faults are planted', (t) => {
  t.ok(Object.keys(REJECTED).length + Object.keys(REPORTED).length >= 30)
  t.end()
})
