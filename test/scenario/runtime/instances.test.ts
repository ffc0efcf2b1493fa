// Two instances on one database: a session that ended on one has ended on both.
import t from 'tap'
import { openApp } from '../../../src/app.ts'
import { adminToken, userPath } from '../../support/cases/administration.ts'
import { clientForm } from '../../support/accounts/profile-forms.ts'
import { tokenFor } from '../../support/accounts/resets.ts'
import { sender, untilServed, type Send } from '../../support/service/sender.ts'
import {
  openWorld,
  PASSWORD,
  sharedService,
  tokensIn,
  type Person,
  type Tokens,
  type World,
} from '../../support/service/world.ts'

const AT_ONCE = 64
const GRACE_MS = 30_000
/** A busy machine takes seconds for the earlier requests. */
const SLACK_MS = 10_000
const NEW_PASSWORD = 'olive3kayak'

type Instance = (id: Parameters<World['send']>[0]) => Send

const service = await sharedService()
const { database } = service
const second = await openApp(service.config, service.dependencies)
t.teardown(() => second.close())
const secondOrigin = await second.server.listen({ host: '127.0.0.1', port: 0 })

type Stage = {
  world: World
  person: Person
  /** The instance that runs the action; the other one is not notified */
  here: Instance
  there: Instance
  /** The session that sends the request, and another one of the same person */
  current: Tokens
  other: Tokens
}

async function stage(): Promise<Stage> {
  const world = await openWorld()
  const person = await world.person()
  const here: Instance = (id) => world.send(id)
  const there: Instance = (id) => sender(secondOrigin, id, world.address)
  const json = { email: person.email, password: PASSWORD }
  const [current, other] = [tokensIn(await here('login')({ json })), tokensIn(await there('login')({ json }))]
  return { world, person, here, there, current, other }
}

type Action = {
  /** Runs the action; resolves when it has been acknowledged. */
  act: (stage: Stage) => Promise<{ status: number } | undefined>
  ends: 'current' | 'other' | 'both'
}

const actions: Record<string, Action> = {
  reauthentication: {
    act: ({ here, current: { token } }) =>
      here('reauthenticate')({ token, json: { method: 'password', password: PASSWORD } }),
    ends: 'current',
  },
  'a logout': { act: ({ here, current: { token } }) => here('logout')({ token }), ends: 'current' },
  'the revocation of a session': {
    async act({ here, current: { token } }) {
      const { body } = await here('listSessions')({ token })
      const sessions = body.data.items as { id: string; current: boolean }[]
      const id = sessions.find(({ current }) => !current)?.id ?? ''
      return here('revokeSession')({ token, path: { session_id: id } })
    },
    ends: 'other',
  },
  'the revocation of all others': {
    act: ({ here, current: { token } }) => here('revokeOtherSessions')({ token }),
    ends: 'other',
  },
  'reuse of a refresh token': {
    async act({ world, here, other: { refresh } }) {
      const json = { refresh_token: refresh }
      const next = tokensIn(await here('refreshToken')({ json }))
      await here('refreshToken')({ json: { refresh_token: next.refresh } })
      world.wait(GRACE_MS + 1000)
      await here('refreshToken')({ json })
      return undefined
    },
    ends: 'other',
  },
  'a change of the password': {
    act: ({ here, current: { token } }) =>
      here('changePassword')({ token, json: { current_password: PASSWORD, new_password: NEW_PASSWORD } }),
    ends: 'both',
  },
  'an update of the profile with a password': {
    act: ({ here, person, current: { token } }) =>
      here('updateProfile')({ token, form: clientForm(person, { password: NEW_PASSWORD }) }),
    ends: 'other',
  },
  'a reset of the password': {
    async act({ world, here, person: { email } }) {
      await here('requestPasswordReset')({ json: { by: 'email', email } })
      const token = await tokenFor(world, email)
      return here('resetPassword')({ json: { by: 'email', token, password: NEW_PASSWORD } })
    },
    ends: 'both',
  },
  'a suspension': {
    act: async ({ world, here, person }) =>
      here('adminSuspendUser')({
        ...userPath(person),
        token: await adminToken(world),
        json: { reason: 'impersonation' },
      }),
    ends: 'both',
  },
  'a request to delete the account': {
    act: ({ here, current: { token } }) => here('requestAccountDeletion')({ token, json: { password: PASSWORD } }),
    ends: 'both',
  },
  'the deletion of the account': {
    async act({ world, person: { id } }) {
      const { database, app } = world.service
      const data = { deletionDueAt: new Date(world.service.clock.nowMs() - 1000) }
      await database.prisma.account.update({ where: { id }, data })
      await app.context.store.deletions.carryOut()
      return undefined
    },
    ends: 'both',
  },
}

