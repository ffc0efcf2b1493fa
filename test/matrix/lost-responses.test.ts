// What becomes of a session when a refresh token is sent again, by which token it is and by what the client has shown since.
import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { openApp } from '../../src/app.ts'
import type { OperationId } from '../../src/contract/operation.ts'
import type { Received } from '../support/service/responses.ts'
import { settled } from '../support/accounts/resets.ts'
import { cellName, matrixCells, type Cell } from '../support/cases/matrix.ts'
import { sender, type Send } from '../support/service/sender.ts'
import { openWorld, PASSWORD, sharedService, tokensIn, type Person, type Tokens } from '../support/service/world.ts'
import { raceRounds } from '../support/timing/races.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
/** Longer than the time in which a refresh token returns the same successor */
const LONG_MS = 36 * SECOND_MS

const AXES = {
  sent: ['token of the login', 'current token', 'predecessor', 'replaced successor', 'older token'],
  after: ['10 s', '36 s', '61 min'],
  successor: ['unused', 'access token used', 'refresh token used'],
  use: ['first instance', 'second instance'],
  send: ['first instance', 'second instance'],
} as const
type LostCell = Cell<typeof AXES>
const SAMPLE = 90

const WAITS: Record<LostCell['after'], number> = { '10 s': 10 * SECOND_MS, '36 s': LONG_MS, '61 min': 61 * MINUTE_MS }

const service = await sharedService()
const second = await openApp(service.config, service.dependencies)
t.teardown(() => second.close())
const secondOrigin = await second.server.listen({ host: '127.0.0.1', port: 0 })

type Instance = LostCell['use']

/** What a session promises: an explicit record of all its refresh tokens, by which the outcome of each is decided. */
class Model {
  private current = 0
  private predecessor: number | undefined
  private isUsed = true
  private issued = 0

  use(token: number): void {
    this.isUsed ||= token === this.current
  }

  /** Returns the token that is issued, or returned again; undefined if the session ends. */
  send(token: number, idleMs: number): number | undefined {
    const isLost = token === this.predecessor && !this.isUsed
    if (token === this.current) this.predecessor = token
    else if (token === this.predecessor && idleMs <= 30 * SECOND_MS) return this.current
    else if (!isLost) return undefined
    this.isUsed = false
    return (this.current = ++this.issued)
  }
}

/** Sends to one of the two instances. */
type To = (id: OperationId, instance?: Instance) => Send

/** A session: its tokens in the order in which they were issued, and what is done with them */
type Story = Readonly<{
  person: Person
  tokens: Tokens[]
  to: To
  /** Sends a refresh token, and compares the response with the model. Returns the number of the token that it returns. */
  refresh(token: number, instance?: Instance): Promise<number | undefined>
  /** Sends a refresh token, without the model. */
  send(token: number, instance?: Instance): Promise<Received>
  /** Sends the access token that was issued with a refresh token. */
  use(token: number, instance?: Instance): Promise<Received>
  wait(ms: number): void
}>

async function begin(t: Test): Promise<Story> {
  const world = await openWorld()
  const person = await world.person()
  const tokens = [await person.logIn()]
  const model = new Model()
  let idleMs = 0
  const to: To = (id, instance = 'first instance') =>
    sender(instance === 'first instance' ? service.origin : secondOrigin, id, world.address)
  const send: Story['send'] = (token, instance) =>
    to('refreshToken', instance)({ json: { refresh_token: tokens[token]?.refresh } })
  return {
    ...{ person, tokens, to, send },
    async refresh(token, instance) {
      const expected = model.send(token, idleMs)
      const name = `token ${token} after ${idleMs / SECOND_MS} s`
      const received = await send(token, instance)
      if (expected === undefined) {
        t.equal(received.headers['error-code'], 'refresh_token_invalid', `${name} ends the session`)
        return undefined
      }
      t.equal(received.status, 200, name)
      const next = tokensIn(received)
      const isNew = tokens.every(({ refresh }) => refresh !== next.refresh)
      if (isNew) idleMs = tokens.push(next) * 0
      t.equal(tokens[expected]?.refresh, next.refresh, `${name} returns token ${expected}`)
      return expected
    },
    async use(token, instance) {
      const received = await to('checkToken', instance)({ token: tokens[token]?.token })
      if (received.status === 200) model.use(token)
      await settled(world)
      await second.context.background.settle()
      return received
    },
    wait(ms) {
      idleMs += ms
      world.wait(ms)
    },
  }
}

