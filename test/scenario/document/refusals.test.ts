// The records of rejected requests: one event for each limit, and no flood of events.
import t, { type Test } from 'tap'
import { maskAddress } from '../../../src/domain/text.ts'
import { dedupe } from '../../../src/store/audit/index.ts'
import { openWorld, type World } from '../../support/service/world.ts'

const MINUTE_MS = 60_000

/** Returns how often each event is in the audit trail of a world. */
async function eventsOf({ service, address }: World): Promise<Record<string, number>> {
  const events = await service.database.prisma.auditEvent.groupBy({
    by: ['event'],
    where: { address },
    _count: { event: true },
  })
  return Object.fromEntries(events.map(({ event, _count }) => [event, _count.event]))
}

function checkLog(t: Test, { service, address }: World, event: string, policy: string): void {
  const lines = service.log.map((line) => JSON.parse(line) as { event?: string; address?: string; policy?: string })
  const about = lines.filter((line) => line.event === event && line.address === maskAddress(address))
  t.same(
    about.map((line) => line.policy),
    [policy],
    `${event} is in the log once, with the limit that was reached`,
  )
}

void t.test('rejects logins beyond the limit of an account', async (t) => {
  const world = await openWorld()
  const { email } = await world.person()
  for (let guesses = 0; guesses < 15; guesses++) await world.send('login')({ json: { email, password: 'wrong' } })
  t.same(await eventsOf(world), { login_failed: 10, login_limited: 1 })
  checkLog(t, world, 'login_limited', 'login-account')
})

void t.test('rejects logins to many accounts beyond the limit of an address', async (t) => {
  const world = await openWorld()
  for (let guesses = 0; guesses < 40; guesses++) {
    await world.send('login')({ json: { email: `nobody-${guesses}@example.org`, password: 'wrong' } })
  }
  t.same(await eventsOf(world), { login_failed: 30, login_limited: 1 })
})

void t.test('rejects codes beyond the limit of an address', async (t) => {
  const world = await openWorld()
  for (let sends = 0; sends < 15; sends++) {
    await world.send('checkPhone')({ form: { phone_code: '966', phone: world.newPhone() } })
  }
  t.same(await eventsOf(world), { phone_checked: 10, phone_check_limited: 1 })
  checkLog(t, world, 'phone_check_limited', 'check-phone-minute')
})

void t.test('rejects wrong codes beyond the limit of an address', async (t) => {
  const world = await openWorld()
  for (let guesses = 0; guesses < 65; guesses++) {
    await world.send('confirmPhone')({ form: { phone_code: '966', phone: world.newPhone(), otp: '123456' } })
  }
  t.same(await eventsOf(world), { phone_confirmation_failed: 60, phone_confirm_limited: 1 })
})

void t.test('audits exhausted attempts for a number once per window', async (t) => {
  const world = await openWorld()
  const number = { phone_code: '966', phone: world.newPhone() }
  for (const exhausted of [1, 2]) {
    await world.send('checkPhone')({ form: number })
    const otp = world.textsTo(number.phone)[0]?.includes(' 000000') ? '000001' : '000000'
    for (let guesses = 0; guesses < 8; guesses++) await world.send('confirmPhone')({ form: { ...number, otp } })
    t.match(await eventsOf(world), { otp_exhausted: exhausted, phone_confirmation_failed: exhausted * 5 })
    world.wait(10 * MINUTE_MS)
  }
})

void t.test('drops expired rejections, and the oldest ones when there are many', (t) => {
  let nowMs = 0
  const isFirst = dedupe(() => nowMs)
  t.ok(isFirst('a', 1000))
  t.notOk(isFirst('a', 1000))
  nowMs = 1000
  t.ok(isFirst('a', 9000), 'the first one had expired')
  for (let keys = 0; keys < 10_000; keys++) isFirst(`key ${keys}`, 9000)
  t.ok(isFirst('a', 9000), 'the oldest one was dropped')
  t.end()
})