/** Runs something while both tokens are in use on both instances, whose requests share their queries. */
async function whileInUse<Result>(
  { here, there, current, other }: Stage,
  act: () => Promise<Result>,
): Promise<{ response: Result; rest: Promise<unknown> }> {
  let isDone = false
  let requests = 0
  const use = async (instance: Instance, { token }: Tokens): Promise<void> => {
    for (; !isDone; requests++) await instance('checkToken')({ token })
  }
  const uses = [here, there].flatMap((instance) => [current, other, other].map((tokens) => use(instance, tokens)))
  while (requests < uses.length) await here('checkToken')({ token: current.token })
  const response = await act()
  isDone = true
  return { response, rest: Promise.all(uses) }
}

for (const [title, { act, ends }] of Object.entries(actions)) {
  void t.test(`rejects revoked tokens at the next request on both instances after ${title}`, async (t) => {
    const set = await stage()
    const { here, there, current, other } = set
    for (const { token } of [current, other]) {
      for (const instance of [here, there]) t.equal((await instance('checkToken')({ token })).status, 200)
    }

    const { response, rest } = await whileInUse(set, () => act(set))
    const next = await Promise.all(
      [here, there].flatMap((instance) =>
        [current, other].map(async ({ token }) => (await instance('checkToken')({ token })).headers['error-code']),
      ),
    )
    await rest

    t.ok(response === undefined || response.status < 300, JSON.stringify(response))
    const expected = [current, other].map((tokens) =>
      ends === 'both' || tokens === set[ends] ? 'token_revoked' : undefined,
    )
    t.same(next, [...expected, ...expected])
    for (const [at, { refresh }] of [current, other].entries()) {
      for (const instance of [there, here]) {
        const { headers } = await instance('refreshToken')({ json: { refresh_token: refresh } })
        t.equal(headers['error-code'], expected[at] && 'refresh_token_invalid')
      }
    }
  })
}

void t.test('accepts concurrent exchanges of a refresh token on two instances', async (t) => {
  const { world, person, here, there, other } = await stage()
  const json = { refresh_token: other.refresh }
  const responses = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, at) => untilServed((at % 2 === 0 ? here : there)('refreshToken'), { json })),
  )
  t.same([...new Set(responses.map(({ status }) => status))], [200])
  const successors = new Set(responses.map((response) => tokensIn(response).refresh))
  t.equal(successors.size, 1, 'one family')
  t.equal(await database.prisma.session.count({ where: { accountId: person.id, endedAt: null } }), 2)

  const checks = responses.map((response, at) =>
    (at % 2 === 0 ? there : here)('checkToken')({ token: tokensIn(response).token }),
  )
  t.same([...new Set((await Promise.all(checks)).map(({ status }) => status))], [200])
  world.wait(GRACE_MS - SLACK_MS)
  const late = await there('refreshToken')({ json })
  t.same([tokensIn(late).refresh], [...successors], 'a retry after a lost response gets the same token')
  const [next = ''] = successors
  t.equal((await here('refreshToken')({ json: { refresh_token: next } })).status, 200)
})

void t.test('an instance that is closed holds no keys any more', async (t) => {
  const count = (): Promise<number> => database.prisma.instance.count({ where: { isStopped: false } })
  const third = await openApp(service.config, service.dependencies)
  const before = await count()
  await third.close()
  t.equal(await count(), before - 1)
})
