// The TLS options of a database URL.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { tlsOptions } from '../../src/database/connection/hosts.ts'
import { parsePostgresUrl } from '../../src/lib/postgres-url.ts'
import { StartupError } from '../../src/lib/startup-error.ts'
import { temporaryFolder } from '../support/processes/process.ts'

const optionsOf = (query: string): ReturnType<typeof tlsOptions> =>
  tlsOptions(parsePostgresUrl(`postgresql://db/app?${query}`))

void t.test('verifies what the mode requires', (t) => {
  const root = join(temporaryFolder(), 'root.pem')
  writeFileSync(root, 'certificate')
  t.equal(optionsOf(''), false)
  t.same(optionsOf('sslmode=require'), { rejectUnauthorized: false })
  t.same(optionsOf('sslmode=verify-full'), { rejectUnauthorized: true })
  t.same(optionsOf(`sslmode=verify-full&sslrootcert=${root}`), { rejectUnauthorized: true, ca: 'certificate' })
  t.same(optionsOf('sslmode=verify-full&sslrootcert=system'), { rejectUnauthorized: true })
  const { checkServerIdentity, ...rest } = optionsOf(`sslmode=verify-ca&sslrootcert=${root}`) as Record<string, unknown>
  t.same(rest, { rejectUnauthorized: true, ca: 'certificate' })
  t.type(checkServerIdentity, 'function', 'the name is not compared')
  t.end()
})

void t.test('names a file that cannot be read', (t) => {
  const message = /^The file of sslcert in the database URL cannot be read: ENOENT/
  t.throws(() => optionsOf('sslmode=require&sslcert=/nowhere'), StartupError)
  t.throws(() => optionsOf('sslmode=require&sslcert=/nowhere'), { message })
  t.end()
})
