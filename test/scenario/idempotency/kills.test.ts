// An instance is killed after the provider has received a message and before it responds, and after it has stored a
// registration. The other instance never sends the message of that key again, and returns the result of the registration.
// KILLS sets the number of kills.
import { randomUUID } from 'node:crypto'
import { once, EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import t from 'tap'
import { LIMITS } from '../../../generated/limits.ts'
import { openDatabase, type Database } from '../../../src/database/index.ts'
import { withKey } from '../../support/cases/idempotency-cases.ts'
import { clientRegistration } from '../../support/accounts/registrations.ts'
import { startHere } from '../../support/processes/here.ts'
import { start, temporaryFolder } from '../../support/processes/process.ts'
import { localServer } from '../../support/servers/local-server.ts'
import { ownDatabase, serverTarget } from '../../support/service/databases.ts'
import { sender } from '../../support/service/sender.ts'

const KILLS = Number(process.env['KILLS'] ?? (process.env['DATABASE_URL'] === undefined ? 1 : 2))
const FAR_APART = 1009

const own = await ownDatabase()
t.teardown(() => own.drop())
const folder = temporaryFolder()
const place = own.url === undefined ? { directory: folder } : serverTarget(own.url, 2)
if (KILLS > 5) t.setTimeout(0)

/** Moves the times of all keys back, as if the time after which a request counts as interrupted had passed. */
async function passLease({ pool }: Database): Promise<void> {
  await pool.query(`UPDATE idempotency_keys SET
    claimed_at = claimed_at - interval '${LIMITS.idempotency.lease_seconds} seconds'`)
}

const environment = {
  DATA_DIR: folder,
  TRUST_PROXY: '127.0.0.1',
  BCRYPT_COST: '10',
  LOG_LEVEL: 'warn',
  ...own.environment,
  ...(process.env['REDIS_URL'] !== undefined && {
    REDIS_URL: process.env['REDIS_URL'],
    REDIS_PREFIX: `test-${randomUUID()}`,
  }),
}

void t.test(
  `sends no message and stores no registration twice when killed ${KILLS} times between the message and the response`,
  async (t) => {
    const received: string[] = []
    const provider = new EventEmitter()
    const url = await localServer(t, (request, response) => {
      let text = ''
      request.on('data', (bytes: Buffer) => (text += bytes.toString()))
      request.on('end', () => {
        received.push(text)
        provider.emit('message', response)
      })
    })
    for (let kill = 0; kill < KILLS; kill++) {
      received.length = 0
      const phone = `055${String(((kill + 1) * FAR_APART) % 10_000_000).padStart(7, '0')}`
      const sent = withKey({ form: { phone_code: '966', phone } }, randomUUID())
      const withProvider = { ...environment, SMS_PROVIDERS: 'webhook', SMS_WEBHOOK_URL: url }
      const first = await start(withProvider)
      const registration = withKey({ json: clientRegistration() }, randomUUID())
      const stored = await sender(first.origin, 'register', `192.0.2.${kill + 101}`)(registration)
      const message = once(provider, 'message')
      const response = sender(first.origin, 'checkPhone', `192.0.2.${kill + 1}`)(sent)
      const lost = t.rejects(response, 'no response')
      await Promise.race([message, lost])
      await first.kill('SIGKILL')
      await lost

      const database = await openDatabase(place)
      const second = await startHere(withProvider, database)
      provider.on('message', (open: ServerResponse) => open.writeHead(200).end('{}'))
      const replayed = await sender(second.origin, 'register', `198.51.100.${kill + 101}`)(registration)
      t.match(replayed, { status: 201, headers: { 'idempotency-replayed': 'true' } })
      t.equal(replayed.body.data.session.refresh_token, stored.body.data.session.refresh_token)
      const retry = sender(second.origin, 'checkPhone', `198.51.100.${kill + 1}`)
      t.equal((await retry(sent)).headers['error-code'], 'idempotency_in_progress')
      await passLease(database)
      t.equal((await retry(sent)).headers['error-code'], 'idempotency_outcome_unknown')
      t.equal(received.length, 1)
      await second.close()
      await database.close()
      provider.removeAllListeners()
    }
  },
)
