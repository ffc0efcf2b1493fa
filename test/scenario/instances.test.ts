// Two instances on one database: what has ended on one has ended on both.
import t from 'tap'
import { openApp } from '../../src/app.ts'
import { adminToken, of } from '../support/administration.ts'
import { clientForm } from '../support/profile-forms.ts'
import { tokenFor } from '../support/resets.ts'
import { sender, untilServed, type Send } from '../support/sender.ts'
import { openWorld, PASSWORD, sharedService, tokensIn, type Person, type Tokens, type World } from '../support/world.ts'

const AT_ONCE = 64
const GRACE_MS = 30_000
const NEW_PASSWORD = 'another horse battery'

type Instance = (id: Parameters<World['send']>[0]) => Send

const service = await sharedService()
const { config, clock, database, logger } = service
const second = await openApp(config, { log: logger, clock, database })
t.teardown(() => second.close())
const secondOrigin = await second.server.listen({ host: '127.0.0.1', port: 0 })

type Stage = {
  world: World
  person: Person
  /** The instance that does it; the other one hears nothing of it */
  here: Instance
  there: Instance
  /** A session that asks for something, and another one of the same person */
  asking: Tokens
  other: Tokens
}

async function stage(): Promise<Stage> {
  const world = await openWorld()
  const person = await world.person()
  const here: Instance = (id) => world.send(id)
  const there: Instance = (id) => sender(secondOrigin, id, world.address)
  const json = { email: person.email, password: PASSWORD }
  const [asking, other] = [tokensIn(await here('login')({ json })), tokensIn(await there('login')({ json }))]
  return { world, person, here, there, asking, other }
}

type Deed = {
  /** Does it; resolves when it has been acknowledged. */
  act: (stage: Stage) => Promise<{ status: number } | undefined>
  ends: 'asking' | 'other' | 'both'
}

const deeds: Record<string, Deed> = {
  reauthentication: {
    act: ({ here, asking: { token } }) =>
      here('reauthenticate')({ token, json: { method: 'password', password: PASSWORD } }),
    ends: 'asking',
  },
  'a logout': { act: ({ here, asking: { token } }) => here('logout')({ token }), ends: 'asking' },
  'the revocation of a session': {
    async act({ here, asking: { token } }) {
      const { body } = await here('listSessions')({ token })
      const sessions = body.data.sessions as { id: string; current: boolean }[]
      const id = sessions.find(({ current }) => !current)?.id ?? ''
      return here('revokeSession')({ token, path: { session_id: id } })
    },
    ends: 'other',
  },
  'the revocation of all others': {
    act: ({ here, asking: { token } }) => here('revokeOtherSessions')({ token }),
    ends: 'other',
  },
  'a refresh token that comes back': {
    async act({ world, here, other: { refresh } }) {
      const json = { refresh_token: refresh }
      await here('refreshToken')({ json })
      world.wait(GRACE_MS + 1000)
      await here('refreshToken')({ json })
      return undefined
    },
    ends: 'other',
  },
  'a change of the password': {
    act: ({ here, asking: { token } }) =>
      here('changePassword')({ token, json: { current_password: PASSWORD, new_password: NEW_PASSWORD } }),
    ends: 'both',
  },
  'an update of the profile with a password': {
    act: ({ here, person, asking: { token } }) =>
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
      here('adminSuspendUser')({ ...of(person), token: await adminToken(world), json: { reason: 'impersonation' } }),
    ends: 'both',
  },
  'a request to delete the account': {
    act: ({ here, asking: { token } }) => here('requestAccountDeletion')({ token, json: { password: PASSWORD } }),
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
async function whileInUse<Answer>(
  { here, there, asking, other }: Stage,
  act: () => Promise<Answer>,
): Promise<{ answer: Answer; rest: Promise<unknown> }> {
  let isDone = false
  let requests = 0
  const use = async (instance: Instance, { token }: Tokens): Promise<void> => {
    for (; !isDone; requests++) await instance('checkToken')({ token })
  }
  const uses = [here, there].flatMap((instance) => [asking, other, other].map((tokens) => use(instance, tokens)))
  while (requests < uses.length) await here('checkToken')({ token: asking.token })
  const answer = await act()
  isDone = true
  return { answer, rest: Promise.all(uses) }
}

for (const [title, { act, ends }] of Object.entries(deeds)) {
  void t.test(`${title}: tokens that have ended fail on the next request, on both instances`, async (t) => {
    const set = await stage()
    const { here, there, asking, other } = set
    for (const { token } of [asking, other]) {
      for (const instance of [here, there]) t.equal((await instance('checkToken')({ token })).status, 200)
    }

    const { answer, rest } = await whileInUse(set, () => act(set))
    const next = await Promise.all(
      [here, there].flatMap((instance) =>
        [asking, other].map(async ({ token }) => (await instance('checkToken')({ token })).headers['error-code']),
      ),
    )
    await rest

    t.ok(answer === undefined || answer.status < 300, JSON.stringify(answer))
    const expected = [asking, other].map((tokens) =>
      ends === 'both' || tokens === set[ends] ? 'token_revoked' : undefined,
    )
    t.same(next, [...expected, ...expected])
    for (const [at, { refresh }] of [asking, other].entries()) {
      for (const instance of [there, here]) {
        const { headers } = await instance('refreshToken')({ json: { refresh_token: refresh } })
        t.equal(headers['error-code'], expected[at] && 'refresh_token_invalid')
      }
    }
  })
}

void t.test('of many who exchange one refresh token at both instances, none is locked out', async (t) => {
  const { world, person, here, there, other } = await stage()
  const json = { refresh_token: other.refresh }
  const answers = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, at) => untilServed((at % 2 === 0 ? here : there)('refreshToken'), { json })),
  )
  t.same([...new Set(answers.map(({ status }) => status))], [200])
  const successors = new Set(answers.map((answer) => tokensIn(answer).refresh))
  t.equal(successors.size, 1, 'one family')
  t.equal(await database.prisma.session.count({ where: { accountId: person.id, endedAt: null } }), 2)

  const checks = answers.map((answer, at) =>
    (at % 2 === 0 ? there : here)('checkToken')({ token: tokensIn(answer).token }),
  )
  t.same([...new Set((await Promise.all(checks)).map(({ status }) => status))], [200])
  world.wait(GRACE_MS - 2000)
  const late = await there('refreshToken')({ json })
  t.same([tokensIn(late).refresh], [...successors], 'whose answer was lost gets it again')
  const [next = ''] = successors
  t.equal((await here('refreshToken')({ json: { refresh_token: next } })).status, 200)
})
