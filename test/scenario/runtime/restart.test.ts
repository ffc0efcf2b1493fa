// Acknowledged writes survive a killed process.
import t from 'tap'
import { start, temporaryFolder } from '../../support/processes/process.ts'
import { rawExchange } from '../../support/servers/raw.ts'

const ROUNDS = process.env['DATABASE_URL'] === undefined ? 1 : 3
const LOGIN = { email: 'client@demo.test', password: 'Tawthiq-demo-1' }

async function logIn(origin: string): Promise<string> {
  const response = await fetch(`${origin}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(LOGIN),
  })
  const body = (await response.json()) as { data: { account: { token: string } } }
  return body.data.account.token
}

void t.test('loses no acknowledged write when killed', async (t) => {
  const folder = temporaryFolder()
  const acknowledged: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const service = await start({ DATA_DIR: folder, PASSWORD_THREADS: '2' })
    const writers = Array.from({ length: 4 }, async () => {
      for (;;) acknowledged.push(await logIn(service.origin))
    })
    const ended = Promise.allSettled(writers)
    const enough = acknowledged.length + 12
    while (acknowledged.length < enough) await Promise.race([ended, fetch(`${service.origin}/health/live`)])
    await service.kill('SIGKILL')
    await ended
  }
  const { origin } = await start({ DATA_DIR: folder })
  const statuses = await Promise.all(
    acknowledged.map(async (token) => {
      const { status } = await fetch(`${origin}/api/v1/auth/check`, { headers: { authorization: `Bearer ${token}` } })
      return status
    }),
  )
  t.ok(acknowledged.length >= ROUNDS * 12)
  t.same([...new Set(statuses)], [200], `${acknowledged.length} sessions`)
})

/** Sends requests until the service rejects new ones; returns the rejection or the network error. */
async function refusalOfNew(origin: string): Promise<string> {
  for (;;) {
    try {
      const { headers } = await rawExchange(
        origin,
        'GET /health/ready HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      )
      if (headers['error-code'] !== undefined) return headers['error-code']
    } catch (error) {
      return String(error)
    }
  }
}

void t.test('completes running requests and rejects new ones at shutdown', async (t) => {
  const { origin, kill } = await start({ DATA_DIR: temporaryFolder() })
  const logins = Array.from({ length: 8 }, () => logIn(origin))
  await Promise.race(logins)
  const exit = kill('SIGTERM')
  t.match(await refusalOfNew(origin), /shutting_down|ECONNREFUSED/)
  const tokens = await Promise.allSettled(logins)
  t.equal(await exit, 0)
  t.same([...new Set(tokens.map(({ status }) => status))], ['fulfilled'])
})
