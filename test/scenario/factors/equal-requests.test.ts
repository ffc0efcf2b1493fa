// Of equal requests that two instances receive at the same time, one is accepted: what proves a user is valid once.
import bcrypt from 'bcryptjs'
import t from 'tap'
import type { OperationId } from '../../../src/contract/operation.ts'
import {
  loginAssertion,
  newPasskey,
  passkeyOwner,
  reauthenticationAssertion,
} from '../../support/accounts/authenticator.ts'
import { resetLink } from '../../support/accounts/resets.ts'
import { protectedPerson, type Protected } from '../../support/accounts/second-factors.ts'
import type { Received } from '../../support/service/responses.ts'
import { untilServed, type Sent } from '../../support/service/sender.ts'
import { eitherFromAnywhere, twoInstances } from '../../support/timing/two-instances.ts'
import { openWorld, PASSWORD, type World } from '../../support/service/world.ts'
import { raceRounds } from '../../support/timing/races.ts'

const AT_ONCE = 64
/** Passkeys of an account are added in up to 10 requests per hour. */
const ADDITIONS = 8
const ROUNDS = raceRounds(2)

const service = await twoInstances()
const { prisma } = service.database

type Equal = Readonly<{
  id: OperationId
  accountId: number
  sent: Sent
  /** The error codes of the requests that are too late */
  refusals: readonly string[]
  /** How many more sessions the account has afterwards */
  sessions: number
  times?: number
}>

async function codeLogin(world: World, codeOf: (owner: Protected) => string | undefined): Promise<Equal> {
  const owner = await protectedPerson(world)
  const { id: accountId, email } = owner.person
  const json = { email, password: PASSWORD, code: codeOf(owner) }
  return { id: 'login', accountId, sent: { json }, refusals: ['mfa_code_wrong'], sessions: 1 }
}

/** The successful request ends the session that the others belong to. */
async function codeReauthentication(world: World, codeOf: (owner: Protected) => string | undefined): Promise<Equal> {
  const owner = await protectedPerson(world)
  const json = { method: 'password', password: PASSWORD, code: codeOf(owner) }
  const sent = { json, token: owner.token }
  const refusals = ['invalid_data', 'token_revoked']
  return { id: 'reauthenticate', accountId: owner.person.id, sent, refusals, sessions: 0 }
}

const REQUESTS: Readonly<Record<string, (world: World) => Promise<Equal>>> = {
  'logins with one code of an app': (world) => codeLogin(world, ({ nextCode }) => nextCode()),
  'logins with one recovery code': (world) => codeLogin(world, ({ recoveryCodes }) => recoveryCodes[0]),
  'reauthentications with one code of an app': (world) => codeReauthentication(world, ({ nextCode }) => nextCode()),
  'reauthentications with one recovery code': (world) =>
    codeReauthentication(world, ({ recoveryCodes }) => recoveryCodes[0]),
  async 'logins with one assertion of a passkey'(world) {
    const { accountId, passkey } = await passkeyOwner(world)
    const sent = { json: await loginAssertion(world, passkey) }
    return { id: 'loginWithPasskey', accountId, sent, refusals: ['credentials_wrong'], sessions: 1 }
  },
  async 'reauthentications with one assertion of a passkey'(world) {
    const owner = await passkeyOwner(world)
    const { accountId, token } = owner
    const sent = { json: await reauthenticationAssertion(world, owner), token }
    const refusals = ['invalid_data', 'token_revoked']
    return { id: 'reauthenticateWithPasskey', accountId, sent, refusals, sessions: 0 }
  },
  async 'additions of one passkey'(world) {
    const { id: accountId, ...person } = await world.person()
    const token = await person.token()
    const { json } = await newPasskey(world, token)
    const sent = { json, token }
    return { id: 'addPasskey', accountId, sent, refusals: ['invalid_data'], sessions: 0, times: ADDITIONS }
  },
}

function openSessions(accountId: number): Promise<number> {
  return prisma.session.count({ where: { accountId, endedAt: null } })
}

const outcomeOf = ({ status, headers }: Received): string =>
  status < 300 ? 'accepted' : (headers['error-code'] ?? String(status))

for (const [requests, prepare] of Object.entries(REQUESTS)) {
  void t.test(`accepts one of many equal ${requests}`, async (t) => {
    for (let round = 0; round < ROUNDS; round++) {
      const world = await openWorld(service)
      const { id, accountId, sent, refusals, sessions, times = AT_ONCE } = await prepare(world)
      const before = await openSessions(accountId)
      const received = await Promise.all(
        Array.from({ length: times }, (_, at) => untilServed(eitherFromAnywhere(world, at, id), sent)),
      )
      const outcomes = received.map(outcomeOf)
      t.equal(outcomes.filter((each) => each === 'accepted').length, 1)
      t.same(
        outcomes.filter((each) => each !== 'accepted' && !refusals.includes(each)),
        [],
      )
      t.equal(await openSessions(accountId), before + sessions)
    }
  })
}

void t.test('sets one password of many requests with one link, and ends all sessions', async (t) => {
  for (let round = 0; round < ROUNDS; round++) {
    const world = await openWorld(service)
    const person = await world.person()
    await person.token()
    const token = await resetLink(world, person)
    const passwords = Array.from({ length: AT_ONCE }, (_, at) => `olive3kayak ${at}`)
    const received = await Promise.all(
      passwords.map((password, at) =>
        untilServed(eitherFromAnywhere(world, at, 'resetPassword'), { json: { by: 'email', token, password } }),
      ),
    )
    const accepted = passwords.filter((_, at) => received[at]?.status === 200)
    t.equal(accepted.length, 1)
    t.same(
      received.map(outcomeOf).filter((each) => each !== 'accepted' && each !== 'invalid_data'),
      [],
    )
    t.equal(await openSessions(person.id), 0)
    const { passwordHash } = await prisma.account.findUniqueOrThrow({ where: { id: person.id } })
    t.same(
      passwords.filter((password) => bcrypt.compareSync(password, passwordHash)),
      accepted,
    )
  }
})

void t.test('has caused no deadlock, which a repeated request would hide', async (t) => {
  const [{ deadlocks } = { deadlocks: undefined }] = await prisma.$queryRaw<{ deadlocks: number }[]>`
    SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()`
  t.equal(deadlocks, 0)
})
