import { commonCases, tokenCases } from '../../support/cases/common-cases.ts'
import { contract } from '../../support/cases/contract.ts'
import { tokensIn } from '../../support/service/world.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1'

const common = commonCases('listSessions', async (world) => ({ token: await (await world.person()).token() }), 'store')

contract('listSessions', {
  200: {
    'lists sessions with their devices, most recently used first': async (send, world, t) => {
      const person = await world.person()
      await (await world.person()).logIn()
      const phone = await person.logIn(IPHONE)
      world.wait(60_000)
      const { token } = await person.logIn(CHROME)
      world.wait(120_000)
      const { body } = await send({ token })
      t.match(body.data.items, [
        { device: 'Chrome, Windows', address: /^10\.\d+\.\d+\.\*$/, current: true },
        { device: 'Safari, iOS', current: false },
      ])
      await world.send('refreshToken')({ json: { refresh_token: phone.refresh } })
      const received = await send({ token })
      t.match(received.body.data.items, [{ device: 'Safari, iOS' }, { device: 'Chrome, Windows' }])
      return received
    },
    'names a client that is not a browser, and accepts a missing user agent': async (send, world, t) => {
      const person = await world.person()
      await person.logIn('')
      const received = await send({ token: (await person.logIn('okhttp/4.12.0')).token })
      const sessions = received.body.data.items as { device: string | null }[]
      t.same(new Set(sessions.map(({ device }) => device)), new Set([null, 'okhttp']))
      return received
    },
    'ends the least recently used session beyond 50': async (send, world, t) => {
      const person = await world.person()
      const first = await person.logIn()
      world.wait(1000)
      const second = await person.logIn()
      world.wait(1000)
      for (let more = 0; more < 49; more++) await person.logIn()
      t.equal((await send({ token: first.token })).status, 401)
      const received = await send({ token: second.token })
      t.equal(received.body.data.items.length, 50)
      return received
    },
    'lists the session of the caller when concurrent logins have exceeded the limit': async (send, world, t) => {
      const person = await world.person()
      const { token } = await person.logIn('oldest')
      world.wait(1000)
      const { prisma } = world.service.database
      const { id: _, ...session } = await prisma.session.findFirstOrThrow({ where: { accountId: person.id } })
      const refreshedAt = new Date(session.refreshedAt.getTime() + 1000)
      await prisma.session.createMany({ data: Array.from({ length: 50 }, () => ({ ...session, refreshedAt })) })
      const received = await send({ token })
      const sessions = received.body.data.items as { current: boolean }[]
      t.equal(sessions.length, 50)
      t.same(
        sessions.filter(({ current }) => current),
        [sessions.at(-1)],
        'it was used least recently',
      )
      return received
    },
    'excludes expired sessions': async (send, world, t) => {
      const person = await world.person()
      await person.logIn()
      world.wait(30 * DAY_MS)
      const received = await send({ token: await person.token() })
      t.equal(received.body.data.items.length, 1)
      return received
    },
    'excludes a session 90 days after its start, however recently it was used': async (send, world, t) => {
      const person = await world.person()
      let { refresh } = await person.logIn()
      for (let month = 0; month < 3; month++) {
        world.wait(29 * DAY_MS)
        ;({ refresh } = tokensIn(await world.send('refreshToken')({ json: { refresh_token: refresh } })))
      }
      world.wait(3 * DAY_MS - HOUR_MS)
      t.equal((await send({ token: await person.token() })).body.data.items.length, 2)
      world.wait(HOUR_MS)
      const received = await send({ token: await person.token() })
      t.equal(received.body.data.items.length, 2, 'the two logins of the last hour')
      return received
    },
  },
  400: common[400],
  ...tokenCases(),
  500: common[500],
  503: common[503],
})
