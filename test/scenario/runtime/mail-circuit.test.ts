// While the mail server is down, e-mails wait without attempts, and one e-mail at a time tests whether it is back.
import t from 'tap'
import { systemClock } from '../../../src/adapters/clock.ts'
import { countLoneRefusals } from '../../../src/runtime/delivery/mail-refusals.ts'
import { createMailCircuit } from '../../../src/runtime/delivery/mail-circuit.ts'
import { openMailServer } from '../../support/servers/mail-server.ts'
import { openService } from '../../support/service/service.ts'
import { openWorld } from '../../support/service/world.ts'

const OPEN_MS = 4000
const FAILURES_MAX = 5
/** Longer than the delay after three attempts */
const RETRY_MS_MAX = 200_000
/** At most nine e-mails fail before the circuit opens: four in a row, and the five that are sent at the same time */
const PEOPLE = 10

void t.test('does not try e-mails while the mail server is down, and sends all of them afterwards', async (t) => {
  const server = await openMailServer(t)
  const mail = {
    url: server.url,
    requiresTls: false,
    from: 'a@example.org',
    resetUrl: undefined,
    emailUrl: undefined,
    factorResetUrl: undefined,
  }
  const service = await openService({ config: { mail } })
  t.teardown(() => service.close())
  const world = await openWorld(service)
  const people = []
  for (let count = 0; count < PEOPLE; count++) people.push(await world.person())
  const { context } = service.app
  await context.background.settle(20_000)
  const before = server.accepted.length
  const resets = (): Set<string> => new Set(server.accepted.slice(before).map(({ to }) => to))
  const attempts = async (): Promise<number[]> => {
    const rows = await service.database.prisma.queuedMail.findMany({ where: { topic: 'reset_request' } })
    return rows.map((row) => row.attempts)
  }

  server.failAt({ step: 'recipient', code: 421 })
  for (const { email } of people) await world.send('requestPasswordReset')({ json: { by: 'email', email } })
  await service.app.deliverMails()
  await context.background.settle(20_000)
  const tried = server.tries()
  await service.app.deliverMails()
  t.equal(server.tries(), tried, 'nothing is tried while the circuit is open')
  const waiting = await attempts()
  t.ok(waiting.includes(0), `attempts: ${waiting.join(' ')}`)

  world.wait(OPEN_MS)
  await service.app.deliverMails()
  t.equal(server.tries(), tried + 1, 'one e-mail tests the server')
  server.failAt(undefined)
  world.wait(OPEN_MS)
  await service.app.deliverMails()
  await service.app.deliverMails()
  world.wait(RETRY_MS_MAX)
  await service.app.deliverMails()
  t.same(resets(), new Set(people.map(({ email }) => email)))
})

void t.test('opens after five failures in a row, and closes with a success', (t) => {
  let nowMs = 0
  const circuit = createMailCircuit({ ...systemClock, nowMs: () => nowMs }, undefined)
  for (let count = 1; count < FAILURES_MAX; count++) circuit.fail()
  t.equal(circuit.allow(3), 3)
  circuit.fail()
  t.equal(circuit.allow(3), 0)
  nowMs = OPEN_MS - 1
  t.equal(circuit.allow(3), 0)
  nowMs = OPEN_MS
  t.equal(circuit.allow(3), 1)
  t.equal(circuit.allow(3), 0, 'until the test has ended')
  circuit.fail()
  nowMs = 2 * OPEN_MS
  t.equal(circuit.allow(0), 0)
  circuit.succeed()
  t.equal(circuit.allow(3), 3)
  t.end()
})

void t.test('gives up an e-mail that is refused five times while others pass', (t) => {
  const refusals = countLoneRefusals()
  const [poisoned, other] = [1n, 2n]
  t.notOk(refusals.refuse(poisoned), 'no other has passed')
  for (let times = 1; times < FAILURES_MAX; times++) {
    refusals.accept(other)
    t.notOk(refusals.refuse(poisoned))
    t.notOk(refusals.refuse(poisoned), 'no other has passed since')
  }
  refusals.accept(other)
  t.ok(refusals.refuse(poisoned))
  t.end()
})

void t.test('forgets refusals of an e-mail that was accepted', (t) => {
  const refusals = countLoneRefusals()
  for (let times = 1; times <= 2 * FAILURES_MAX; times++) {
    refusals.accept(2n)
    t.notOk(refusals.refuse(1n))
    if (times % 3 === 0) refusals.accept(1n)
  }
  t.end()
})
