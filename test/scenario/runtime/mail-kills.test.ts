// A killed process loses no e-mail. One that is killed before it stores the result sends the same e-mail again.
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { openDatabase } from '../../../src/database/index.ts'
import { start, temporaryFolder } from '../../support/processes/process.ts'
import { openMailServer } from '../../support/servers/mail-server.ts'

const LOOK_MS = 20
const EMAIL = 'client@demo.test'

async function requestReset(origin: string): Promise<number> {
  const response = await fetch(`${origin}/api/v1/auth/forgot-password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ by: 'email', email: EMAIL }),
  })
  return response.status
}

void t.test('sends an e-mail again after a kill, with the same Message-ID', async (t) => {
  const server = await openMailServer(t)
  const directory = temporaryFolder()
  const environment = { NODE_ENV: 'development', DATA_DIR: directory, SMTP_URL: server.url }
  const until = async (count: number): Promise<void> => {
    while (server.accepted.length < count) await sleep(LOOK_MS)
  }
  const onDatabase = async (sql: string): Promise<unknown[]> => {
    const database = await openDatabase({ directory })
    const { rows } = await database.pool.query<object>(sql).finally(() => database.close())
    return rows
  }

  server.failAt({ step: 'silence' }) // the server has the e-mail, and does not confirm it
  const killed = await start(environment)
  t.equal(await requestReset(killed.origin), 202)
  await until(1)
  await killed.kill('SIGKILL')
  const passLease = 'UPDATE mail_outbox SET next_attempt_at = now() RETURNING attempts, payload IS NULL AS gone'
  t.same(await onDatabase(passLease), [{ attempts: 1, gone: false }])

  server.failAt(undefined)
  const { kill } = await start(environment)
  await until(2)
  t.equal(await kill('SIGTERM'), 0)
  t.same(await onDatabase('SELECT 1 FROM mail_outbox'), [])
  const [first, again, ...more] = server.accepted
  t.same([again, more], [first, []])
  t.equal(first?.to, EMAIL)
})
