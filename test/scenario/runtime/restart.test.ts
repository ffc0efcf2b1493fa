// Acknowledged writes survive a killed process.
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { start, temporaryFolder } from '../../support/processes/process.ts'

const ROUNDS = process.env['DATABASE_URL'] === undefined ? 1 : 3
const LOOK_MS = 5
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
    while (acknowledged.length < enough) await Promise.race([ended, sleep(LOOK_MS)])
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
