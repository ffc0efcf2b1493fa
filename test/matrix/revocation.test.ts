// A revocation ends everything that was issued for an account, or is pending, before it: each state, with each revocation.
import { readFileSync } from 'node:fs'
import t from 'tap'
import { cellName, matrixCells, type Cell } from '../support/cases/matrix.ts'
import { CREDENTIAL_COLUMNS, DATA } from '../support/revocation/columns.ts'
import {
  CANCEL_RESET,
  EXCEPTIONS,
  isPossible,
  REVOCATIONS,
  survivesAsking,
  type Revocation,
} from '../support/revocation/revocations.ts'
import {
  newSession,
  openInstances,
  openStage,
  prisma,
  stored,
  type Session,
  type Stage,
} from '../support/revocation/stage.ts'
import { issue, isUsable, STATES, type State } from '../support/revocation/states.ts'

await openInstances()

const SAMPLE = 320
const AXES = {
  state: STATES,
  revocation: Object.keys(REVOCATIONS) as Revocation[],
  holder: ['same session', 'other session', 'no session'],
  issued: ['before', 'concurrent', 'after'],
} as const
type Tested = Cell<typeof AXES>

/** What cannot be used after a revocation: a code alone by an administrator, no code while the number is suspended, no link without an address */
const REFUSED_AFTER: Partial<Record<Revocation, readonly State[]>> = {
  'grant of privileges': ['reset code', 'link that resets second factors'],
  'undo of a reset': ['reset code', 'claim of an unverified address'],
  'release of the address': ['link that resets second factors'],
}

/**
 * A state is used with a session or without one, or both. Nothing is issued for a suspended account.
 */
function isTested({ state, revocation, holder, issued }: Tested): boolean {
  if (state === 'passkey' && issued !== 'before') return false // needs a session, and survives
  const isRefused = revocation === 'suspension' || REFUSED_AFTER[revocation]?.includes(state) === true
  return isUsable(state, holder !== 'no session') && isPossible(revocation, state) && !(isRefused && issued === 'after')
}

/** States that end with the session they were issued in */
const OF_A_SESSION: readonly State[] = [
  'access token',
  'refresh token',
  'refresh token after a lost response',
  'link to a confidential file',
]

function survives({ state, revocation, holder }: Tested): boolean {
  const isAsking = holder === 'same session' && survivesAsking(revocation)
  if (OF_A_SESSION.includes(state)) return isAsking
  return EXCEPTIONS[state]?.survives(revocation) ?? false
}

async function holderOf(stage: Stage, { holder, issued, revocation }: Tested): Promise<Session | undefined> {
  if (holder === 'no session') return undefined
  if (holder === 'same session' && (issued !== 'after' || survivesAsking(revocation))) return stage.asking
  return issued === 'after' ? newSession(stage.person.id) : stage.other
}

/** Prepares a stage. Administrators' requests have a longer record of outcomes, but the same revocation. */
async function setUp(revocation: Revocation): Promise<Stage> {
  return openStage({ isAdmin: revocation === 'withdrawal of privileges' })
}

for (const cell of matrixCells(AXES, SAMPLE).filter(isTested)) {
  const { state, revocation, issued } = cell
  void t.test(cellName(cell), async (t) => {
    const stage = await setUp(revocation)
    if (issued === 'after') {
      const revoke = await REVOCATIONS[revocation](stage)
      t.equal(await revoke(), 200)
      const use = await issue(state, stage, await holderOf(stage, cell))
      t.ok(await use(), 'works if it was issued later')
      return
    }
    const use = await issue(state, stage, await holderOf(stage, cell))
    const revoke = await REVOCATIONS[revocation](stage)
    if (issued === 'before') {
      t.equal(await revoke(), 200)
      t.equal(await use(), survives(cell))
      return
    }
    const [, status] = await Promise.all([use(), revoke()])
    if (status !== 200) t.ok([401, 422].includes(status), `the other request was faster: ${status}`)
    else if (!survives(cell)) t.notOk(await use(), 'does not work a second time')
    if (status === 200) t.ok((await openSessions(stage)) <= sessionsAfter(revocation), 'no other session survives')
  })
}