/** What came before, and the number of the token that is then sent again; each ends with the newest successor */
const HISTORIES: Record<LostCell['sent'], (story: Story) => Promise<{ sent: number; newest: number }>> = {
  async 'token of the login'(story) {
    await story.refresh(0)
    return { sent: 0, newest: 1 }
  },
  async 'current token'(story) {
    await story.refresh(0)
    return { sent: 1, newest: 1 }
  },
  async predecessor(story) {
    await story.refresh(0)
    await story.refresh(1)
    return { sent: 1, newest: 2 }
  },
  async 'replaced successor'(story) {
    await story.refresh(0)
    story.wait(LONG_MS)
    await story.refresh(0, 'second instance')
    return { sent: 1, newest: 2 }
  },
  async 'older token'(story) {
    await story.refresh(0)
    await story.refresh(1)
    return { sent: 0, newest: 2 }
  },
}

for (const cell of matrixCells(AXES, SAMPLE)) {
  void t.test(cellName(cell), async (t) => {
    const story = await begin(t)
    const { sent, newest } = await HISTORIES[cell.sent](story)
    if (cell.successor === 'access token used') await story.use(newest, cell.use)
    if (cell.successor === 'refresh token used') await story.refresh(newest, cell.use)
    story.wait(WAITS[cell.after])
    const next = await story.refresh(sent, cell.send)
    const last = story.tokens.length - 1
    t.equal((await story.send(last)).status, next === undefined ? 401 : 200, 'the newest token')
  })
}

void t.test(
  'survives any number of lost responses, and ends the session when a replaced successor is sent',
  async (t) => {
    const story = await begin(t)
    await story.refresh(0)
    await story.use(1)
    for (let losses = 0; losses < 5; losses++) {
      await story.refresh(1, losses % 2 === 0 ? 'first instance' : 'second instance')
      story.wait(LONG_MS)
    }
    t.equal(await story.refresh(1), 7)
    t.equal(await story.refresh(7), 8, 'the last successor continues the session')
    story.wait(LONG_MS)
    t.equal(await story.refresh(7), 9)
    t.equal(await story.refresh(8), undefined, 'a replaced successor')
    t.equal((await story.use(9)).headers['error-code'], 'token_revoked')
    const where = { accountId: story.person.id, event: 'refresh_token_reused' } as const
    t.equal(await service.database.prisma.auditEvent.count({ where }), 1)
  },
)

void t.test(
  'returns the same successor to two tabs whose response was lost, also if one of them uses it at once',
  async (t) => {
    const story = await begin(t)
    await story.refresh(0)
    story.wait(LONG_MS)
    t.equal(await story.refresh(0), 2)
    await story.use(2)
    story.wait(20 * SECOND_MS)
    t.equal(await story.refresh(0, 'second instance'), 2)
  },
)

void t.test('issues one successor to tabs that retry at the same time', async (t) => {
  for (let round = 0; round < raceRounds(20); round++) {
    const story = await begin(t)
    await story.refresh(0)
    story.wait(LONG_MS)
    const received = await Promise.all(
      Array.from({ length: 6 }, (_, at) => story.send(0, at % 2 === 0 ? 'first instance' : 'second instance')),
    )
    const successors = new Set(received.map((each) => tokensIn(each).refresh))
    t.equal(successors.size, 1)
    t.notOk(successors.has(story.tokens[1]?.refresh ?? ''), 'it is another one')
  }
})

