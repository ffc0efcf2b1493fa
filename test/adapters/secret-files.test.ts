// Secrets from files, as container platforms mount them.
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { readConfig } from '../../src/config/index.ts'
import { StartupError } from '../../src/lib/startup-error.ts'
import { temporaryFolder } from '../support/processes/process.ts'

function fileWith(text: string): string {
  const path = join(temporaryFolder(), 'secret')
  writeFileSync(path, text)
  return path
}

function problemsOf(variables: Record<string, string>): string {
  try {
    readConfig({ NODE_ENV: 'development', ...variables })
    return ''
  } catch (error) {
    return error instanceof StartupError ? error.message : String(error)
  }
}

void t.test('reads a secret from the file of its variable, without the end of the line', (t) => {
  const config = readConfig({
    NODE_ENV: 'development',
    DATABASE_URL: 'postgresql://app@db/app',
    DATABASE_PASSWORD_FILE: fileWith('p@ss word\n'),
    REDIS_URL_FILE: fileWith('redis://cache:6379\r\n'),
    SMTP_URL_FILE: fileWith('smtp://mail.example'),
    S3_BUCKET: 'files',
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY_FILE: fileWith('key'),
  })
  t.match(config, {
    databasePassword: 'p@ss word',
    redisUrl: 'redis://cache:6379',
    mail: { url: 'smtp://mail.example' },
    files: { s3: { secretAccessKey: 'key' } },
  })
  t.end()
})

void t.test('names the problem of a file in one sentence', (t) => {
  const both = { SMTP_URL: 'smtp://mail.example', SMTP_URL_FILE: fileWith('smtp://other.example') }
  t.match(problemsOf(both), 'SMTP_URL and SMTP_URL_FILE are set. Set one of them.')
  t.match(
    problemsOf({ REDIS_PASSWORD_FILE: '/nowhere' }),
    'REDIS_PASSWORD_FILE: the file /nowhere cannot be read (ENOENT).',
  )
  const empty = fileWith('\n')
  t.match(problemsOf({ REDIS_PASSWORD_FILE: empty }), `REDIS_PASSWORD_FILE: the file ${empty} is empty.`)
  t.match(problemsOf({ DATABASE_PASWORD_FILE: 'x' }), 'Did you mean DATABASE_PASSWORD_FILE?')
  const invalid = problemsOf({ DATABASE_URL_FILE: fileWith('mysql://u:hidden@db') })
  t.match(invalid, /DATABASE_URL: invalid value\. Expected/)
  t.notMatch(invalid, 'hidden')
  t.end()
})

void t.test(
  'reports a file that the user cannot read',
  { skip: process.getuid?.() === 0 && 'root reads every file' },
  (t) => {
    const path = fileWith('secret')
    chmodSync(path, 0)
    t.match(problemsOf({ DATABASE_PASSWORD_FILE: path }), 'cannot be read (EACCES)')
    t.end()
  },
)

void t.test('rejects settings that contradict each other', (t) => {
  const url = 'postgresql://app:secret@db/app'
  t.match(
    problemsOf({ DATABASE_URL: url, DATABASE_PASSWORD: 'x' }),
    'DATABASE_URL contains a password, and DATABASE_PASSWORD is set. Remove one of them.',
  )
  t.match(
    problemsOf({ REDIS_URL: 'redis://:secret@cache', REDIS_PASSWORD: 'x' }),
    'REDIS_URL contains a password, and REDIS_PASSWORD is set. Remove one of them.',
  )
  t.match(problemsOf({ REDIS_URL: 'redis://cache', REDIS_CA_FILE: '/ca.pem' }), 'REDIS_URL does not use TLS')
  t.match(
    problemsOf({ DATABASE_URL: url, DATABASE_POOLER: 'transaction' }),
    'DATABASE_DIRECT_URL is not set: migrations',
  )
  t.match(problemsOf({ DATABASE_URL: 'postgresql://db/app?sslmode=prefer' }), 'DATABASE_URL has sslmode=prefer')
  t.match(
    problemsOf({ TRUSTED_PROXIES: '10.0.0.0/8' }),
    'TRUSTED_PROXIES is not a known variable. Did you mean TRUST_PROXY?',
  )
  t.end()
})
