// A login that races with a change of the account begins a session that the change allows, or none, and neither fails.
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { CHANGES, LOGINS, type Change, type LoginKind } from '../../support/accounts/racing-logins.ts'
import type { Received } from '../../support/service/responses.ts'
import { twoInstances } from '../../support/timing/two-instances.ts'
import { openWorld, tokensIn, type World } from '../../support/service/world.ts'
import { raceRounds } from '../../support/timing/races.ts'

const LOGINS_AT_ONCE = 3
const ROUNDS = raceRounds(5)

const service = await twoInstances()
const { auditEvent, session } = service.database.prisma

/** Whether a login can begin a session after a change. A session that began before it always ends. */
const AFTERWARDS: Readonly<Record<Change, Readonly<Record<LoginKind, boolean>>>> = {
  // the owner may come back within 30 days
  'request for deletion': {
    password: true,
    'password and code of an app': true,
    'password and recovery code': true,
    passkey: true,
  },
  // which replaces the password, and removes no factor
  'reset of the password': {
    password: false,
    'password and code of an app': false,
    'password and recovery code': false,
    passkey: true,
  },
  suspension: {
    password: false,
    'password and code of an app': false,
    'password and recovery code': false,
    passkey: false,
  },
  // codes and passkeys are those of earlier factors, which a reset has ended
  'app as the first factor': {
    password: false,
    'password and code of an app': false,
    'password and recovery code': false,
    passkey: false,
  },
  // some of the logins use the new passkey
  'passkey as the first factor': {
    password: false,
    'password and code of an app': false,
    'password and recovery code': false,
    passkey: true,
  },
}

/** Counts the logins that were recorded after a change. Both lock the account, so their order is that of their events. */
async function laterLogins(accountId: number, event: string): Promise<number> {
  const { id } = await auditEvent.findFirstOrThrow({ where: { accountId, event }, orderBy: { id: 'desc' } })
  return auditEvent.count({ where: { accountId, event: 'login', id: { gt: id } } })
}

async function countAlive(world: World, tokens: readonly string[]): Promise<number> {
  const statuses = await Promise.all(tokens.map(async (token) => (await world.send('checkToken')({ token })).status))
  return statuses.filter((status) => status === 200).length
}

/** Returns by how many milliseconds a change follows the logins of a round, or precedes them: 4, -19, -2, 15 and so on, up to 20. */
function delayOf(round: number): number {
  return ((24 + round * 17) % 40) - 20
}

async function race(
  round: number,
  logins: readonly (() => Promise<Received>)[],
  change: () => Promise<Received>,
): Promise<{ begun: Received[]; changed: Received }> {
  const delayMs = delayOf(round)
  const later = async (send: () => Promise<Received>, ms: number): Promise<Received> => sleep(ms).then(send)
  const sent = logins.map((send) => later(send, Math.max(0, -delayMs)))
  const changed = await later(change, Math.max(0, delayMs))
  return { begun: await Promise.all(sent), changed }
}

async function runRound(t: Test, round: number, { kind, change }: { kind: LoginKind; change: Change }): Promise<void> {
  const world = await openWorld(service)
  const owner = await LOGINS[kind].prepare(world)
  const { event, leaves, prepare } = CHANGES[change]
  const { send, passkey } = await prepare(world, owner)
  const logins = await Promise.all(
    Array.from({ length: LOGINS_AT_ONCE }, (_, at) => LOGINS[kind].ready(world, owner, at, passkey)),
  )
  const { begun, changed } = await race(round, logins, send)
  t.ok(changed.status < 300, `the change: ${changed.status} ${changed.headers['error-code']}`)
  t.same(
    begun.filter(({ status }) => status >= 500).map(({ headers }) => headers['error-code']),
    [],
  )
  const accountId = owner.person.id
  const later = await laterLogins(accountId, event)
  if (!AFTERWARDS[change][kind]) t.equal(later, 0, 'no session begins after the change')
  t.equal(await session.count({ where: { accountId, endedAt: null } }), leaves + later, 'no earlier session is left')
  const tokens = begun.filter(({ status }) => status === 200).map((each) => tokensIn(each).token)
  t.equal(await countAlive(world, tokens), later)
  t.equal(await countAlive(world, [owner.token]), leaves, 'of the sessions before, the one that adds a factor is left')
}

for (const change of Object.keys(CHANGES) as Change[]) {
  for (const kind of Object.keys(LOGINS) as LoginKind[]) {
    void t.test(`${change} ends the sessions of logins by ${kind} at the same time`, async (t) => {
      for (let round = 0; round < ROUNDS; round++) await runRound(t, round, { kind, change })
    })
  }
}