for (const revocation of CANCEL_RESET) {
  void t.test(`${revocation} records that it cancels a pending reset of second factors`, async (t) => {
    const stage = await setUp(revocation)
    const revoke = await REVOCATIONS[revocation](stage)
    await issue('pending reset of second factors', stage, undefined)
    t.equal(await revoke(), 200)
    const { factorsResetAt } = await stored(stage)
    t.equal(factorsResetAt, null)
    const where = { accountId: stage.person.id, event: 'factor_reset_cancelled' }
    t.equal(await prisma.auditEvent.count({ where }), revocation === 'reset of second factors' ? 0 : 1)
  })
}

/** What a revocation can end of a profile */
const PENDING = [undefined, 'pending address', 'pending number'] as const

for (const revocation of AXES.revocation) {
  for (const pending of PENDING.filter((each) => each === undefined || isPossible(revocation, each))) {
    void t.test(
      `${revocation} tells webhooks if it changes the profile, with ${pending ?? 'nothing pending'}`,
      async (t) => {
        const stage = await setUp(revocation)
        const revoke = await REVOCATIONS[revocation](stage)
        if (pending) await issue(pending, stage, undefined)
        const { profileVersion } = await stored(stage)
        t.equal(await revoke(), 200)
        const hasChanged = (await stored(stage)).profileVersion !== profileVersion
        if (pending) t.ok(hasChanged, 'what was pending has ended')
        const types = await eventTypes(stage)
        const isTold = types.length > 0
        t.ok(isTold || !hasChanged, 'a consumer can read the profile again')
        if (types.includes('profile.updated')) t.ok(hasChanged || ALWAYS_TOLD.test(revocation), 'nothing has changed')
      },
    )
  }
}

/** Revocations that announce the profile as updated in any case */
const ALWAYS_TOLD = /^(PUT|PATCH|undo)/

async function eventTypes({ person: { id: accountId } }: Stage): Promise<string[]> {
  return (await prisma.event.findMany({ where: { accountId } })).map(({ type }) => type)
}

function openSessions({ person }: Stage): Promise<number> {
  return prisma.session.count({ where: { accountId: person.id, endedAt: null } })
}

/** The number of sessions after a revocation: the asking one, or the one that replaces it. */
function sessionsAfter(revocation: Revocation): number {
  return survivesAsking(revocation) || revocation === 'change of the password' ? 1 : 0
}

void t.test('classifies every column of the database', async (t) => {
  const columns = await prisma.$queryRaw<{ name: string }[]>`
    SELECT table_name || '.' || column_name AS name FROM information_schema.columns
    WHERE table_schema = 'public' AND table_name NOT LIKE '\\_prisma%' AND table_name !~ '^audit_events_'`
  const known = new Set(CREDENTIAL_COLUMNS.map(([name]) => name))
  const data = new Set<string>(Object.values(DATA))
  t.same(
    columns.map(({ name }) => name).filter((name) => !known.has(name) && !data.has(name.split('.')[0] ?? '')),
    [],
  )
})

void t.test('tests every state that a column holds', async (t) => {
  const held = new Set(CREDENTIAL_COLUMNS.flatMap(([, states]) => states))
  t.same(
    STATES.filter((state) => !held.has(state)),
    [],
  )
})

void t.test('documents every state, revocation and exception', async (t) => {
  const page = readFileSync('docs/security.md', 'utf8').toLowerCase()
  const reasons = Object.values(EXCEPTIONS).map(({ reason }) => reason)
  for (const text of [...STATES, ...AXES.revocation, ...reasons]) t.ok(page.includes(text.toLowerCase()), text)
})
