// Codes of apps and resets of factors are valid to the second, by the clock of the service.
import t from 'tap'
import { loginError, pendingReset, storedReset, type Pending } from '../../support/accounts/factor-resets.ts'
import { codeAt, protectedPerson, type Protected } from '../../support/accounts/second-factors.ts'
import { there, twoInstances } from '../../support/timing/two-instances.ts'
import { openWorld, PASSWORD, type World } from '../../support/service/world.ts'

const SECOND_MS = 1000
const STEP_MS = 30 * SECOND_MS

const service = await twoInstances()

/** Waits until the middle of a later time step than that of the code that added the app. Returns the start of the step. */
function waitForStep(world: World): number {
  const { clock } = world.service
  const startMs = (Math.floor(clock.nowMs() / STEP_MS) + 4) * STEP_MS
  world.wait(startMs + STEP_MS / 2 - clock.nowMs())
  return startMs
}

/** Logs in with a code. Returns the error code; undefined if a session begins. */
async function errorOf(world: World, { person }: Protected, code: string): Promise<string | undefined> {
  const { status, headers } = await world.send('login')({ json: { email: person.email, password: PASSWORD, code } })
  return status === 200 ? undefined : headers['error-code']
}

/** Whether a code is valid, by the seconds that the clock of the app is ahead, early and late in a time step */
const OFFSETS: Readonly<Record<string, Readonly<{ early: boolean; late: boolean }>>> = {
  '-61': { early: false, late: false },
  '-31': { early: false, late: true },
  '-29': { early: true, late: true },
  '0': { early: true, late: true },
  '29': { early: true, late: true },
  '31': { early: true, late: false },
  '61': { early: false, late: false },
}
/** The milliseconds since the start of the time step. The service compares steps, so its clock need not be there. */
const TIMES = { early: 500, late: STEP_MS - 500 } as const

for (const [offset, valid] of Object.entries(OFFSETS)) {
  for (const time of ['early', 'late'] as const) {
    const isValid = valid[time]
    const what = `a code of a clock that is ${offset} s ahead, ${time} in a time step`
    void t.test(`${isValid ? 'accepts once' : 'rejects'} ${what}`, async (t) => {
      const world = await openWorld(service)
      const owner = await protectedPerson(world)
      const code = codeAt(owner.secret, waitForStep(world) + TIMES[time] + Number(offset) * SECOND_MS)
      t.equal(await errorOf(world, owner, code), isValid ? undefined : 'mfa_code_wrong')
      t.equal(await errorOf(world, owner, code), 'mfa_code_wrong', 'a second time')
      const json = { method: 'password', password: PASSWORD, code }
      const replayed = await there(world, 'reauthenticate')({ token: owner.token, json })
      t.same(replayed.body.data.codes, { code: ['code_wrong'] }, 'for another operation, on another instance')
    })
  }
}

void t.test('rejects the codes of earlier time steps after that of a later one', async (t) => {
  const world = await openWorld(service)
  const owner = await protectedPerson(world)
  const startMs = waitForStep(world)
  t.equal(await errorOf(world, owner, codeAt(owner.secret, startMs)), undefined)
  t.equal(await errorOf(world, owner, codeAt(owner.secret, startMs - STEP_MS)), 'mfa_code_wrong')
  t.equal(await errorOf(world, owner, codeAt(owner.secret, startMs + STEP_MS)), undefined)
  t.equal(await errorOf(world, owner, codeAt(owner.secret, startMs)), 'mfa_code_wrong')
  world.wait(10 * STEP_MS)
  t.equal(await errorOf(world, owner, codeAt(owner.secret, startMs + 10 * STEP_MS)), undefined)
})

/** What cancels a reset, and whether it is rejected after the reset has taken effect */
const CANCELLATIONS: Readonly<Record<string, (world: World, pending: Pending) => Promise<number>>> = {
  'its link': async (world, { cancelToken }) =>
    (await there(world, 'cancelFactorReset')({ json: { token: cancelToken } })).status,
  'a login with an app': async (world, { person, secret }) => {
    const code = codeAt(secret, service.clock.nowMs())
    return (await there(world, 'login')({ json: { email: person.email, password: PASSWORD, code } })).status
  },
  'a login with a recovery code': async (world, { person, recoveryCodes: [code] }) =>
    (await there(world, 'login')({ json: { email: person.email, password: PASSWORD, code } })).status,
}

function waitUntil(world: World, timeMs: number): void {
  world.wait(timeMs - world.service.clock.nowMs())
}

for (const [name, cancel] of Object.entries(CANCELLATIONS)) {
  void t.test(`ends the factors after 72 hours unless ${name} cancels the reset up to a second before`, async (t) => {
    const world = await openWorld(service)
    const [one, other] = [await pendingReset(world), await pendingReset(world)]
    const [oneMs, otherMs] = [Date.parse(one.resetAt), Date.parse(other.resetAt)]
    waitUntil(world, oneMs - SECOND_MS)
    t.equal(await cancel(world, one), 200)
    t.equal(await storedReset(world, one.person), undefined)
    waitUntil(world, otherMs - SECOND_MS)
    t.equal(await loginError(world, other.person), 'mfa_required')

    waitUntil(world, otherMs + SECOND_MS)
    t.equal(await loginError(world, one.person), 'mfa_required')
    t.equal(await cancel(world, other), name === 'its link' ? 422 : 200, 'the password is enough by then')
    t.equal(await storedReset(world, other.person), otherMs, 'it is too late to cancel the other one')
    t.equal(await loginError(world, other.person), undefined)
  })
}