void t.test(
  'a use and a retry at the same time leave a session that accepts one of the two tokens or none',
  async (t) => {
    for (let round = 0; round < raceRounds(20); round++) {
      const story = await begin(t)
      await story.refresh(0)
      story.wait(LONG_MS)
      const [used, retried] = await Promise.all([story.send(1), story.send(0, 'second instance')])
      const results = [used, retried].filter(({ status }) => status === 200)
      t.ok(results.length < 2, 'never two successors')
      t.same((await story.use(1)).status, 401, 'both parties have sent a token, so the session is over')
    }
  },
)

void t.test('detects a thief although the use of the access token was not recorded', async (t) => {
  const story = await begin(t)
  await story.refresh(0)
  const { context } = service.app
  const { recordUse } = context
  context.recordUse = () => undefined // as if the instance was killed
  t.teardown(() => Object.assign(context, { recordUse }))
  t.equal((await story.to('checkToken')({ token: story.tokens[1]?.token })).status, 200)
  story.wait(LONG_MS)
  t.equal(await story.refresh(0), 2, 'the thief gets tokens')
  t.equal(await story.refresh(1), undefined, 'until the owner refreshes')
  t.equal((await story.use(2)).status, 401)
})

/** Each ends the session while a response is lost. */
const ENDS: Record<string, (story: Story) => Promise<unknown>> = {
  logout: ({ to, tokens }) => to('logout')({ token: tokens[1]?.token }),
  'end of other sessions': async ({ to, person }) => to('revokeOtherSessions')({ token: await person.token() }),
  'change of the password': async ({ to, person }) =>
    to('changePassword')({
      token: await person.token(),
      json: { current_password: PASSWORD, new_password: 'olive-harbour-58-lantern' },
    }),
  reauthentication: ({ to, tokens }) =>
    to('reauthenticate')({ token: tokens[1]?.token, json: { method: 'password', password: PASSWORD } }),
  suspension: ({ person }) =>
    service.database.prisma.account.update({ where: { id: person.id }, data: { status: 'suspended' } }),
}

for (const [name, end] of Object.entries(ENDS)) {
  void t.test(`issues no successor after ${name}`, async (t) => {
    const story = await begin(t)
    await story.refresh(0)
    story.wait(LONG_MS)
    await end(story)
    for (const token of [0, 1]) t.equal((await story.send(token)).headers['error-code'], 'refresh_token_invalid')
  })
}

/** The exchange of 0.2.0, which knows only the generation */
const OLD_EXCHANGE = (JSON.parse(readFileSync('prisma/released/statements.json', 'utf8')) as string[]).filter((text) =>
  text.startsWith('UPDATE sessions SET generation'),
)

void t.test('accepts tokens that an instance of 0.2.0 has exchanged', async (t) => {
  const [text = ''] = OLD_EXCHANGE
  t.equal(OLD_EXCHANGE.length, 1)
  /** Exchanges the newest token as 0.2.0 does. */
  const exchange = async ({ tokens }: Story): Promise<void> => {
    const { context } = service.app
    const claims = context.refreshTokens.read(tokens.at(-1)?.refresh ?? '')
    if (!claims) throw new Error('no token')
    const { sessionId, generation } = claims
    const { rowCount } = await service.database.pool.query(text, [
      sessionId,
      generation,
      new Date(context.clock.nowMs()),
    ])
    t.equal(rowCount, 1)
    tokens.push({ token: '', refresh: context.refreshTokens.issue({ sessionId, generation: generation + 1 }) })
  }
  for (const refreshes of [0, 1, 2]) {
    for (const [waited, status] of [
      [10 * SECOND_MS, 200],
      [LONG_MS, refreshes === 0 ? 401 : 200],
    ] as const) {
      const story = await begin(t)
      for (let count = 0; count < refreshes; count++) await story.refresh(count)
      await exchange(story)
      story.wait(waited)
      const name = `${refreshes} refreshes before, ${waited / SECOND_MS} s later`
      t.equal((await story.send(refreshes, 'second instance')).status, status, `the predecessor, ${name}`)
      if (refreshes > 0) t.equal((await story.send(refreshes - 1)).status, 401, `an older token, ${name}`)
    }
  }
})
