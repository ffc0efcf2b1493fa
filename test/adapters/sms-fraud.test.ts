// The rules against SMS pumping, in this process and, with REDIS_URL, in Redis.
import t, { type Test } from 'tap'
import { findingRecorder, fraudRules } from '../../src/adapters/sms/fraud/rules.ts'
import { jsonLog } from '../../src/lib/log.ts'
import { NO_METRICS } from '../../src/lib/metrics.ts'
import { farNumbers, openGuarded, type Guarded } from '../support/service/sms-fraud.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const redisUrl = process.env['REDIS_URL']
const foreign = farNumbers('20')

async function open(t: Test, options: Parameters<typeof openGuarded>[0] = {}): Promise<Guarded> {
  const guarded = await openGuarded({ redisUrl, ...options })
  t.teardown(() => guarded.close())
  return guarded
}

/** Sends to consecutive numbers, and returns how many messages were sent. */
async function sendTo(count: number, send: (at: number) => Promise<boolean>): Promise<number> {
  let sent = 0
  for (let at = 0; at < count; at++) if (await send(at)) sent++
  return sent
}

void t.test('limits runs of numbers across the border of a block', async (t) => {
  const { send } = await open(t)
  t.equal(await sendTo(80, (at) => send(`+${966551239960 + at}`)), 36)
  const other = await open(t)
  t.equal(await sendTo(20, (at) => other.send(`+${966551239990 + at}`, { network: 'one' })), 5)
})

void t.test('limits runs of numbers in large steps', async (t) => {
  const { send } = await open(t)
  t.equal(await sendTo(250, (at) => send(`+${966551200000 + at * 397}`)), 200)
  const other = await open(t)
  t.equal(await sendTo(15, (at) => other.send(`+${966551200000 + at * 1000}`, { network: 'one' })), 10)
})

void t.test('does not apply the wide ranges to existing accounts', async (t) => {
  const { send } = await open(t)
  const purpose = 'reset'
  t.equal(await sendTo(15, (at) => send(`+${966551200000 + at * 1000}`, { network: 'one', purpose })), 15)
})

void t.test('limits unconfirmed messages of a country', async (t) => {
  const { send } = await open(t)
  t.equal(await sendTo(20, (at) => send(foreign(at))), 10)
  t.equal(await sendTo(20, (at) => send(farNumbers('966')(at))), 20, 'a home country has a larger budget')
  t.ok(await send(foreign(50), { purpose: 'reset' }), 'resets of existing accounts do not count')
  t.ok(await send(foreign(51), { purpose: 'notice' }))
})

void t.test('reserves half of the budget of a country for messages with proof', async (t) => {
  const { send } = await open(t)
  t.equal(await sendTo(30, (at) => send(foreign(at))), 10)
  t.equal(await sendTo(30, (at) => send(foreign(30 + at), { proof: 'challenge' })), 10)
  t.notOk(await send(foreign(70)))
})

void t.test(
  'reserves half of the limits of similar numbers for messages with proof and existing accounts',
  async (t) => {
    const near = (at: number): string => `+${966551239000 + at}`
    const far = (at: number): string => `+${966551200000 + at * 397}`
    const { send } = await open(t)
    t.equal(await sendTo(80, (at) => send(near(at))), 36)
    t.equal(await sendTo(20, (at) => send(near(100 + at), { purpose: 'reset' })), 18)
    t.equal(await sendTo(80, (at) => send(near(200 + at), { proof: 'challenge' })), 18)
    const other = await open(t)
    await sendTo(250, (at) => other.send(far(at)))
    t.equal(await sendTo(250, (at) => other.send(far(at % 250), { proof: 'challenge' })), 200)
  },
)

void t.test('counts messages for half as much after 15 minutes', async (t) => {
  const { send, moveClock } = await open(t)
  await sendTo(20, (at) => send(foreign(at)))
  moveClock(14 * MINUTE_MS)
  t.notOk(await send(foreign(20)))
  moveClock(MINUTE_MS + 1)
  t.equal(await sendTo(20, (at) => send(foreign(20 + at))), 5)
  moveClock(15 * MINUTE_MS)
  t.equal(await sendTo(20, (at) => send(foreign(40 + at))), 3)
})

void t.test(
  'sends again 15 minutes after the end of an attack of a day, and little more than the daily budget',
  async (t) => {
    const { send, moveClock } = await open(t, { unconfirmed: { perOtherCountry: 400 } })
    let sent = 0
    for (let quarter = 0; quarter < 95; quarter++) {
      for (let at = 0; await send(foreign(at), { proof: quarter % 2 === 0 ? 'challenge' : 'none' }); at++) sent++
      moveClock(15 * MINUTE_MS)
      t.ok(await send(foreign(300)), `quarter ${quarter}`)
      sent++
    }
    t.ok(sent <= 400 + 96, `${sent} messages`)
  },
)

void t.test('counts again after a day', async (t) => {
  const { send, moveClock } = await open(t)
  await sendTo(20, (at) => send(foreign(at)))
  moveClock(DAY_MS)
  t.equal(await sendTo(20, (at) => send(foreign(at))), 10)
})

void t.test('sends more to a country in which codes are confirmed', async (t) => {
  const { send, confirm } = await open(t)
  const sendAndConfirm = async (at: number): Promise<boolean> => {
    const isSent = await send(foreign(at), { network: `network ${at}` })
    if (at % 5 === 0) await confirm({ phone: foreign(at), network: `network ${at}` })
    return isSent
  }
  t.equal(await sendTo(200, sendAndConfirm), 200)
})

