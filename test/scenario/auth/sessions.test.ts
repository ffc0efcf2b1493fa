// Sessions over time, under concurrent requests, and over two instances.
import t from 'tap'
import { openApp } from '../../../src/app.ts'
import { sender, untilServed } from '../../support/service/sender.ts'
import { openWorld, tokensIn } from '../../support/service/world.ts'

const AT_ONCE = 64
const SESSIONS_MAX = 50
const MINUTE_MS = 60_000

void t.test('returns the same successor to concurrent exchanges of a refresh token', async (t) => {
  const world = await openWorld()
  const person = await world.person()
  const { refresh } = await person.logIn()
  const responses = await Promise.all(
    Array.from({ length: AT_ONCE }, () =>
      untilServed(world.send('refreshToken'), { json: { refresh_token: refresh } }),
    ),
  )
  const successors = new Set(responses.map((response) => tokensIn(response).refresh))
  t.equal(successors.size, 1)
  const [next = ''] = successors
  t.equal((await world.send('refreshToken')({ json: { refresh_token: next } })).status, 200)
})

void t.test('rejects a revoked token on every instance at the next request', async (t) => {
  const world = await openWorld()
  const { service } = world
  const other = await openApp(service.config, service.dependencies)
  t.teardown(() => other.close())
  const origin = await other.server.listen({ host: '127.0.0.1', port: 0 })
  const there = (id: Parameters<typeof world.send>[0]): ReturnType<typeof sender> => sender(origin, id, world.address)

  const person = await world.person()
  const [first, second, third] = [await person.logIn(), await person.logIn(), await person.logIn()]
  t.equal((await there('checkToken')({ token: first.token })).status, 200)
  await world.send('logout')({ token: first.token })
  t.equal((await there('checkToken')({ token: first.token })).status, 401)
  await there('revokeOtherSessions')({ token: second.token })
  t.equal((await world.send('checkToken')({ token: third.token })).status, 401)
  t.equal((await world.send('refreshToken')({ json: { refresh_token: third.refresh } })).status, 401)

  const responses = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, at) =>
      untilServed(at % 2 === 0 ? there('refreshToken') : world.send('refreshToken'), {
        json: { refresh_token: second.refresh },
      }),
    ),
  )
  t.equal(
    new Set(responses.map((response) => tokensIn(response).refresh)).size,
    1,
    'the instances give the same successor',
  )
})

void t.test('revokes the session that was unused for the longest time when a 51st begins', async (t) => {
  const world = await openWorld()
  const { id: accountId, ...person } = await world.person()
  const { app, database } = world.service
  const [refreshed, unused] = [await person.logIn(), await person.logIn()]
  const { passwordHash } = await database.prisma.account.findUniqueOrThrow({ where: { id: accountId } })
  const session = { accountId, passwordHash, address: world.address, userAgent: undefined }
  world.wait(MINUTE_MS)
  for (let count = 2; count < SESSIONS_MAX; count++) await app.context.store.sessions.begin(session)
  const { token } = tokensIn(await world.send('refreshToken')({ json: { refresh_token: refreshed.refresh } }))
  t.equal((await world.send('checkToken')({ token: unused.token })).status, 200)

  await person.logIn()
  t.equal((await world.send('checkToken')({ token: unused.token })).headers['error-code'], 'token_revoked')
  t.equal((await world.send('checkToken')({ token })).status, 200)
  t.equal(await database.prisma.session.count({ where: { accountId, endedAt: null } }), SESSIONS_MAX)
})