void t.test('does not save up confirmed codes', async (t) => {
  const { send, confirm } = await open(t)
  for (let at = 0; at < 20; at++) await confirm({ phone: foreign(at), network: 'one' })
  t.equal(await sendTo(20, (at) => send(foreign(at))), 10)
})

void t.test('counts a confirmed number once a day', async (t) => {
  const { send, confirm, moveClock } = await open(t)
  await sendTo(10, (at) => send(foreign(at)))
  for (let times = 0; times < 5; times++) await confirm({ phone: foreign(0), network: 'one' })
  t.equal(await sendTo(10, (at) => send(foreign(at))), 5)
  moveClock(DAY_MS)
  await sendTo(10, (at) => send(foreign(at)))
  await confirm({ phone: foreign(0), network: 'one' })
  t.equal(await sendTo(10, (at) => send(foreign(at))), 5)
})

void t.test('does not count confirmed codes of test numbers', async (t) => {
  const { send, confirm } = await open(t, { testNumbers: new Map([[foreign(0), '123456']]) })
  await sendTo(10, (at) => send(foreign(at)))
  await confirm({ phone: foreign(0), network: 'one' })
  t.equal(await sendTo(10, (at) => send(foreign(at))), 0)
})

void t.test('limits unconfirmed messages of one network to a share', async (t) => {
  const { send, confirm } = await open(t, { unconfirmed: { perOtherCountry: 100, networkPercent: 8 } })
  t.equal(await sendTo(20, (at) => send(foreign(at), { network: 'one' })), 8)
  t.ok(await send(foreign(30), { network: 'another' }))
  await confirm({ phone: foreign(0), network: 'another' })
  t.notOk(await send(foreign(31), { network: 'one' }), 'codes that another network confirms do not help')
  await confirm({ phone: foreign(1), network: 'one' })
  t.equal(await sendTo(20, (at) => send(foreign(40 + at), { network: 'one' })), 5)
})

void t.test('allows one network five unconfirmed messages at least', async (t) => {
  const { send } = await open(t, { unconfirmed: { perOtherCountry: 50, networkPercent: 1 } })
  t.equal(await sendTo(20, (at) => send(foreign(at), { network: 'one' })), 5)
})

void t.test('never exceeds the daily budget of a country, however many codes are confirmed', async (t) => {
  const { send, confirm } = await open(t, { budgets: { perCountryPerDay: 30 } })
  const sent = await sendTo(60, async (at) => {
    await confirm({ phone: foreign(at), network: 'one' })
    return send(foreign(at), { proof: 'challenge' })
  })
  t.equal(sent, 30)
})

void t.test('only records what it would reject', async (t) => {
  const { send, recorded } = await open(t, { mode: 'record', unconfirmed: { perOtherCountry: 20 } })
  t.equal(await sendTo(12, (at) => send(`+${201001234000 + at}`, { network: 'one' })), 12)
  t.same(recorded.slice(0, 2), Array(2).fill(['sms-unconfirmed-free', 'sms-block-network']))
  t.same(recorded.at(-1), [
    'sms-unconfirmed',
    'sms-unconfirmed-unsolved',
    'sms-unconfirmed-free',
    'sms-block-network',
    'sms-range-network',
  ])
  t.equal(recorded.length, 7)
})

void t.test('enforces daily budgets while it only records', async (t) => {
  const { send } = await open(t, { mode: 'record', budgets: { perCountryPerDay: 15 } })
  t.equal(await sendTo(20, (at) => send(foreign(at), { proof: 'challenge' })), 15)
})

void t.test('rejects landlines, or only records them', async (t) => {
  const options = { homeCountries: new Set<string>(), perHomeCountry: 1, perOtherCountry: 1, networkPercent: 1 }
  const [recorded, rejected] = [[] as string[], [] as string[]]
  const landline = { e164: '+966112345678', callingCode: '966' }
  const rulesIn = (mode: 'enforce' | 'record'): ReturnType<typeof fraudRules> =>
    fraudRules(
      { mode, unconfirmed: options },
      { record: (rules) => recorded.push(...rules), reject: ({ e164 }) => rejected.push(e164) },
    )
  t.notOk(rulesIn('enforce').acceptsType(landline, undefined, true))
  t.ok(rulesIn('enforce').acceptsType(landline, 'voice', true))
  t.same({ recorded, rejected }, { recorded: [], rejected: [landline.e164] })
  t.ok(rulesIn('record').acceptsType(landline, undefined, true))
  t.same({ recorded, rejected }, { recorded: ['number-type'], rejected: [landline.e164] })
})

void t.test('logs findings at most once a second, without the number', async (t) => {
  const lines: string[] = []
  let nowMs = 0
  const counted: unknown[] = []
  const record = findingRecorder({
    log: jsonLog('info', { write: (line) => lines.push(line) }),
    metrics: { ...NO_METRICS, count: (...given) => counted.push(given) },
    clock: { nowMs: () => nowMs, shiftMs: () => 0 },
  })
  const to = { e164: '+966551234567', callingCode: '966' }
  for (let times = 0; times < 3; times++) record(['sms-block'], to)
  nowMs = 1000
  record(['sms-block', 'sms-range'], to)
  t.equal(counted.length, 5)
  t.same(counted.at(-1), ['tawthiq_sms_fraud_recorded_total', { rule: 'sms-range', calling_code: '966' }])
  t.same(
    lines.map((line) => (JSON.parse(line) as { unlogged: number }).unlogged),
    [0, 2],
  )
  t.notMatch(lines.join(), '551234567')
})
